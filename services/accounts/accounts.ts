import { type Sealer, sealJson, unsealJson } from "@pro-talent/platform/crypto/sealer";
import type { Queryable, Transaction } from "@pro-talent/platform/postgres/pool";
import { Profile } from "@pro-talent/schemas/accounts/profile";
import { type Role, roles } from "@pro-talent/schemas/primitives/access";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { z } from "zod";

import type { AccountKeys } from "./keys.ts";

/** What is encrypted of a profile; the rest of it is in columns. */
const Sealed = Profile.omit({ language: true, timeZone: true });
const SealedEmail = z.object({ email: z.string() });

export type Holder = {
  readonly accountId: string;
  readonly email: string;
  readonly profile: Profile;
  readonly roles: readonly Role[];
  readonly hasPhoto: boolean;
  readonly createdMs: number;
};

/** What a sign-in needs of an account. */
export type Credentials = {
  readonly accountId: string;
  readonly passwordHash: string;
  /** False for one that is banned or closed. */
  readonly isOpen: boolean;
};

/** SQLSTATE of a value that another row has. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "23505";

/** The account of an address, by the keyed hash of it. */
export async function findCredentials(
  sql: Queryable,
  addressHash: Buffer,
): Promise<Credentials | undefined> {
  const [row] = await sql<{ account_id: string; password_hash: string; status: string }[]>`
    select account_id, password_hash, status from accounts.account
     where address_hash = ${addressHash}`;
  return (
    row && {
      accountId: row.account_id,
      passwordHash: row.password_hash,
      isOpen: row.status === "open",
    }
  );
}

/** The address of an account as its holder proved it, which a spelling that finds it need not be. */
export async function addressOf(
  sql: Queryable,
  keys: AccountKeys,
  accountId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ sealed_email: Buffer }[]>`
    select sealed_email from accounts.account where account_id = ${accountId}`;
  if (row === undefined) return undefined;
  const sealer = await keys.sealerOf(sql, accountId);
  return unsealJson(sealer, SealedEmail, row.sealed_email, accountId).email;
}

/** The password's hash of a signed-in account. */
export async function passwordHashOf(
  sql: Queryable,
  accountId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ password_hash: string }[]>`
    select password_hash from accounts.account where account_id = ${accountId}`;
  return row?.password_hash;
}

type Row = {
  sealed_email: Buffer;
  sealed_profile: Buffer;
  language: Locale;
  time_zone: string;
  roles: string[];
  has_photo: boolean;
  created_at: Date;
};

/** An open account, as its holder sees it; undefined when it is banned, closed or gone. */
export async function readHolder(
  sql: Queryable,
  keys: AccountKeys,
  accountId: string,
  statuses: readonly ("open" | "closed")[] = ["open"],
): Promise<Holder | undefined> {
  const [row] = await sql<Row[]>`
    select a.*, p.account_id is not null as has_photo
      from accounts.account a left join accounts.photo p on p.account_id = a.account_id
     where a.account_id = ${accountId} and a.status = any (${[...statuses]})`;
  if (row === undefined) return undefined;
  const { language, time_zone: timeZone } = row;
  const sealer = await keys.sealerOf(sql, accountId);
  return {
    accountId,
    email: unsealJson(sealer, SealedEmail, row.sealed_email, accountId).email,
    profile: {
      ...unsealJson(sealer, Sealed, row.sealed_profile, accountId),
      language,
      timeZone,
    },
    roles: roles.filter((role) => row.roles.includes(role)),
    hasPhoto: row.has_photo,
    createdMs: row.created_at.getTime(),
  };
}

export type NewAccount = {
  readonly accountId: string;
  readonly email: string;
  readonly profile: Pick<Profile, "fullName" | "language" | "timeZone">;
  readonly passwordHash: string;
  readonly nowMs: number;
};

/**
 * Opens an account, in a transaction.
 * @throws an error that {@link isTaken} recognises when the address has one
 */
export async function insertAccount(
  sql: Transaction,
  keys: AccountKeys,
  { accountId, email, profile, passwordHash, nowMs }: NewAccount,
): Promise<void> {
  const { fullName, language, timeZone } = profile;
  const sealer = await keys.sealerFor(sql, { accountId }, nowMs);
  await sql`
    insert into accounts.account
      (account_id, address_hash, sealed_email, sealed_profile, language, time_zone, password_hash,
       created_at)
    values (${accountId}, ${keys.addressHash(email)}, ${sealJson(sealer, { email }, accountId)},
            ${sealJson(sealer, { fullName, phone: "", address: "", handle: null }, accountId)}, ${language},
            ${timeZone}, ${passwordHash}, ${new Date(nowMs)})`;
}

/** Changes the address. @throws an error that {@link isTaken} recognises when another account has it */
export async function changeAddress(
  sql: Queryable,
  keys: AccountKeys,
  accountId: string,
  email: string,
): Promise<void> {
  const sealer = await keys.sealerOf(sql, accountId);
  await sql`
    update accounts.account set address_hash = ${keys.addressHash(email)},
           sealed_email = ${sealJson(sealer, { email }, accountId)}
     where account_id = ${accountId}`;
}

export async function changePassword(
  sql: Queryable,
  accountId: string,
  passwordHash: string,
): Promise<void> {
  await sql`
    update accounts.account set password_hash = ${passwordHash} where account_id = ${accountId}`;
}

/** Keeps other transactions from changing an account until this one ends. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx`select from accounts.account where account_id = ${accountId} for update`;
}

/**
 * Writes a profile as a whole.
 * @throws an error that {@link isTaken} recognises when another account has such a handle
 */
export async function writeProfile(
  sql: Queryable,
  keys: AccountKeys,
  accountId: string,
  profile: Profile,
): Promise<void> {
  const { language, timeZone } = profile;
  const sealed = sealProfile(await keys.sealerOf(sql, accountId), accountId, profile);
  await sql`
    update accounts.account
       set sealed_profile = ${sealed}, language = ${language}, time_zone = ${timeZone},
           handle_hash = ${profile.handle && keys.handleHash(profile.handle)}::bytea
     where account_id = ${accountId}`;
}

/** The sealed part of a profile. */
export function sealProfile(
  sealer: Sealer,
  accountId: string,
  { fullName, phone, address, handle }: z.input<typeof Sealed>,
): Buffer {
  return sealJson(sealer, { fullName, phone, address, handle }, accountId);
}
