import { domainToASCII } from "node:url";

/**
 * The form in which addresses are compared: trimmed, Unicode composed (NFC), in lower case, the
 * domain in the ASCII form that mail servers use. Mail goes to the address as it was written; this
 * form is only hashed. Never throws; a text that is no address comes back in lower case.
 */
export function normaliseEmail(email: string): string {
  const text = lowerCase(email.toWellFormed().trim());
  const at = text.lastIndexOf("@");
  return at === -1 ? text : `${text.slice(0, at)}@${asciiDomain(text.slice(at + 1))}`;
}

/** Composed again at the end: lower case can come apart into characters that compose. */
function lowerCase(text: string): string {
  return text.normalize("NFC").toLowerCase().normalize("NFC");
}

/**
 * Only where it is needed, and never for what delimits a host in a URL: Node's function stops at
 * such characters, which would make two domains one.
 */
function asciiDomain(domain: string): string {
  if (/^[\0-\x7F]*$/.test(domain) || /[/\\?#:%[\]]/.test(domain)) return domain;
  const ascii = domainToASCII(domain);
  return ascii === "" ? domain : ascii;
}
