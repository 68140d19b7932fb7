/** Longest address that mail servers carry (RFC 5321 §4.5.3.1.3, without the angle brackets). */
export const emailCharsMax = 254;

const shape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * Text, `@`, text, dot, text (specification §5). Only following a link that was sent there proves
 * that an address exists; this catches slips of the hand.
 */
export function looksLikeEmail(address: string): boolean {
  return address.length <= emailCharsMax && shape.test(address);
}
