import type { Queryable } from "@pro-talent/platform/postgres/pool";

import type { AccountKeys } from "../keys.ts";
import { newTotpSecret, stepOfCode } from "./totp.ts";

/** After which a set-up that no code confirmed is over. */
const setUpMs = 30 * 60_000;

/** A code that was typed for an account's authenticator. */
export type TypedCode = {
  readonly accountId: string;
  readonly code: string;
  readonly keys: AccountKeys;
  /** Milliseconds since 1970, by the server. */
  readonly nowMs: number;
};

type SecretRow = { sealed_secret: Buffer };

export const totpBoundTo = (accountId: string): string => `totp ${accountId}`;

/**
 * Begins to set up the authenticator of an account; what was begun before is over.
 * @returns its secret, or undefined when one is set up already
 */
export async function beginAuthenticator(
  sql: Queryable,
  { accountId, keys, nowMs }: Omit<TypedCode, "code">,
): Promise<Buffer | undefined> {
  const secret = newTotpSecret();
  const sealer = await keys.sealerOf(sql, accountId);
  const { count } = await sql`
    insert into accounts.totp as t (account_id, sealed_secret, begun_at)
    values (${accountId}, ${sealer.seal(secret, totpBoundTo(accountId))}, ${new Date(nowMs)})
    on conflict (account_id) do update
       set sealed_secret = excluded.sealed_secret, begun_at = excluded.begun_at
     where t.confirmed_at is null`;
  return count === 1 ? secret : undefined;
}

/** Confirms an authenticator with its first code, which is used up by that. */
export async function confirmAuthenticator(
  sql: Queryable,
  typed: TypedCode,
): Promise<"confirmed" | "wrong" | "ended"> {
  const { accountId, nowMs } = typed;
  const [row] = await sql<SecretRow[]>`
    select sealed_secret from accounts.totp
     where account_id = ${accountId} and confirmed_at is null
       and begun_at > ${new Date(nowMs - setUpMs)}`;
  if (row === undefined) return "ended";
  const step = await stepIn(sql, row, typed);
  if (step === undefined) return "wrong";
  const { count } = await sql`
    update accounts.totp set confirmed_at = ${new Date(nowMs)}, last_step = ${step}
     where account_id = ${accountId} and confirmed_at is null
       and sealed_secret = ${row.sealed_secret}`;
  return count === 1 ? "confirmed" : "ended";
}

/**
 * Whether a code of an account's authenticator is right. It counts once: of several that give it at the
 * same time, one succeeds.
 */
export async function useTotpCode(sql: Queryable, typed: TypedCode): Promise<boolean> {
  const { accountId } = typed;
  const [row] = await sql<SecretRow[]>`
    select sealed_secret from accounts.totp
     where account_id = ${accountId} and confirmed_at is not null`;
  const step = row && (await stepIn(sql, row, typed));
  if (step === undefined) return false;
  const { count } = await sql`
    update accounts.totp set last_step = ${step}
     where account_id = ${accountId} and last_step < ${step}`;
  return count === 1;
}

async function stepIn(
  sql: Queryable,
  { sealed_secret: sealed }: SecretRow,
  typed: TypedCode,
): Promise<number | undefined> {
  const { accountId, code, keys, nowMs } = typed;
  const sealer = await keys.sealerOf(sql, accountId);
  return stepOfCode(sealer.unseal(sealed, totpBoundTo(accountId)), code, nowMs);
}

export async function removeAuthenticator(sql: Queryable, accountId: string): Promise<void> {
  await sql`delete from accounts.totp where account_id = ${accountId}`;
}
