import { createHmac, randomBytes } from "node:crypto";

import { seal, unseal } from "@pro-talent/platform/crypto/seal";
import { deriveKey } from "@pro-talent/platform/crypto/secrets";
import { KeysUnavailable } from "@pro-talent/platform/keys/key-store";
import { normaliseEmail } from "@pro-talent/platform/mail/normalise-email";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";
import type { z } from "zod";

import { handleSkeleton } from "./handles.ts";
import type { KeySettings } from "./key-settings.ts";
import { openServiceSecret } from "./service-secret.ts";

/** Seals what is one person's; gone with the key of their account. */
export type Sealer = {
  /** Names the key. */
  readonly keyId: string;
  /** Encrypts, bound to the row that it is in. */
  readonly seal: (plain: Uint8Array, boundTo: string) => Buffer;
  /** @throws SealBroken */
  readonly unseal: (sealed: Uint8Array, boundTo: string) => Buffer;
};

/** The keys of the service; each purpose has one of its own. */
export type AccountKeys = {
  /** @throws KeyMissing when there is no such key; KeysUnavailable */
  readonly sealerOf: (sql: Queryable, keyId: string) => Promise<Sealer>;
  /**
   * The same, with a new key where there is none: of an account that is opened in this transaction, or of a
   * mail.
   */
  readonly sealerFor: (
    sql: Queryable,
    of: { readonly accountId: string } | { readonly mailId: string },
    nowMs: number,
  ) => Promise<Sealer>;
  /** @throws KeysUnavailable when the epoch in use is not in the key store */
  readonly requireUsable: (sql: Queryable) => Promise<void>;
  /** Finds an account by its address: the same for all spellings that are one address. */
  readonly addressHash: (email: string) => Buffer;
  /** The same for all handles that look alike. */
  readonly handleHash: (handle: string) => Buffer;
  /** Of what is compared only, such as a network or a device; `use` keeps the uses apart. */
  readonly keyedHash: (use: string, text: string) => Buffer;
  /** The proof in the token of a mailed link. */
  readonly proofOf: (claim: string) => Buffer;
  /** Part of every password hash, so that a copy of the database alone cannot be searched. */
  readonly pepper: Buffer;
  /** What the keys are derived from. */
  readonly secret: Buffer;
};

/** The key was destroyed with its account, or the row is of a former version and not sealed anew yet. */
export class KeyMissing extends Error {
  override readonly name = "KeyMissing";
}

/**
 * The keys of a process. The first start makes them.
 * @param sql a pool of the role `accounts_app`, or of the owner
 * @throws KeysUnavailable when the given keys are not those of the database
 */
export async function openAccountKeys(
  sql: Sql,
  settings: KeySettings,
  nowMs: number,
): Promise<AccountKeys> {
  const secret = await openServiceSecret(sql, settings, nowMs);
  const keyFor = (purpose: string): Buffer => deriveKey(secret, `accounts-${purpose}`);
  const [address, handle, hashing, proving] = [
    keyFor("address"),
    keyFor("handle"),
    keyFor("hash"),
    keyFor("mail"),
  ];
  const hmac = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  return {
    ...dataKeys(settings),
    addressHash: (email) => hmac(address, normaliseEmail(email)),
    handleHash: (given) => hmac(handle, handleSkeleton(given)),
    keyedHash: (use, text) => hmac(hashing, `${use}\n${text}`),
    proofOf: (claim) => hmac(proving, claim),
    pepper: keyFor("password"),
    secret,
  };
}

type Row = { wrapped: Buffer; epoch_id: string };

function dataKeys({
  store,
}: KeySettings): Pick<AccountKeys, "sealerOf" | "sealerFor" | "requireUsable"> {
  const find = async (sql: Queryable, keyId: string): Promise<Sealer | undefined> => {
    const [row] = await sql<Row[]>`
      select wrapped, epoch_id from accounts.data_key where key_id = ${keyId}`;
    return row && sealerWith(keyId, await store.unwrap(row.epoch_id, row.wrapped, keyId));
  };
  const sealerOf: AccountKeys["sealerOf"] = async (sql, keyId) => {
    const sealer = await find(sql, keyId);
    if (sealer === undefined) throw new KeyMissing("A key of an account or a mail is missing");
    return sealer;
  };
  return {
    sealerOf,
    sealerFor: async (sql, of, nowMs) => {
      const [keyId, accountId] = "mailId" in of ? [of.mailId, null] : [of.accountId, of.accountId];
      const known = await find(sql, keyId);
      if (known !== undefined) return known;
      const epoch = await epochInUse(sql);
      const wrapped = await store.wrap(epoch, randomBytes(32), keyId);
      await sql`
        insert into accounts.data_key (key_id, account_id, wrapped, epoch_id, created_at)
        values (${keyId}, ${accountId}::uuid, ${wrapped}, ${epoch}, ${new Date(nowMs)})
        on conflict (key_id) do nothing`;
      return sealerOf(sql, keyId);
    },
    requireUsable: async (sql) => {
      const epoch = await epochInUse(sql);
      const isKnown = (await store.epochs()).some(({ id }) => id === epoch);
      if (!isKnown) throw new KeysUnavailable(["ACCOUNTS_KEY_STORE"]);
    },
  };
}

/** The newest one that has begun. */
async function epochInUse(sql: Queryable): Promise<string> {
  const [row] = await sql<{ key_id: string }[]>`
    select key_id from accounts.key_epoch order by used_from desc, key_id limit 1`;
  if (row === undefined) throw new KeysUnavailable(["ACCOUNTS_KEY_STORE"]);
  return row.key_id;
}

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
