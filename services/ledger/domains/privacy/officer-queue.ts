import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { QueuedRequest } from "@pro-talent/schemas/privacy/officer-calls";
import type { publicStatuses, RequestType } from "@pro-talent/schemas/privacy/request";
import { publicStatusOf } from "@pro-talent/schemas/privacy/transitions";
import { z } from "zod";

import { RequestRow, rowColumns } from "./read-models.ts";

type Asked = {
  readonly type?: RequestType | undefined;
  readonly status?: (typeof publicStatuses)[number] | undefined;
  readonly only?: "mine" | "overdue" | "stalled" | "held" | undefined;
  /** The number, or its beginning. */
  readonly number?: string | undefined;
  readonly officerId: string;
  readonly now: Date;
};

const queueMax = 100;

/**
 * Requests for officers: first those that are to be decided, by their due date. Without a status or a number
 * only open ones; a deletion is open until it is erased from the live stores.
 */
export async function queuedRequests(
  sql: Queryable,
  { type, status, only, number, officerId, now }: Asked,
): Promise<{ rows: readonly RequestRow[]; open: number; overdue: number }> {
  const statuses = Object.entries(publicStatusOf)
    .filter(([, shown]) => shown === status)
    .map(([name]) => name);
  const late = sql`(overdue or (status in ('verified', 'review') and due_at <= ${now}))`;
  const chosen = {
    mine: sql`and lease_officer = ${officerId} and lease_until > ${now}`,
    overdue: sql`and ${late}`,
    stalled: sql`and status = 'stalled'`,
    held: sql`and held`,
  };
  const rows = await sql<object[]>`
    select ${rowColumns(sql)} from ledger.privacy_request
     where true
       ${number === undefined ? sql`` : sql`and starts_with(request_id::text, ${number})`}
       ${type === undefined ? sql`and type <> 'cancel-deletion'` : sql`and type = ${type}`}
       ${status === undefined ? sql`` : sql`and status = any (${statuses})`}
       ${status === undefined && number === undefined ? sql`and outcome is null and status <> 'erased'` : sql``}
       ${only === undefined ? sql`` : chosen[only]}
     order by (status in ('verified', 'review', 'stalled')) desc, due_at, request_id limit ${queueMax}`;
  const [counts] = await sql<{ open: number; overdue: number }[]>`
    select count(*) filter (where status in ('verified', 'review', 'stalled')) as open,
           count(*) filter (where status in ('verified', 'review') and ${late}) as overdue
      from ledger.privacy_request where outcome is null`;
  return {
    rows: z.array(RequestRow).parse(rows),
    open: counts?.open ?? 0,
    overdue: counts?.overdue ?? 0,
  };
}

/** A request as the queue shows it to this officer. */
export function queuedView(row: RequestRow, officerId: string, nowMs: number): QueuedRequest {
  const { requestId, type, status, outcome, receivedAt, dueAt, overdue, held } = row;
  const { leaseOfficer, leaseUntil } = row;
  const isToDecide = status === "verified" || status === "review";
  const isLeased = leaseOfficer !== null && leaseUntil !== null && Date.parse(leaseUntil) > nowMs;
  return {
    requestId,
    type,
    outcome,
    receivedAt,
    dueAt,
    held,
    relation: row.relation,
    status: publicStatusOf[status],
    overdue: overdue || (outcome === null && isToDecide && Date.parse(dueAt) <= nowMs),
    stalled: status === "stalled",
    needsDecision: isToDecide,
    inReview: status === "review",
    lease: isLeased
      ? { officerId: leaseOfficer, mine: leaseOfficer === officerId, until: leaseUntil }
      : null,
  };
}
