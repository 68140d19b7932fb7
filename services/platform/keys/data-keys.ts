import { randomBytes } from "node:crypto";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { type Sealer, sealerWith } from "../crypto/sealer.ts";
import type { Queryable } from "../postgres/pool.ts";
import { type KeyStore, KeysUnavailable } from "./key-store.ts";

/** The key was destroyed with its account, or the row is of a former version and not sealed anew yet. */
export class KeyMissing extends Error {
  override readonly name = "KeyMissing";
}

/** A key as its row has it. */
type Wrapped = { readonly wrapped: Buffer; readonly epochId: string };

/** Keys that protect one person's data each, wrapped under keys of epochs, in a schema's table `data_key`. */
export type DataKeys = {
  /** Undefined where there is no such key. @throws KeysUnavailable */
  readonly find: (sql: Queryable, keyId: string) => Promise<Sealer | undefined>;
  /** @throws KeyMissing when there is no such key; KeysUnavailable */
  readonly sealerOf: (sql: Queryable, keyId: string) => Promise<Sealer>;
  /** A new key under the epoch in use, for the row that the caller inserts. @throws KeysUnavailable */
  readonly make: (sql: Queryable, keyId: string) => Promise<Wrapped>;
  /** @throws KeysUnavailable when the epoch in use is not in the key store */
  readonly requireUsable: (sql: Queryable) => Promise<void>;
};

export type DataKeyPlace = {
  /** Has the tables `data_key` and `key_epoch`. */
  readonly schema: string;
  readonly store: KeyStore;
  /** The setting that says where the store is. */
  readonly setting: string;
};

/** The keys of a schema. */
export function dataKeysOf({ schema, store, setting }: DataKeyPlace): DataKeys {
  const epochInUse = async (sql: Queryable): Promise<string> => {
    const [row] = await sql<{ key_id: string }[]>`
      select key_id from ${sql(`${schema}.key_epoch`)} order by used_from desc, key_id limit 1`;
    if (row === undefined) throw new KeysUnavailable([setting]);
    return row.key_id;
  };
  const find: DataKeys["find"] = async (sql, keyId) => {
    const [row] = await sql<{ wrapped: Buffer; epoch_id: string }[]>`
      select wrapped, epoch_id from ${sql(`${schema}.data_key`)} where key_id = ${keyId}`;
    return row && sealerWith(keyId, await store.unwrap(row.epoch_id, row.wrapped, keyId));
  };
  return {
    find,
    sealerOf: async (sql, keyId) => {
      const sealer = await find(sql, keyId);
      if (sealer === undefined) throw new KeyMissing(`A key of the schema ${schema} is missing`);
      return sealer;
    },
    make: async (sql, keyId) => {
      const epochId = await epochInUse(sql);
      return { epochId, wrapped: await store.wrap(epochId, randomBytes(32), keyId) };
    },
    requireUsable: async (sql) => {
      const epoch = await epochInUse(sql);
      const isKnown = (await store.epochs()).some(({ id }) => id === epoch);
      if (!isKnown) throw new KeysUnavailable([setting]);
    },
  };
}

/**
 * Registers the first epoch of a schema, under a lock that the caller holds. What a start that was interrupted
 * left in the store is used.
 */
export async function beginFirstEpoch(
  tx: Queryable,
  { schema, store }: DataKeyPlace,
  nowMs: number,
): Promise<void> {
  const table = tx(`${schema}.key_epoch`);
  const [row] = await tx`select from ${table} limit 1`;
  if (row !== undefined) return;
  const { id } =
    (await store.epochs()).at(-1) ?? (await store.begin(instantFromMs(nowMs), undefined));
  await tx`insert into ${table} (key_id, used_from) values (${id}, ${new Date(nowMs)})`;
}
