import { emailCharsMax } from "./email-limits.ts";

/** In octets (RFC 5321 §4.5.3.1.1). */
const localOctetsMax = 64;
/** Of a domain in its ASCII form (RFC 1035 §2.3.4, without the dot at its end). */
const domainCharsMax = 253;

/**
 * Letters and digits of any script (RFC 6531), what needs no quotes (RFC 5322 §3.2.3), and single dots
 * in between.
 */
const local = /^(?!\.|.*\.(?:\.|$))[\p{L}\p{M}\p{N}!#-'*+/=?^_`{|}~.-]+$/u;
/** No label begins or ends with a hyphen: the ASCII form of other scripts would hide it. */
const domain = /^(?!-|.*(?:-\.|\.-|-$))[\p{L}\p{M}\p{N}.-]+$/u;
/** In ASCII, as name servers know it; without a dot at the end, or a last label of digits (a machine's number). */
const asciiDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.(?!\d*$)|$))+$/;

/** A combining mark that follows no character of a word, such as an accent on a hyphen (RFC 5891 §4.2.3.2). */
const strayMark = /(?<![\p{L}\p{M}\p{N}])\p{M}/u;

/** Of browsers and servers alike; this package knows neither. */
declare const URL: new (url: string) => { readonly hostname: string };

/** In UTF-8, of well-formed text. */
const octetsOf = (text: string): number => encodeURIComponent(text).replaceAll(/%../g, "_").length;

/**
 * Whether a mail can be sent to it: exactly one mailbox in the form that mail servers take, without
 * name, quotes, comment or space; `localhost` is a domain too.
 */
export function isMailbox(address: string): boolean {
  const [before = "", after = "", ...more] = address.split("@");
  if (more.length > 0 || address.length > emailCharsMax) return false;
  if (!local.test(before) || !domain.test(after) || strayMark.test(address)) return false;
  return octetsOf(before) <= localOctetsMax && octetsOf(address) <= emailCharsMax && isHost(after);
}

/** Whether the domain has an ASCII form (RFC 5891) that name servers can know. */
function isHost(name: string): boolean {
  try {
    const { hostname } = new URL(`http://${name}`);
    return hostname.length <= domainCharsMax && asciiDomain.test(hostname);
  } catch {
    return false;
  }
}

/**
 * A mailbox whose domain has a dot (specification §5), so that a mail can be sent to it. Browser and
 * server ask this one question. Only following a link that was sent there proves that it exists.
 */
export function looksLikeEmail(address: string): boolean {
  return isMailbox(address) && address.slice(address.indexOf("@")).includes(".");
}
