/** RFC 4648 §6: what authenticator apps read. */
export const base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** Crockford's: without I, L and O, which are taken for digits, and without U. */
export const crockfordDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Bytes as text, five bits to a character, without padding.
 * @param bytes a multiple of five bytes
 */
export function toBase32(bytes: Uint8Array, digits: string): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const fives = bits.match(/.{5}/g) ?? [];
  return fives.map((five) => digits[Number.parseInt(five, 2)]).join("");
}
