import { until } from "@pro-talent/platform/testing/until";
import { z } from "zod";

const Header = z.union([z.string(), z.array(z.string())]).catch("");

const CaughtMail = z.object({
  id: z.string(),
  subject: z.string().default(""),
  text: z.string().default(""),
  html: z.union([z.string(), z.literal(false)]).default(""),
  headers: z.record(z.string(), Header).default({}),
  envelope: z.object({ to: z.array(z.object({ address: z.string() })) }),
});
/** A mail as the catcher understood it; header names are in lower case. */
export type CaughtMail = z.infer<typeof CaughtMail>;

export type Mailbox = {
  /** All mails that were caught, the oldest first. */
  readonly list: () => Promise<readonly CaughtMail[]>;
  /** Waits for the newest mail to an address, of a subject if one is given. */
  readonly mailTo: (
    address: string,
    options?: { subject?: RegExp; deadlineMs?: number },
  ) => Promise<CaughtMail>;
  /** The mail byte for byte. */
  readonly source: (id: string) => Promise<string>;
  readonly empty: () => Promise<void>;
};

/** Reads what a mail catcher caught. @param webUrl its address, with its token */
export function mailbox(webUrl: string): Mailbox {
  const { origin, searchParams } = new URL(webUrl);
  const headers = { authorization: `Bearer ${searchParams.get("token") ?? ""}` };
  const ask = async (path: string, method = "GET"): Promise<Response> => {
    const answer = await fetch(`${origin}/api/email${path}`, { method, headers });
    if (!answer.ok) throw new Error(`The mail catcher answers ${answer.status}.`);
    return answer;
  };
  const list = async (): Promise<CaughtMail[]> =>
    z.array(CaughtMail).parse(await (await ask("")).json());
  return {
    list,
    mailTo: (address, { subject = /(?:)/, deadlineMs } = {}) =>
      until(
        "the mail is there",
        async () =>
          (await list()).findLast(
            (mail) =>
              subject.test(mail.subject) &&
              mail.envelope.to.some((to) => to.address.toLowerCase() === address.toLowerCase()),
          ),
        deadlineMs,
      ),
    source: async (id) => (await ask(`/${id}/source`)).text(),
    empty: async () => {
      await ask("/all", "DELETE");
    },
  };
}
