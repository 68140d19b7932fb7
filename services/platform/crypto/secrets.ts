import { createHash, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * A key of 32 bytes for one purpose, from a secret that has several (HKDF-SHA256, RFC 5869). A key
 * reveals neither the secret nor the keys of other labels.
 * @throws TypeError for a secret of less than 32 bytes
 */
export function deriveKey(secret: Buffer, label: string): Buffer {
  if (secret.length < 32) throw new TypeError("A secret to derive from has at least 32 bytes");
  return Buffer.from(hkdfSync("sha256", secret, Buffer.alloc(0), label, 32));
}

/** Compares secrets in constant time, whatever their lengths. */
export function secretsEqual(left: string | Uint8Array, right: string | Uint8Array): boolean {
  const digest = (secret: string | Uint8Array): Buffer =>
    createHash("sha256").update(secret).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Names a random key without revealing it: 8 hexadecimal digits of its SHA-256. */
export function keyIdOf(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}
