import type { z } from "zod";

import { seal, unseal } from "./seal.ts";

/** Seals what is one person's; gone with their key. */
export type Sealer = {
  /** Names the key. */
  readonly keyId: string;
  /** Encrypts, bound to the row that it is in. */
  readonly seal: (plain: Uint8Array, boundTo: string) => Buffer;
  /** @throws SealBroken */
  readonly unseal: (sealed: Uint8Array, boundTo: string) => Buffer;
};

/** @param key of 32 bytes */
export function sealerWith(keyId: string, key: Buffer): Sealer {
  return {
    keyId,
    seal: (plain, boundTo) => seal(key, plain, boundTo),
    unseal: (sealed, boundTo) => unseal(key, sealed, boundTo),
  };
}

/** Seals a value as JSON. */
export function sealJson(sealer: Sealer, value: object, boundTo: string): Buffer {
  return sealer.seal(Buffer.from(JSON.stringify(value)), boundTo);
}

/** Opens and parses what {@link sealJson} sealed. @throws SealBroken, ZodError */
export function unsealJson<Schema extends z.ZodType>(
  sealer: Sealer,
  schema: Schema,
  sealed: Uint8Array,
  boundTo: string,
): z.output<Schema> {
  return schema.parse(JSON.parse(sealer.unseal(sealed, boundTo).toString("utf8")));
}
