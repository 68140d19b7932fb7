import { isIP } from "node:net";

/**
 * The domain of a referring page, in lower case and without `www.`; empty when there is none, when
 * it is not a web page, or when it is a bare network address.
 */
export function referrerDomain(referrer: string | null | undefined): string {
  if (referrer === null || referrer === undefined || referrer === "") return "";
  const url = URL.parse(referrer);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "";
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[") || isIP(host) !== 0) return "";
  return withoutWww(host).slice(0, 253);
}

/** A host without port and `www.`, to be compared with a referrer's domain. */
export function ownDomain(host: string | undefined): string {
  return host === undefined ? "" : withoutWww(host.toLowerCase().replace(/:\d+$/, ""));
}

function withoutWww(host: string): string {
  return host.startsWith("www.") ? host.slice("www.".length) : host;
}
