import { looksLikeEmail } from "../primitives/email-shape.ts";
import { cleanLine } from "./clean-text.ts";
import { cvLimits } from "./limits.ts";

type Address = { readonly href: string; readonly protocol: string; readonly username: string };
/** Of the WHATWG URL standard; browsers and Node have it, the language does not. */
declare const URL: { new (url: string): Address; canParse: (url: string) => boolean };

/**
 * Where text that a person typed may lead: an address with https, a mailbox or a telephone number. A bare
 * `example.com/me` is read as https, a bare mailbox as mailto.
 * @returns the canonical address, or null when it is none of these
 */
export function linkTarget(text: string): string | null {
  const typed = cleanLine(text).replaceAll(" ", "");
  if (typed === "" || typed.length > cvLimits.urlCharsMax) return null;
  if (looksLikeEmail(typed)) return `mailto:${typed}`;
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/iu.test(typed);
  if (!hasScheme && !/^[^/?#]+\.[^/?#.]{2,}(?:[:/?#]|$)/u.test(typed)) return null;
  const withScheme = hasScheme ? typed : `https://${typed}`;
  if (!URL.canParse(withScheme)) return null;
  const { href, protocol, username } = new URL(withScheme);
  if (protocol === "mailto:") return looksLikeEmail(href.slice("mailto:".length)) ? href : null;
  if (protocol === "tel:") return telephoneTarget(href.slice("tel:".length));
  return protocol === "https:" && username === "" ? href : null;
}

/** The address that calls a telephone number (RFC 3966), or null when there are too few digits. */
export function telephoneTarget(text: string): string | null {
  const digits = text.replaceAll(/[^\d+]/g, "").replaceAll(/(?!^)\+/g, "");
  return /^\+?\d{5,15}$/.test(digits) ? `tel:${digits}` : null;
}
