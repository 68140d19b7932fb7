import { createHash, timingSafeEqual } from "node:crypto";

/** Compares secrets in constant time, whatever their lengths. */
export function secretsEqual(left: string | Uint8Array, right: string | Uint8Array): boolean {
  const digest = (secret: string | Uint8Array): Buffer =>
    createHash("sha256").update(secret).digest();
  return timingSafeEqual(digest(left), digest(right));
}
