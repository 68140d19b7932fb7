/**
 * UUID version 7 (RFC 9562 §5.7). Made once per event and repeated on every retry, so that the
 * collector stores the event once.
 */
export function newEventId(nowMs: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let index = 0; index < 6; index++) {
    bytes[index] = Math.floor(nowMs / 2 ** (8 * (5 - index))) % 256;
  }
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A timestamp plus 96 random bits, in the closed alphabet of anonymous ids. */
export function newAnonymousId(nowMs: number): string {
  const random = crypto.getRandomValues(new Uint8Array(12));
  const hex = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${nowMs}-${hex}`;
}
