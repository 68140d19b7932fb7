import { randomBytes } from "node:crypto";

import { seal, SealBroken, unseal } from "@pro-talent/platform/crypto/seal";
import { deriveKey, keyIdOf } from "@pro-talent/platform/crypto/secrets";
import { beginFirstEpoch } from "@pro-talent/platform/keys/data-keys";
import { KeysUnavailable } from "@pro-talent/platform/keys/key-store";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";

import { dataKeyPlace, type KeySettings } from "./key-settings.ts";

const boundTo = "accounts service secret";
type Row = { wrapped: Buffer; wrapping_key_id: string };

/**
 * The secret of the service; the first start makes it, and the first epoch of keys. A database of a version
 * that had none keeps the ACCOUNTS_KEY of that time as its secret, so that its hashes and links stay valid.
 * @throws KeysUnavailable when the given keys are not those of the database
 */
export function openServiceSecret(sql: Sql, settings: KeySettings, nowMs: number): Promise<Buffer> {
  return sql.begin(async (tx) => {
    // Processes that start together make one secret and one epoch.
    await tx`select pg_advisory_xact_lock(hashtextextended('accounts keys', 0))`;
    const secret = await findSecret(tx, settings);
    await beginFirstEpoch(tx, dataKeyPlace(settings), nowMs);
    return secret ?? makeSecret(tx, settings);
  });
}

async function findSecret(
  tx: Queryable,
  { wrappingKeys }: KeySettings,
): Promise<Buffer | undefined> {
  const [row] = await tx<Row[]>`select wrapped, wrapping_key_id from accounts.service_secret`;
  if (row === undefined) return undefined;
  const key = wrappingKeys.find((candidate) => keyIdOf(candidate) === row.wrapping_key_id);
  if (key === undefined) throw new KeysUnavailable(["ACCOUNTS_KEY"]);
  return opened(key, row.wrapped, boundTo) ?? Promise.reject(new KeysUnavailable(["ACCOUNTS_KEY"]));
}

async function makeSecret(tx: Queryable, { wrappingKeys }: KeySettings): Promise<Buffer> {
  const [present] = wrappingKeys;
  const secret = (await secretOfFormerVersion(tx, wrappingKeys)) ?? randomBytes(32);
  await tx`
    insert into accounts.service_secret (wrapped, wrapping_key_id)
    values (${seal(present, secret, boundTo)}, ${keyIdOf(present)})`;
  return secret;
}

/** Of the given keys the one that former versions sealed with; undefined where nothing is sealed. */
async function secretOfFormerVersion(
  tx: Queryable,
  keys: readonly Buffer[],
): Promise<Buffer | undefined> {
  const [row] = await tx<{ sealed: Buffer; bound_to: string }[]>`
    (select sealed_email as sealed, account_id::text as bound_to from accounts.account limit 1)
    union all (select sealed_email, encode(token_hash, 'hex') from accounts.mail_token limit 1)
    union all (select sealed, mail_id::text from accounts.requested_mail limit 1)
    limit 1`;
  if (row === undefined) return undefined;
  const found = keys.find((key) => opened(formerSealingKey(key), row.sealed, row.bound_to));
  if (found === undefined) throw new KeysUnavailable(["ACCOUNTS_KEY"]);
  return found;
}

/** What versions before the keys of accounts sealed everything with. */
export const formerSealingKey = (secret: Buffer): Buffer => deriveKey(secret, "accounts-seal");

function opened(key: Buffer, sealed: Buffer, bound: string): Buffer | undefined {
  try {
    return unseal(key, sealed, bound);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

/**
 * Puts the secret and the key store under the present ACCOUNTS_KEY; may be repeated and interrupted.
 * @throws KeysUnavailable when a former key is needed that is not given
 */
export async function followAccountsKey(sql: Sql, settings: KeySettings): Promise<void> {
  const [present] = settings.wrappingKeys;
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended('accounts keys', 0))`;
    const secret = await findSecret(tx, settings);
    if (secret === undefined) return;
    await tx`
      update accounts.service_secret
         set wrapped = ${seal(present, secret, boundTo)}, wrapping_key_id = ${keyIdOf(present)}
       where wrapping_key_id <> ${keyIdOf(present)}`;
  });
  await settings.store.renew();
}

/** What still needs a former ACCOUNTS_KEY, in words. @throws KeysUnavailable */
export async function heldByFormerKey(sql: Sql, settings: KeySettings): Promise<string[]> {
  const [present] = settings.wrappingKeys;
  const rows = await sql<Row[]>`select wrapped, wrapping_key_id from accounts.service_secret`;
  const isHeld = rows.some((row) => row.wrapping_key_id !== keyIdOf(present));
  return [
    ...(isHeld ? ["the secret of the service"] : []),
    ...((await settings.store.isRenewed()) ? [] : ["the key store"]),
  ];
}
