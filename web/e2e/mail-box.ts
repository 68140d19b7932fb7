import { vi } from "vitest";
import { z } from "zod";

const CaughtMail = z.object({
  id: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  to: z.array(z.object({ address: z.string() })),
  headers: z.record(z.string(), z.unknown()),
});
export type CaughtMail = z.infer<typeof CaughtMail>;

/** A worker sends mails, perhaps after other jobs. */
const patience = { timeout: 30_000, interval: 100 };

/** Reads the mail catcher over its HTTP interface; its address has a token. */
export class MailBox {
  readonly #webUrl: string | undefined;

  constructor(webUrl: string | undefined) {
    this.#webUrl = webUrl;
  }

  /** All mails to an address, oldest first. */
  async to(address: string): Promise<CaughtMail[]> {
    if (this.#webUrl === undefined) throw new Error("the mail catcher does not run");
    const { origin, searchParams } = new URL(this.#webUrl);
    const headers = { authorization: `Bearer ${searchParams.get("token") ?? ""}` };
    const answer = await fetch(`${origin}/api/email`, { headers });
    const mails = z.array(CaughtMail).parse(await answer.json());
    return mails.filter(({ to }) => to.some((receiver) => receiver.address === address));
  }

  /** Waits for the mail with this number, counted from 1. */
  waitFor(address: string, number = 1): Promise<CaughtMail> {
    return vi.waitFor(async () => {
      const mail = (await this.to(address))[number - 1];
      if (mail === undefined) throw new Error(`no mail ${number} to ${address}`);
      return mail;
    }, patience);
  }
}

/** The address of this path in a mail's text, with its token. */
export function linkIn(mail: CaughtMail, path: string): string {
  const links = mail.text.match(/https?:\/\/[^\s<>]+/g) ?? [];
  const link = links.find((candidate) => new URL(candidate).pathname === path);
  if (link === undefined) throw new Error(`no link to ${path} in: ${mail.subject}`);
  return link;
}
