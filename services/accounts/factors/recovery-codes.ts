import { createHash, randomBytes } from "node:crypto";

import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { accountLimits } from "@pro-talent/schemas/accounts/limits";

import { crockfordDigits, toBase32 } from "./base32.ts";

/** 80 bits: too many to guess, so that a plain hash is enough at rest (ASVS 5.0, 6.5.2). */
const codeBytes = 10;

/** New codes, as they are shown once: `7ZK4-0QXE-…`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: accountLimits.recoveryCodes }, () => {
    const code = toBase32(randomBytes(codeBytes), crockfordDigits);
    return (code.match(/.{4}/g) ?? []).join("-");
  });
}

/** What is stored of a code. Case and separators do not count, and O is read as 0, I and L as 1. */
export function recoveryCodeHash(typed: string): Buffer {
  const code = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
  return createHash("sha256").update(code).digest();
}

/**
 * Replaces the recovery codes of an account; inside a transaction.
 * @returns the new ones, which are not kept
 */
export async function replaceRecoveryCodes(sql: Queryable, accountId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => recoveryCodeHash(code).toString("hex"));
  await removeRecoveryCodes(sql, accountId);
  await sql`
    insert into accounts.recovery_code (account_id, code_hash)
    select ${accountId}::uuid, decode(hash, 'hex') from unnest(${hashes}::text[]) as hash`;
  return codes;
}

/** Whether a recovery code is right. It counts once, however many give it at the same time. */
export async function useRecoveryCode(
  sql: Queryable,
  { accountId, code, nowMs }: { accountId: string; code: string; nowMs: number },
): Promise<boolean> {
  const { count } = await sql`
    update accounts.recovery_code set used_at = ${new Date(nowMs)}
     where account_id = ${accountId} and code_hash = ${recoveryCodeHash(code)}
       and used_at is null`;
  return count === 1;
}

export async function removeRecoveryCodes(sql: Queryable, accountId: string): Promise<void> {
  await sql`delete from accounts.recovery_code where account_id = ${accountId}`;
}
