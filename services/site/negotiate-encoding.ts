/** How an answer may be compressed; `identity`: not compressed. */
export type Encoding = "identity" | "br" | "gzip";

const preference: readonly Encoding[] = ["br", "gzip"];

/** The best encoding that both sides support (RFC 9110 §12.5.3); `q=0` refuses one. */
export function chooseEncoding(
  header: string | undefined,
  available: { has: (encoding: Encoding) => boolean },
): Encoding {
  const accepted = new Set<string>();
  for (const part of (header ?? "").toLowerCase().split(",")) {
    const [name = "", quality = ""] = part.split(";").map((text) => text.trim());
    if (!/^q=0(\.0*)?$/.test(quality)) accepted.add(name);
  }
  return (
    preference.find((encoding) => accepted.has(encoding) && available.has(encoding)) ?? "identity"
  );
}

/** Whether the client has this version already (RFC 9110 §13.1.2, weak comparison). */
export function holdsVersion(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((held) => held.trim().replace(/^W\//, "") === etag);
}
