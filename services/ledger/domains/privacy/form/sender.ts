import { Locale } from "@pro-talent/schemas/primitives/locale";
import { z } from "zod";

import type { LedgerContext } from "../../../kernel/module.ts";
import { readSealed } from "../../../kernel/streams.ts";
import { privacyEvents } from "../requests.ts";

/** What was entered in a form: sealed with its request, and destroyed after the last mail about it. */
export const Sender = z.object({
  email: z.string(),
  /** The address of the person who authorised the sender. */
  about: z.string().nullable(),
  language: Locale,
  text: z.string(),
});
export type Sender = z.infer<typeof Sender>;

/** The mailbox that a form is about. */
export const mailboxOf = ({ about, email }: Sender): string => about ?? email;

/** Who sent a form; undefined once that is destroyed. */
export async function senderOf(
  { ledger, subjects }: Pick<LedgerContext, "ledger" | "subjects">,
  requestId: string,
): Promise<Sender | undefined> {
  const sealed = await readSealed(ledger.sql, privacyEvents.streamOf(requestId), "RequestReceived");
  const subject = sealed === undefined ? undefined : await subjects.find(sealed.keyId);
  return sealed === undefined ? undefined : subject?.open(sealed.bytes, Sender);
}
