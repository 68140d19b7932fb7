import { createHmac } from "node:crypto";

import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import { deriveKey } from "@pro-talent/platform/crypto/secrets";
import { dataKeysOf } from "@pro-talent/platform/keys/data-keys";
import { normaliseEmail } from "@pro-talent/platform/mail/normalise-email";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";

import { handleSkeleton } from "./handles.ts";
import { dataKeyPlace, type KeySettings } from "./key-settings.ts";
import { openServiceSecret } from "./service-secret.ts";

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

function dataKeys({
  store,
}: KeySettings): Pick<AccountKeys, "sealerOf" | "sealerFor" | "requireUsable"> {
  const own = dataKeysOf(dataKeyPlace({ store }));
  return {
    ...own,
    sealerFor: async (sql, of, nowMs) => {
      const [keyId, accountId] = "mailId" in of ? [of.mailId, null] : [of.accountId, of.accountId];
      const known = await own.find(sql, keyId);
      if (known !== undefined) return known;
      const { wrapped, epochId } = await own.make(sql, keyId);
      await sql`
        insert into accounts.data_key (key_id, account_id, wrapped, epoch_id, created_at)
        values (${keyId}, ${accountId}::uuid, ${wrapped}, ${epochId}, ${new Date(nowMs)})
        on conflict (key_id) do nothing`;
      return own.sealerOf(sql, keyId);
    },
  };
}
