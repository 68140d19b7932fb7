const special = /[\p{Cc}@]|%40/u;
const controls = /\p{Cc}+/gu;
/** Bounded on both sides, so that the search stays linear in the length of the text. */
const emailLike = /[^\s"<>(),:;@\\]{1,64}(?:@|%40)[^\s"'<>(),:;@\\/]{1,253}/gu;

/** What stands in a text for something that looked like an e-mail address. */
export const redactedEmail = ":redacted";

/**
 * A client's text as it may be stored: valid Unicode, no control characters, nothing that looks
 * like an e-mail address.
 */
export function storedText(text: string | null | undefined): string {
  if (text === null || text === undefined || text === "") return "";
  const wellFormed = text.toWellFormed();
  if (!special.test(wellFormed)) return wellFormed;
  return withoutEmails(wellFormed.replaceAll(controls, " "));
}

/** Safe on JSON text too: a match never contains a quote or a backslash. */
export function withoutEmails(text: string): string {
  if (!text.includes("@") && !text.includes("%40")) return text;
  return text.replaceAll(emailLike, redactedEmail);
}
