import { linkLimits } from "./limits.ts";

/** Host names that lead into a network instead of the public internet (RFC 6761, RFC 6762, RFC 8375). */
const privateNames =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|test|invalid|onion|home\.arpa)$/u;
/** A name in the public DNS: labels, the last of them a to z or punycode. Addresses have none. */
const publicName =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/u;

type Address = {
  readonly href: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly port: string;
};
/** Of the WHATWG URL standard; browsers and Node have it, the language does not. */
declare const URL: { new (url: string): Address; canParse: (url: string) => boolean };

/** Why an address elsewhere is not accepted. */
export type UrlFault = "not-https" | "not-public" | "with-password" | "too-long" | "malformed";

/**
 * Checks the address that a link leads to: https, a name in the public DNS, no user or password, the
 * usual port. A bare `example.com/cv` is read as https.
 * @returns the address in its canonical form, or what is wrong with it
 */
export function readExternalUrl(
  text: string,
): { readonly url: string } | { readonly fault: UrlFault } {
  const trimmed = text.trim();
  if (trimmed.length > linkLimits.urlCharsMax) return { fault: "too-long" };
  const withScheme = /^[a-z][a-z0-9+.-]*:/iu.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(withScheme)) return { fault: "malformed" };
  const url = new URL(withScheme);
  if (url.protocol !== "https:") return { fault: "not-https" };
  if (url.username !== "" || url.password !== "") return { fault: "with-password" };
  const name = url.hostname.replace(/\.$/u, "");
  if (url.port !== "" || !publicName.test(name) || privateNames.test(name))
    return { fault: "not-public" };
  return url.href.length > linkLimits.urlCharsMax ? { fault: "too-long" } : { url: url.href };
}
