import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { accountLimits } from "@pro-talent/schemas/accounts/limits";
import { v7 as uuidV7 } from "uuid";

import type { AccountKeys } from "../keys.ts";
import type { StoredPasskey } from "./passkey-ceremonies.ts";

type Row = {
  passkey_id: string;
  account_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  backed_up: boolean;
  sealed_name: Buffer;
  created_at: Date;
  last_used_at: Date | null;
};

/** A passkey of an account. */
export type Passkey = StoredPasskey & {
  readonly passkeyId: string;
  readonly accountId: string;
  readonly name: string;
  /** Its provider synchronises it between devices. */
  readonly synced: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** The rows of passkeys; their names are sealed. */
export class Passkeys {
  readonly #keys: AccountKeys;

  constructor(keys: AccountKeys) {
    this.#keys = keys;
  }

  async ofAccount(sql: Queryable, accountId: string): Promise<Passkey[]> {
    const rows = await sql<Row[]>`
      select * from accounts.passkey where account_id = ${accountId} order by created_at`;
    if (rows.length === 0) return [];
    const sealer = await this.#keys.sealerOf(sql, accountId);
    return rows.map((row) => read(sealer, row));
  }

  /** Of an open account alone: one that is banned or closed signs in by no means. */
  async withCredential(sql: Queryable, credentialId: string): Promise<Passkey | undefined> {
    const [row] = await sql<Row[]>`
      select p.* from accounts.passkey p join accounts.account a on a.account_id = p.account_id
       where p.credential_id = ${credentialId} and a.status = 'open'`;
    return row && read(await this.#keys.sealerOf(sql, row.account_id), row);
  }

  /**
   * Adds a passkey; inside a transaction that holds the account's row.
   * @returns its id, or undefined when the account has the most already, or the credential is known
   */
  async add(
    sql: Queryable,
    passkey: StoredPasskey & {
      readonly accountId: string;
      readonly backedUp: boolean;
      readonly name: string;
      readonly nowMs: number;
    },
  ): Promise<string | undefined> {
    const { accountId, credentialId, publicKey, counter, transports, backedUp } = passkey;
    const passkeyId = uuidV7();
    const name = sealName(await this.#keys.sealerOf(sql, accountId), passkeyId, passkey.name);
    const { count } = await sql`
      insert into accounts.passkey (passkey_id, account_id, credential_id, public_key, counter,
                                    transports, backed_up, sealed_name, created_at)
      select ${passkeyId}, ${accountId}, ${credentialId}, ${publicKey}, ${counter},
             ${transports}::text[], ${backedUp}, ${name}, ${new Date(passkey.nowMs)}
       where (select count(*) from accounts.passkey where account_id = ${accountId})
             < ${accountLimits.passkeysMax}::int
      on conflict (credential_id) do nothing`;
    return count === 1 ? passkeyId : undefined;
  }

  /**
   * Notes a use, unless another use with this counter, or a later one, was noted meanwhile.
   * @returns whether it counts
   */
  async use(
    sql: Queryable,
    passkeyId: string,
    { counter, backedUp, nowMs }: { counter: number; backedUp: boolean; nowMs: number },
  ): Promise<boolean> {
    const { count } = await sql`
      update accounts.passkey
         set counter = ${counter}, backed_up = ${backedUp}, last_used_at = ${new Date(nowMs)}
       where passkey_id = ${passkeyId} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`;
    return count === 1;
  }

  /** @returns whether the account has it */
  async rename(
    sql: Queryable,
    { accountId, passkeyId, name }: { accountId: string; passkeyId: string; name: string },
  ): Promise<boolean> {
    const sealer = await this.#keys.sealerOf(sql, accountId);
    const { count } = await sql`
      update accounts.passkey set sealed_name = ${sealName(sealer, passkeyId, name)}
       where passkey_id = ${passkeyId} and account_id = ${accountId}`;
    return count === 1;
  }

  /** @returns whether the account had it */
  async remove(sql: Queryable, accountId: string, passkeyId: string): Promise<boolean> {
    const { count } = await sql`
      delete from accounts.passkey where passkey_id = ${passkeyId} and account_id = ${accountId}`;
    return count === 1;
  }
}

function sealName(sealer: Sealer, passkeyId: string, name: string): Buffer {
  return sealer.seal(Buffer.from(name), passkeyBoundTo(passkeyId));
}

function read(sealer: Sealer, row: Row): Passkey {
  return {
    passkeyId: row.passkey_id,
    accountId: row.account_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: row.transports,
    name: sealer.unseal(row.sealed_name, passkeyBoundTo(row.passkey_id)).toString(),
    synced: row.backed_up,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

export const passkeyBoundTo = (passkeyId: string): string => `passkey ${passkeyId}`;
