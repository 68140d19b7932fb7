import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { z } from "zod";

/** The list that every newsletter mail belongs to: mail programs group and filter by it. */
export const newsletterList: NonNullable<Mail["list"]> = {
  label: "newsletter",
  name: "Pro Talent Newsletter",
};

/** `MAIL_POSTAL_ADDRESS`: one line, or nothing. */
export const postalAddress = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, "must be one line")
  .default("");

const senderTexts: Readonly<Record<Locale, string>> = {
  en: "Sender: Pro Talent, ",
  he: "השולח: Pro Talent, ",
};

/** The sender's postal address for the end of a mail's footer; nothing when it is not configured. */
export function senderLine(language: Locale, address: string): readonly MailBlock[] {
  return address === "" ? [] : [{ kind: "small", text: senderTexts[language] + address }];
}
