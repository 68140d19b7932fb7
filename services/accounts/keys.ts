import { createHmac } from "node:crypto";

import { seal, unseal } from "@pro-talent/platform/crypto/seal";
import { deriveKey } from "@pro-talent/platform/crypto/secrets";
import { normaliseEmail } from "@pro-talent/platform/mail/normalise-email";
import type { z } from "zod";

/** What the service does with its one secret; each purpose has a key of its own. */
export type AccountKeys = {
  /** Encrypts what identifies a person, bound to the row that it is in. */
  readonly seal: (plain: Uint8Array, boundTo: string) => Buffer;
  /** @throws SealBroken */
  readonly unseal: (sealed: Uint8Array, boundTo: string) => Buffer;
  /** Finds an account by its address: the same for all spellings that are one address. */
  readonly addressHash: (email: string) => Buffer;
  /** Of what is compared only, such as a network or a device; `use` keeps the uses apart. */
  readonly keyedHash: (use: string, text: string) => Buffer;
  /** The proof in the token of a mailed link. */
  readonly proofOf: (claim: string) => Buffer;
  /** Part of every password hash, so that a copy of the database alone cannot be searched. */
  readonly pepper: Buffer;
};

/** @param secret of at least 32 bytes */
export function openAccountKeys(secret: Buffer): AccountKeys {
  const [sealing, lookup] = [
    deriveKey(secret, "accounts-seal"),
    deriveKey(secret, "accounts-address"),
  ];
  const [hashing, proving] = [
    deriveKey(secret, "accounts-hash"),
    deriveKey(secret, "accounts-mail"),
  ];
  const hmac = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  return {
    seal: (plain, boundTo) => seal(sealing, plain, boundTo),
    unseal: (sealed, boundTo) => unseal(sealing, sealed, boundTo),
    addressHash: (email) => hmac(lookup, normaliseEmail(email)),
    keyedHash: (use, text) => hmac(hashing, `${use}\n${text}`),
    proofOf: (claim) => hmac(proving, claim),
    pepper: deriveKey(secret, "accounts-password"),
  };
}

/** Seals a value as JSON. */
export function sealJson(keys: AccountKeys, value: object, boundTo: string): Buffer {
  return keys.seal(Buffer.from(JSON.stringify(value)), boundTo);
}

/** Opens and parses what {@link sealJson} sealed. @throws SealBroken, ZodError */
export function unsealJson<Schema extends z.ZodType>(
  keys: AccountKeys,
  schema: Schema,
  sealed: Uint8Array,
  boundTo: string,
): z.output<Schema> {
  return schema.parse(JSON.parse(keys.unseal(sealed, boundTo).toString("utf8")));
}
