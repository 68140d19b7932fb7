import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";
import type { entryCalls } from "@pro-talent/schemas/accounts/calls";
import { v7 as uuidV7 } from "uuid";

import { type Holder, readHolder } from "./accounts.ts";
import type { AccountsContext } from "./context.ts";
import type { AccountKeys } from "./keys.ts";
import { findMailToken, useMailToken } from "./mail-tokens.ts";
import { requestMail } from "./requested-mails.ts";

const hourMs = 60 * 60_000;
/** The reminder is mailed so long before the factors are removed. */
const reminderMs = 24 * hourMs;

export type RecoveryRequest = {
  readonly accountId: string;
  /** Who requests it, by the name of their account on the machine. */
  readonly operator: string;
  /** For how long the holder can refuse; at least 24. */
  readonly delayHours: number;
  readonly nowMs: number;
};

/**
 * Requests the recovery of an account that lost its second factors, and notifies its holder.
 * @param sql as the database's owner, who alone requests one
 * @returns when it is due, or why not
 */
export async function requestRecovery(
  sql: Sql,
  keys: AccountKeys,
  { accountId, operator, delayHours, nowMs }: RecoveryRequest,
): Promise<{ readonly dueMs: number } | "not_open" | "under_way"> {
  const dueMs = nowMs + delayHours * hourMs;
  return sql.begin(async (tx) => {
    const holder = await readHolder(tx, keys, accountId);
    if (holder === undefined) return "not_open";
    const { count } = await tx`
      insert into accounts.recovery (recovery_id, account_id, operator, requested_at, due_at)
      values (${uuidV7()}, ${accountId}, ${operator}, ${new Date(nowMs)}, ${new Date(dueMs)})
      on conflict (account_id) where ended_at is null do nothing`;
    if (count === 0) return "under_way";
    await mailRecovery(tx, keys, holder, { dueMs, nowMs });
    return { dueMs };
  });
}

/** Withdraws it. @param sql as the database's owner. @returns whether there was one */
export async function withdrawRecovery(
  sql: Queryable,
  accountId: string,
  nowMs: number,
): Promise<boolean> {
  const { count } = await sql`
    update accounts.recovery set ended_at = ${new Date(nowMs)}::timestamptz, outcome = 'withdrawn'
     where account_id = ${accountId} and ended_at is null`;
  return count === 1;
}

/**
 * Ends the recovery of an account that its holder refused, or who has just used a factor; in the
 * transaction of that.
 * @returns whether there was one
 */
export async function refuseRecovery(
  { keys, clock }: Pick<AccountsContext, "keys" | "clock">,
  tx: Queryable,
  accountId: string,
  outcome: "refused" | "factor_used",
): Promise<boolean> {
  const nowMs = clock();
  const [row] = await tx<{ refused: boolean }[]>`
    select accounts.refuse_recovery(${accountId}, ${outcome}, ${new Date(nowMs)}) as refused`;
  if (row?.refused !== true) return false;
  const holder = await readHolder(tx, keys, accountId);
  if (holder !== undefined) await notify(tx, keys, holder, { kind: "recovery-refused", nowMs });
  return true;
}

type RefusalCalls = Pick<typeof entryCalls, "POST /api/account/recovery/refuse">;

/** What the link in the mails about a recovery does. */
export function recoveryHandlers(context: AccountsContext): CallHandlers<RefusalCalls> {
  const { sql, keys, clock } = context;
  return {
    "POST /api/account/recovery/refuse": async ({ body: { token } }, { refuse }) => {
      const refusal = await sql.begin(async (tx) => {
        const wanted = { token, purposes: ["recovery"], nowMs: clock() } as const;
        const link = await findMailToken(tx, keys, wanted);
        if (typeof link === "string") return link;
        await useMailToken(tx, token, clock());
        const isRefused = await refuseRecovery(context, tx, link.accountId ?? "", "refused");
        return isRefused ? undefined : "mail_token_ended";
      });
      return refusal === undefined ? { status: "done" as const } : refuse(refusal);
    },
  };
}

type Due = { recovery_id: string; account_id: string; due_at: Date };

/**
 * Reminds the holders of recoveries that are due within a day, and completes those that are due. Follows
 * from the rows alone: a pass that was missed is made up for by the next one.
 * @returns how many were completed
 */
export async function advanceRecoveries(
  sql: Sql,
  keys: AccountKeys,
  nowMs: number,
): Promise<number> {
  while (await sql.begin((tx) => remindNext(tx, keys, nowMs)));
  const due = await sql<Due[]>`
    select recovery_id, account_id, due_at from accounts.recovery
     where ended_at is null and due_at <= ${new Date(nowMs)}::timestamptz`;
  let completed = 0;
  for (const one of due) if (await complete(sql, keys, one, nowMs)) completed += 1;
  return completed;
}

async function remindNext(tx: Queryable, keys: AccountKeys, nowMs: number): Promise<boolean> {
  const [row] = await tx<Due[]>`
    update accounts.recovery set reminded_at = ${new Date(nowMs)}::timestamptz
     where recovery_id in (
       select recovery_id from accounts.recovery
        where ended_at is null and reminded_at is null and due_at > ${new Date(nowMs)}::timestamptz
          and due_at <= ${new Date(nowMs + reminderMs)}::timestamptz
          and due_at > requested_at + interval '24 hours'
        limit 1 for update skip locked)
    returning recovery_id, account_id, due_at`;
  if (row === undefined) return false;
  const holder = await readHolder(tx, keys, row.account_id);
  const times = { dueMs: row.due_at.getTime(), nowMs };
  if (holder !== undefined) await mailRecovery(tx, keys, holder, times);
  return true;
}

function complete(sql: Sql, keys: AccountKeys, { recovery_id, account_id }: Due, nowMs: number) {
  return sql.begin(async (tx) => {
    const [row] = await tx<{ completed: boolean }[]>`
      select accounts.complete_recovery(${recovery_id}, ${new Date(nowMs)}) as completed`;
    if (row?.completed !== true) return false;
    const holder = await readHolder(tx, keys, account_id);
    if (holder !== undefined) await notify(tx, keys, holder, { kind: "recovery-done", nowMs });
    return true;
  });
}

/** What was requested, with the link that refuses it. */
async function mailRecovery(
  tx: Queryable,
  keys: AccountKeys,
  { accountId, email, profile: { language, timeZone } }: Holder,
  { dueMs, nowMs }: { readonly dueMs: number; readonly nowMs: number },
): Promise<void> {
  const mail = { kind: "recovery", accountId, email, language, timeZone, atMs: dueMs } as const;
  await requestMail(tx, keys, mail, { nowMs });
}

async function notify(
  tx: Queryable,
  keys: AccountKeys,
  { accountId, email, profile: { language } }: Holder,
  { kind, nowMs }: { readonly kind: "recovery-done" | "recovery-refused"; readonly nowMs: number },
): Promise<void> {
  await requestMail(tx, keys, { kind, accountId, email, language }, { nowMs });
}
