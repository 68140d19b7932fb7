import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { decodeEvent, idOf } from "../../../kernel/events.ts";
import { privacyEvents } from "../requests.ts";
import type { Dated } from "./audit-clock.ts";
import { type AuditedRequest, auditedRequest } from "./audit-request.ts";

const Row = z.object({
  stream: z.string(),
  type: z.string(),
  schemaVersion: z.int(),
  data: z.string(),
  at: z.date().transform((date): Instant => instantFromMs(date.getTime())),
});

/** From the first instant of the period until before the second; null without a bound. */
export type Period = { readonly from: Instant | null; readonly to: Instant | null };

/** Requests whose events are read at once. */
const requestsAtOnce = 500;

/** Every privacy request that was received in a period, in the order of receipt, from the events alone. */
export async function auditedRequests(
  sql: Queryable,
  { from, to }: Period,
  now: Instant,
): Promise<readonly AuditedRequest[]> {
  const streams = await sql<{ stream: string }[]>`
    select stream from ledger.event
     where type = 'RequestReceived' and version = 1 and stream like 'privacy-%'
       and occurred_at >= ${new Date(from ?? 0)}
       and occurred_at < ${new Date(to ?? instantFromMs(Date.parse("9999-01-01T00:00:00Z")))}
     order by occurred_at, stream`;
  const names = streams.map(({ stream }) => stream);
  const audited: AuditedRequest[] = [];
  for (let first = 0; first < names.length; first += requestsAtOnce) {
    const some = names.slice(first, first + requestsAtOnce);
    const events = await eventsOf(sql, some);
    audited.push(
      ...some.flatMap((name) => auditedRequest(idOf(name), events.get(name) ?? [], now) ?? []),
    );
  }
  return audited;
}

async function eventsOf(
  sql: Queryable,
  streams: readonly string[],
): Promise<ReadonlyMap<string, readonly Dated[]>> {
  const rows = await sql<object[]>`
    select stream, type, schema_version as "schemaVersion", data, occurred_at as at
      from ledger.event where stream = any (${streams}) order by stream, version`;
  return Map.groupBy(
    z
      .array(Row)
      .parse(rows)
      .map(({ stream, at, ...stored }) => ({
        stream,
        at,
        event: decodeEvent(privacyEvents, stored),
      })),
    ({ stream }) => stream,
  );
}
