import { randomBytes } from "node:crypto";

import { ContactReference } from "@pro-talent/schemas/contact/events";

/** Crockford's base 32: no I, L, O and U, which are mistaken for others or make words. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** What a sender quotes: 40 random bits, so that a thousand messages a day do not collide for years. */
export function newReference(): ContactReference {
  return referenceOf(randomBytes(5));
}

/** The reference of five bytes: `PT-XXXX-XXXX`. */
export function referenceOf(bytes: Buffer): ContactReference {
  let rest = bytes.readUIntBE(0, 5);
  let digits = "";
  for (let place = 0; place < 8; place += 1) {
    digits = alphabet.charAt(rest % 32) + digits;
    rest = Math.floor(rest / 32);
  }
  return `PT-${digits.slice(0, 4)}-${digits.slice(4)}`;
}

/** The reference that was typed, with characters that are easily mistaken corrected (Crockford). */
export function typedReference(text: string): ContactReference | undefined {
  const digits = text
    .toUpperCase()
    .replace(/^\s*PT[\s-]*/, "")
    .replaceAll(/[\s-]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
  const parsed = ContactReference.safeParse(`PT-${digits.slice(0, 4)}-${digits.slice(4)}`);
  return parsed.success ? parsed.data : undefined;
}
