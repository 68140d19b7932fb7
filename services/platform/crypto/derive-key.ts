import { hkdfSync } from "node:crypto";

/**
 * A key of 32 bytes for one purpose, from a secret that has several (HKDF-SHA256, RFC 5869). Keys
 * of different labels tell nothing about each other, nor about the secret.
 */
export function deriveKey(secret: Buffer, label: string): Buffer {
  if (secret.length < 32) throw new TypeError("A secret to derive from has at least 32 bytes");
  return Buffer.from(hkdfSync("sha256", secret, Buffer.alloc(0), label, 32));
}
