import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  KeyObject,
  randomBytes,
} from "node:crypto";

const algorithm = "aes-256-gcm";
const version = 1;
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + nonceBytes + tagBytes;

/** One that opens many things is taken over once, as a key object. */
export type SealKey = Buffer | KeyObject;

/** The key is another one, the bytes were changed, or they are bound to something else. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";

  constructor() {
    super("What was sealed cannot be opened");
  }
}

/**
 * Encrypts under a key of 32 bytes (AES-256-GCM): version ‖ nonce ‖ tag ‖ ciphertext. What it is
 * bound to (such as an id) is not part of the result, but opening requires the same again: sealed
 * bytes that were moved elsewhere do not open. Nonces are random, so a key is valid for 2^32 seals
 * (NIST SP 800-38D §8.3).
 * @throws TypeError for a key of another length
 */
export function seal(key: SealKey, plain: Uint8Array, boundTo: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, secretOf(key), nonce, { authTagLength: tagBytes });
  cipher.setAAD(associated(boundTo));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext]);
}

/**
 * Decrypts what was sealed under this key and bound to the same.
 * @throws SealBroken, without key or content; TypeError for a key of another length
 */
export function unseal(key: SealKey, sealed: Uint8Array, boundTo: string): Buffer {
  const secret = secretOf(key);
  if (sealed.length < headBytes || sealed[0] !== version) throw new SealBroken();
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv(algorithm, secret, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associated(boundTo));
  decipher.setAuthTag(sealed.subarray(1 + nonceBytes, headBytes));
  const plain = decipher.update(sealed.subarray(headBytes));
  try {
    decipher.final();
  } catch {
    // The cause is left out: nothing about the content may be in it.
    throw new SealBroken();
  }
  return plain;
}

/** The version is bound too, so that a later form can never be taken for this one. */
function associated(boundTo: string): Buffer {
  return Buffer.concat([Buffer.of(version), Buffer.from(boundTo, "utf8")]);
}

/** Node takes longer to look at the bytes of a key each time than to take them over first. */
function secretOf(key: SealKey): KeyObject {
  const secret = key instanceof KeyObject ? key : createSecretKey(key);
  if (secret.symmetricKeySize === keyBytes) return secret;
  throw new TypeError(`A key has ${keyBytes} bytes`);
}
