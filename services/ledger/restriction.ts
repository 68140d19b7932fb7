import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { LedgerContext } from "./kernel/module.ts";
import type { SubjectKind } from "./kernel/subjects.ts";

/** What a person wrote with a privacy request is sealed under a key of the request's own. */
export const requester: SubjectKind = "privacy.requester";

/**
 * From the verification of a deletion until it is cancelled, data of the account is kept and not used: its
 * links and its public page answer as not available, nothing is recorded, charged or sent about them. Read
 * from what privacy keeps, for the domains that may not import it; nothing of theirs changes, so that
 * everything is as before when the deletion is cancelled.
 */
const isRestricting = (sql: Queryable) =>
  sql`type = 'delete' and outcome is null and status <> 'received'`;

/** The ids of the accounts that are restricted now, as a subquery. */
export const restrictedAccounts = (sql: Queryable) => sql`
  (select account_id from ledger.privacy_request
    where ${isRestricting(sql)} and account_id is not null)`;

export async function isRestricted(sql: Queryable, accountId: string): Promise<boolean> {
  const rows = await sql`
    select from ledger.privacy_request
     where account_id = ${accountId} and ${isRestricting(sql)} limit 1`;
  return rows.length > 0;
}

const Ended = z.array(z.object({ at: Instant }));

/** When a restriction of an account ended last; null when there was none. */
export async function restrictionEndedAt(
  sql: Queryable,
  accountId: string,
): Promise<Instant | null> {
  const rows = await sql<object[]>`
    select step->>'at' as at
      from ledger.privacy_request, jsonb_array_elements(history) step
     where account_id = ${accountId} and type = 'delete' and outcome = 'cancelled'
       and step->>'step' = 'cancelled'
     order by 1 desc limit 1`;
  return Ended.parse(rows)[0]?.at ?? null;
}

/** Whether the deletion of an account with this address is scheduled or under way. */
export async function isAddressRestricted(
  { ledger: { sql }, subjects }: Pick<LedgerContext, "ledger" | "subjects">,
  email: string,
): Promise<boolean> {
  const asked = await subjects.idsOfAddress(requester, email);
  if (asked.length === 0) return false;
  const rows = await sql`
    select from ledger.privacy_request
     where request_id = any (${asked}::uuid[]) and ${isRestricting(sql)} limit 1`;
  return rows.length > 0;
}
