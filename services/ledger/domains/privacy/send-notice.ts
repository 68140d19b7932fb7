import { type Mail, type Mailer, MailRefused } from "@pro-talent/platform/mail/mailer";

import type { EventOf } from "./guards.decider.ts";

/** What became of a notice; `later`: it is tried again. */
export type Sent = EventOf<"NoticeTried">["data"]["result"];

/** Sends a mail to a person whose address is still known. */
export async function sendTo<Addressee>(
  mailer: Mailer,
  contact: Addressee | undefined,
  mailFor: (contact: Addressee) => Mail,
): Promise<Sent> {
  if (contact === undefined) return "no-account";
  return await mailer.send(mailFor(contact)).then(
    () => "sent" as const,
    // The address accepts no mail: the state of the request is on the pages of the product all the same.
    (error: unknown) => (error instanceof MailRefused ? "refused" : "later"),
  );
}
