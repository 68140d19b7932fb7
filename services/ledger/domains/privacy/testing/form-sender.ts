import type { Mail } from "@pro-talent/platform/mail/mailer";
import { FormRequest } from "@pro-talent/schemas/privacy/form-calls";
import type { LightMyRequestResponse } from "fastify";
import { z } from "zod";

import type { openPrivacy } from "./open-privacy.ts";

type Platform = Pick<Awaited<ReturnType<typeof openPrivacy>>, "app" | "mails" | "sendMails">;
type Sent = { readonly payload: object; readonly plain?: boolean };
export type Asked = {
  readonly type?: string;
  readonly relation?: string;
  readonly about?: string;
  readonly text?: string;
};

export const formRequestIn = (answer: LightMyRequestResponse): FormRequest =>
  z.object({ request: FormRequest }).parse(answer.json()).request;

/** People who use the public form as its pages do: they read their mails, and enter codes. */
export function formSenders({ app, mails, sendMails }: Platform) {
  const post = async (path: string, { payload, plain = false }: Sent) =>
    await app.inject({
      method: "POST",
      url: `/api/privacy/form${path}`,
      headers: plain ? { "content-type": "application/x-www-form-urlencoded" } : {},
      payload: plain ? new URLSearchParams(Object.entries(payload)).toString() : payload,
    });
  const mailsTo = (email: string): Mail[] => mails.filter(({ to }) => to.address === email);
  /** The code and the token of the newest mail to an address. */
  const mailed = (email: string): { readonly code: string; readonly token: string } => {
    const { text = "" } = mailsTo(email).at(-1) ?? {};
    const [code = ""] = /\b\d{8}\b/u.exec(text) ?? [];
    const [, token = ""] = /status#([\w-]+)/u.exec(text) ?? [];
    return { code, token };
  };
  const ask = async (email: string, asked: Asked = {}) => {
    const payload = { email, type: "access", relation: "mailbox", language: "en", ...asked };
    const answer = await post("", { payload });
    await sendMails();
    return answer;
  };
  const verify = async (email: string) => await post("/verification", { payload: mailed(email) });
  return {
    ask,
    mailed,
    mailsTo,
    post,
    verify,
    statusOf: async (token: string) => formRequestIn(await post("/status", { payload: { token } })),
    /** A form whose code was entered. */
    verified: async (email: string, asked: Asked = {}): Promise<FormRequest> => {
      await ask(email, asked);
      return formRequestIn(await verify(email));
    },
    /** The package, opened by a code that is mailed for it. */
    download: async (email: string) => {
      await post("/code", { payload: { token: mailed(email).token } });
      await sendMails();
      return await post("/package", { payload: mailed(email) });
    },
  };
}
