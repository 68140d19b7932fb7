import Negotiator from "negotiator";

/** How an answer may be compressed; `identity`: not compressed. */
export type Encoding = "identity" | "br" | "gzip";

const preference: readonly Encoding[] = ["br", "gzip"];

/** The best encoding that both sides support (RFC 9110 §12.5.3). */
export function chooseEncoding(
  header: string | undefined,
  available: { has: (encoding: Encoding) => boolean },
): Encoding {
  const negotiator = new Negotiator({ headers: { "accept-encoding": header } });
  const acceptable = negotiator.encodings([...preference]);
  const best = preference.find((name) => acceptable.includes(name) && available.has(name));
  return best ?? "identity";
}

/** Whether the client has this version already (RFC 9110 §13.1.2, weak comparison). */
export function holdsVersion(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((held) => held.trim().replace(/^W\//, "") === etag);
}
