import { createHmac } from "node:crypto";

import { SealBroken, unseal } from "@pro-talent/platform/crypto/seal";
import { keyIdOf } from "@pro-talent/platform/crypto/secrets";
import { EpochUnknown, type KeyStore, KeysUnavailable } from "@pro-talent/platform/keys/key-store";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

/** The keys of a process. Of several, the first is the present one; the others are former ones. */
export type LedgerKeys = {
  readonly store: KeyStore;
  /** They seal the key store; versions before it wrapped keys of subjects under them directly. */
  readonly wrappingKeys: readonly [Buffer, ...Buffer[]];
  /** They make the hashes by which addresses are found, and the tokens of mails. */
  readonly lookupKeys: readonly [Buffer, ...Buffer[]];
};

/** An epoch as the database has it. */
export type RegisteredEpoch = {
  readonly id: string;
  readonly usedFromMs: number;
  /** Null for a wrapping key, under which former versions wrapped directly. */
  readonly proof: Buffer | null;
  readonly lost: boolean;
  /** Whether a subject's key is wrapped under it. */
  readonly named: boolean;
};

const knownText = Buffer.from("A known text of the ledger's key check", "utf8");
const boundTo = (id: string): string => `ledger key check ${id}`;

/** The epochs that the database knows, the one in use last; former wrapping keys come first. */
export async function registeredEpochs(sql: Queryable): Promise<readonly RegisteredEpoch[]> {
  return await sql<RegisteredEpoch[]>`
    select e.key_id as id, floor(extract(epoch from e.used_from) * 1000)::bigint as "usedFromMs",
           e.proof, e.lost_at is not null as lost,
           exists (select from ledger.subject s where s.wrapping_key_id = e.key_id) as named
      from ledger.key_epoch e order by e.proof is not null, e.used_from, e.key_id`;
}

/** The epoch in use: the newest with a key that is not lost. */
export function epochInUse(epochs: readonly RegisteredEpoch[]): RegisteredEpoch | undefined {
  return epochs.findLast(({ proof, lost }) => proof !== null && !lost);
}

/** A known text under the key of an epoch. */
export function proveEpoch(store: KeyStore, id: string): Promise<Buffer> {
  return store.wrap(id, knownText, boundTo(id));
}

/**
 * Compares the keys of this process with what the ledger knows of its own. With `begin` an empty ledger
 * takes the given keys as its own, and a new lookup key beside a known one.
 * @returns the id of the epoch in use; empty for an empty ledger without `begin`
 * @throws KeysUnavailable naming every setting that is wrong; nothing was sealed then
 */
export async function checkKeys(sql: Queryable, keys: LedgerKeys, begin = true): Promise<string> {
  const settings: string[] = [];
  const collect = (error: unknown): undefined => {
    if (!(error instanceof KeysUnavailable)) throw error;
    settings.push(...error.settings);
  };
  const knowsLookup = await checkLookupKey(sql, keys, begin).catch(collect);
  const current = await checkEpochs(sql, keys).catch(collect);
  if (settings.length > 0) throw new KeysUnavailable(settings);
  if (!begin || (current !== undefined && knowsLookup === true)) return current ?? "";
  // Only now, since an instance of a former version has no proof of its lookup key.
  await beginKeys(sql, keys);
  return checkKeys(sql, keys);
}

/** Epochs that are needed and whose key this process does not have. @throws KeysUnavailable */
export async function missingEpochs(sql: Queryable, keys: LedgerKeys): Promise<readonly string[]> {
  // In this order: an epoch is in the store before it is registered, and another process may begin one now.
  const epochs = (await registeredEpochs(sql)).filter(({ lost }) => !lost);
  const known = new Set((await keys.store.epochs()).map(({ id }) => id));
  for (const key of keys.wrappingKeys) known.add(keyIdOf(key));
  const current = epochInUse(epochs);
  const needed = epochs.filter(({ id, named }) => named || id === current?.id);
  return needed.map(({ id }) => id).filter((id) => !known.has(id));
}

/** @returns whether the ledger has a lookup key: not before its first start, nor after an accepted loss */
async function checkLookupKey(
  sql: Queryable,
  { lookupKeys }: LedgerKeys,
  begin: boolean,
): Promise<boolean> {
  const rows = await sql<{ proof: Buffer }[]>`
    select proof from ledger.lookup_key where lost_at is null`;
  const knows = (key: Buffer): boolean => rows.some(({ proof }) => proof.equals(lookupProof(key)));
  const [present] = lookupKeys;
  if (rows.length === 0 || knows(present)) return rows.length > 0;
  const former = lookupKeys.find(knows);
  if (former === undefined) throw new KeysUnavailable(["LEDGER_LOOKUP_KEY"]);
  if (begin) {
    await sql`select ledger.follow_lookup_key(
      ${keyIdOf(present)}, ${lookupProof(present)}, ${lookupProof(former)})`;
  }
  return true;
}

function lookupProof(key: Buffer): Buffer {
  return createHmac("sha256", key).update(knownText).digest();
}

/** @returns the epoch in use; undefined when the ledger has none yet */
async function checkEpochs(sql: Queryable, keys: LedgerKeys): Promise<string | undefined> {
  const epochs = (await registeredEpochs(sql)).filter(({ lost }) => !lost);
  const missing = await missingEpochs(sql, keys);
  const isWrappingKey = ({ id, proof }: RegisteredEpoch): boolean =>
    proof === null && missing.includes(id);
  if (epochs.some(isWrappingKey)) throw new KeysUnavailable(["LEDGER_WRAPPING_KEY"]);
  if (missing.length > 0) throw new KeysUnavailable(["LEDGER_KEY_STORE"]);
  const current = epochInUse(epochs);
  if (current === undefined) return undefined;
  const plain = await keys.store
    .unwrap(current.id, current.proof ?? Buffer.of(), boundTo(current.id))
    .catch((cause: unknown) => {
      if (!(cause instanceof SealBroken || cause instanceof EpochUnknown)) throw cause;
      throw new KeysUnavailable(["LEDGER_KEY_STORE"], { cause });
    });
  if (!plain.equals(knownText)) throw new KeysUnavailable(["LEDGER_KEY_STORE"]);
  return current.id;
}

/**
 * Takes the keys of this process for a ledger without any. What a start that was interrupted left in
 * the store is used.
 */
async function beginKeys(sql: Queryable, keys: LedgerKeys): Promise<void> {
  await checkOldestSubject(sql, keys);
  const [row] = await sql<{ now_ms: number }[]>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`;
  const at = instantFromMs(row?.now_ms ?? 0);
  const newest = (await keys.store.epochs()).at(-1) ?? (await keys.store.begin(at, undefined));
  const [lookupKey] = keys.lookupKeys;
  await sql`select ledger.begin_keys(${newest.id}, ${at}, ${await proveEpoch(keys.store, newest.id)},
    ${keyIdOf(lookupKey)}, ${lookupProof(lookupKey)})`;
}

/** The id of a wrapping key is short: one key of a former version is really opened. */
async function checkOldestSubject(sql: Queryable, { wrappingKeys }: LedgerKeys): Promise<void> {
  const [row] = await sql<{ subject_id: string; wrapped_key: Buffer; wrapping_key_id: string }[]>`
    select s.subject_id, s.wrapped_key, s.wrapping_key_id
      from ledger.subject s join ledger.key_epoch e on e.key_id = s.wrapping_key_id
     where e.proof is null and e.lost_at is null limit 1`;
  const key = wrappingKeys.find((candidate) => keyIdOf(candidate) === row?.wrapping_key_id);
  if (row === undefined) return;
  try {
    unseal(key ?? Buffer.alloc(32), row.wrapped_key, row.subject_id);
  } catch (cause) {
    throw new KeysUnavailable(["LEDGER_WRAPPING_KEY"], { cause });
  }
}
