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

/** Domains of one provider, which ignores dots before the `@`. */
const gmail = /^(?:gmail|googlemail)\.com$/;

/**
 * The mailbox behind an address: the same text for the names that lead to one mailbox, as far as they
 * can be known. Everything after a plus sign is a name of the holder's own (RFC 5233); Gmail ignores
 * dots. Mail never goes to this form; it is only hashed.
 */
export function normaliseMailbox(email: string): string {
  const address = normaliseEmail(email);
  const at = address.lastIndexOf("@");
  if (at === -1) return address;
  const [domain, name] = [address.slice(at + 1), address.slice(0, at).replace(/(?<=.)\+.*$/s, "")];
  if (!gmail.test(domain)) return `${name}@${domain}`;
  // Without its dots a combining mark may join the character before it.
  return `${name.replaceAll(".", "").normalize("NFC")}@gmail.com`;
}
