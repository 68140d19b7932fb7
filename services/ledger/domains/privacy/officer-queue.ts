import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { QueuedRequest } from "@pro-talent/schemas/privacy/officer-calls";
import type { publicStatuses, RequestType } from "@pro-talent/schemas/privacy/request";
import { publicStatusOf } from "@pro-talent/schemas/privacy/transitions";
import { z } from "zod";

import type { ContactOf } from "../../contacts.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { nextClocks } from "./calendar/running-clocks.ts";
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
  const late = sql`(overdue or (status = 'verified' and due_at <= ${now}))`;
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
     order by (status in ('verified', 'stalled')) desc, due_at, request_id limit ${queueMax}`;
  const [counts] = await sql<{ open: number; overdue: number }[]>`
    select count(*) filter (where status in ('verified', 'stalled')) as open,
           count(*) filter (where status = 'verified' and ${late}) as overdue
      from ledger.privacy_request where outcome is null`;
  return {
    rows: z.array(RequestRow).parse(rows),
    open: counts?.open ?? 0,
    overdue: counts?.overdue ?? 0,
  };
}

type Viewer = {
  readonly context: Pick<HttpContext, "ledger" | "clock">;
  readonly contactOf: ContactOf;
};

/** Requests as the queue shows them to this officer, each with the clock that ends first. */
export async function queuedViews(
  { context, contactOf }: Viewer,
  rows: readonly RequestRow[],
  officerId: string,
): Promise<QueuedRequest[]> {
  const { ledger, clock } = context;
  const now = clock();
  const leased = rows.flatMap((row) => leaseOf(row, now)?.officerId ?? []);
  const [clocks, names] = await Promise.all([
    nextClocks(
      ledger.sql,
      rows.map(({ requestId }) => requestId),
    ),
    namesOf(contactOf, [...new Set(leased)]),
  ]);
  return rows.map((row) => {
    const { requestId, type, status, outcome, receivedAt, dueAt, overdue, held } = row;
    const running = clocks.get(requestId);
    const lease = leaseOf(row, now);
    return {
      requestId,
      type,
      outcome,
      partly: outcome === "fulfilled" ? row.partly : [],
      receivedAt,
      dueAt,
      held,
      relation: row.relation,
      extension: row.extension,
      clock: running === undefined ? null : { kind: running.kind, endsAt: running.endsAt },
      status: publicStatusOf[status],
      overdue: overdue || (outcome === null && status === "verified" && Date.parse(dueAt) <= now),
      stalled: status === "stalled",
      needsDecision: status === "verified",
      lease: lease && {
        ...lease,
        name: names.get(lease.officerId) ?? null,
        mine: lease.officerId === officerId,
      },
    };
  });
}

const leaseOf = ({ leaseOfficer, leaseUntil }: RequestRow, nowMs: number) =>
  leaseOfficer !== null && leaseUntil !== null && Date.parse(leaseUntil) > nowMs
    ? { officerId: leaseOfficer, until: leaseUntil }
    : null;

/** Names of officers; those that cannot be asked for now are left out, and the queue is shown all the same. */
async function namesOf(
  contactOf: ContactOf,
  officerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const contacts = await Promise.all(
    officerIds.map(async (id) => {
      const contact = await contactOf(id).catch(() => undefined);
      return contact === undefined ? [] : [[id, contact.fullName || contact.email] as const];
    }),
  );
  return new Map(contacts.flat());
}
