import { type Mail, type Mailer, MailRefused } from "@pro-talent/platform/mail/mailer";

import type { Contact } from "../../contacts.ts";
import type { EventOf } from "./guards.decider.ts";

/** What became of a notice; `later`: it is tried again. */
export type Sent = EventOf<"NoticeTried">["data"]["result"];

/** Sends a mail to the holder of an account, if it is still there. */
export async function sendTo(
  mailer: Mailer,
  contact: Contact | undefined,
  mailFor: (contact: Contact) => Mail,
): Promise<Sent> {
  if (contact === undefined) return "no-account";
  return await mailer.send(mailFor(contact)).then(
    () => "sent" as const,
    // The address accepts no mail: the state of the request is on the pages of the product all the same.
    (error: unknown) => (error instanceof MailRefused ? "refused" : "later"),
  );
}
