const randomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/**
 * UUID version 7 (RFC 9562 §5.7). Made once per event and repeated on every retry, so that the
 * collector stores the event once.
 */
export function newEventId(nowMs: number): string {
  const hex = `${nowMs.toString(16).padStart(12, "0")}7${randomHex()}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{3})(.{12}).*/, "$1-$2-$3-8$4-$5");
}

/** A timestamp plus 96 random bits, in the closed alphabet of anonymous ids. */
export function newAnonymousId(nowMs: number): string {
  return `${nowMs}-${randomHex()}`;
}
