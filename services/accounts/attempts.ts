import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";

import {
  accountRule,
  type AttemptCount,
  type AttemptRule,
  decideAttempt,
  handleRule,
  networkRule,
} from "./attempts.decider.ts";
import type { AccountKeys } from "./keys.ts";

/** What is counted, and by which rule. All instances share the counts. */
export type AttemptLimit = { readonly key: Buffer; readonly rule: AttemptRule };

/** Sign-ins with the password of an account, whether or not there is one. */
export function signInLimit(keys: AccountKeys, addressHash: Buffer): AttemptLimit {
  return { key: keys.keyedHash("sign-in", addressHash.toString("hex")), rule: accountRule };
}

/** Codes or passwords that a signed-in or half signed-in account gives. */
export function confirmationLimit(keys: AccountKeys, accountId: string): AttemptLimit {
  return { key: keys.keyedHash("confirmation", accountId), rule: accountRule };
}

/** Handles that an account asks about. */
export function handleLimit(keys: AccountKeys, accountId: string): AttemptLimit {
  return { key: keys.keyedHash("handle", accountId), rule: handleRule };
}

/** @param network of the caller, as `networkOf` names it */
export function networkLimit(keys: AccountKeys, network: string): AttemptLimit {
  return { key: keys.keyedHash("network", network), rule: networkRule };
}

type Row = { key_hash: Buffer; count: number; counted_at: Date; blocked_until: Date | null };

/**
 * Counts one attempt at each of the limits, before it is judged, so that simultaneous ones count too. When
 * one of them refuses, none is counted.
 * @returns seconds to wait, or undefined when it is admitted
 */
export async function countAttempt(
  sql: Sql,
  limits: readonly AttemptLimit[],
  nowMs: number,
): Promise<number | undefined> {
  // One read is all that an attack costs while its delay runs.
  const waits = await Promise.all(limits.map(({ key }) => waitOf(sql, key, nowMs)));
  const seconds = Math.max(...waits);
  return seconds > 0 ? seconds : sql.begin((tx) => countAttemptIn(tx, limits, nowMs));
}

async function waitOf(sql: Sql, key: Buffer, nowMs: number): Promise<number> {
  const [row] = await sql<{ until: Date | null }[]>`
    select blocked_until as until from accounts.attempt where key_hash = ${key}`;
  return Math.ceil(((row?.until?.getTime() ?? nowMs) - nowMs) / 1000);
}

/** The same, in a transaction of the caller's. */
export async function countAttemptIn(
  tx: Queryable,
  limits: readonly AttemptLimit[],
  nowMs: number,
): Promise<number | undefined> {
  // In one order, so that two callers never wait for each other.
  const ordered = limits.toSorted((one, other) => Buffer.compare(one.key, other.key));
  const waits: number[] = [];
  const counts: [Buffer, AttemptCount][] = [];
  for (const { key, rule } of ordered) {
    const decision = decideAttempt(rule, await lockCount(tx, key, nowMs), nowMs);
    if ("waitMs" in decision) waits.push(decision.waitMs);
    else counts.push([key, decision.admitted]);
  }
  if (waits.length > 0) return Math.ceil(Math.max(...waits) / 1000);
  for (const [key, count] of counts) await writeCount(tx, key, count);
  return undefined;
}

async function lockCount(
  tx: Queryable,
  key: Buffer,
  nowMs: number,
): Promise<AttemptCount | undefined> {
  await tx`
    insert into accounts.attempt (key_hash, count, counted_at)
    values (${key}, 0, ${new Date(nowMs)}) on conflict do nothing`;
  const [row] = await tx<Row[]>`
    select * from accounts.attempt where key_hash = ${key} for update`;
  if (row === undefined || row.count === 0) return undefined;
  return {
    count: row.count,
    countedMs: row.counted_at.getTime(),
    blockedUntilMs: row.blocked_until?.getTime() ?? null,
  };
}

async function writeCount(tx: Queryable, key: Buffer, count: AttemptCount): Promise<void> {
  const { blockedUntilMs } = count;
  const until = blockedUntilMs === null ? null : new Date(blockedUntilMs);
  await tx`
    update accounts.attempt set count = ${count.count}::int,
           counted_at = ${new Date(count.countedMs)}, blocked_until = ${until}::timestamptz
     where key_hash = ${key}`;
}

/** After what proves the owner: counting begins anew. */
export async function clearAttempts(sql: Queryable, { key }: AttemptLimit): Promise<void> {
  await sql`delete from accounts.attempt where key_hash = ${key}`;
}

/** Takes an attempt back that was none: a network is not limited for what succeeds. */
export async function takeAttemptBack(sql: Queryable, { key }: AttemptLimit): Promise<void> {
  await sql`
    update accounts.attempt set count = greatest(count - 1, 0), blocked_until = null
     where key_hash = ${key}`;
}
