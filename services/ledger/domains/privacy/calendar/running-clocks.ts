import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import {
  type RunningClock,
  RunningClock as Clock,
} from "@pro-talent/schemas/privacy/overview-calls";
import { RequestType } from "@pro-talent/schemas/privacy/request";
import { z } from "zod";

import type { FeedEntry } from "./calendar-file.ts";

/** Timers that end a clock which a law or a promise set. The others are work that is under way. */
const kindOfTimer: Readonly<Record<string, RunningClock["kind"]>> = {
  "privacy.identity": "identity",
  "privacy.erase": "erase",
  "privacy.package": "package",
  "privacy.backups": "backups",
  "breaches.deadline": "breach",
};
/** Timers of other domains, by the beginning of their names. */
const kindOfDomain: Readonly<Record<string, RunningClock["kind"]>> = {
  inactivity: "inactivity",
};

const clocksMax = 500;

const instant = z.date().transform((date) => instantFromMs(date.getTime()));
const Row = z.object({
  name: z.string(),
  id: z.string(),
  /** Of several clocks of a kind. */
  part: z.string(),
  endsAt: instant,
  detail: z.string(),
});

/**
 * Every clock that runs, from the timers and the read model; nothing is stored for it. A hold has no timer:
 * its review is an act of an officer.
 */
export async function runningClocks(
  sql: Queryable,
): Promise<{ clocks: readonly RunningClock[]; more: number }> {
  const clocks = await clocksIn(sql);
  return { clocks: clocks.slice(0, clocksMax), more: Math.max(0, clocks.length - clocksMax) };
}

/** Of each of these requests the clock that ends first; none for those without one. */
export async function nextClocks(
  sql: Queryable,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, RunningClock>> {
  const clocks = await clocksIn(sql, requestIds);
  return new Map(clocks.toReversed().map((clock) => [clock.id, clock]));
}

type PartClock = RunningClock & { readonly part: string };

const extensionEnd = (sql: Queryable) => sql`
  received_at + case extension when 'ccpa' then interval '90 days' else interval '3 months' end`;

/** @param requestIds of these alone; else of everything, the earliest end first */
async function clocksIn(
  sql: Queryable,
  requestIds?: readonly string[],
): Promise<readonly PartClock[]> {
  const domains = Object.keys(kindOfDomain);
  const only = requestIds === undefined ? sql`` : sql`and request_id = any (${requestIds}::uuid[])`;
  const streams = requestIds?.map((id) => `privacy-${id}`);
  const rows = await sql<object[]>`
    select name, substr(stream, strpos(stream, '-') + 1) as id, t.due_at as "endsAt",
           coalesce(r.type, name) as detail, '' as part
      from ledger.due_timer t
      left join ledger.privacy_request r
        on t.stream = 'privacy-' || r.request_id::text
     where fired_at is null
       and (name = any (${Object.keys(kindOfTimer)}) or split_part(name, '.', 1) = any (${domains}))
       ${streams === undefined ? sql`` : sql`and t.stream = any (${streams})`}
    union all
    select 'due', request_id::text, due_at, type, ''
      from ledger.privacy_request where status = 'verified' ${only}
    union all
    select 'extension', request_id::text,
           ${extensionEnd(sql)},
           type, ''
      from ledger.privacy_request where extension is not null and outcome is null ${only}
    union all
    select 'hold-review', request_id::text, (h ->> 'reviewAt')::timestamptz, h ->> 'law', h ->> 'holdId'
      from ledger.privacy_request, jsonb_array_elements(holds) h
     where outcome is null ${only}
     order by 3, 2, 1`;
  return z
    .array(Row)
    .parse(rows)
    .map(({ name, part, ...clock }) => ({
      ...Clock.parse({ ...clock, kind: kindOf(name) }),
      part,
    }));
}

const kindOf = (name: string): string =>
  kindOfTimer[name] ?? kindOfDomain[name.split(".")[0] ?? ""] ?? name;

const Entry = z.object({
  kind: z.enum(["due", "erase", "extension"]),
  id: z.string(),
  endsAt: instant,
  type: RequestType.exclude(["cancel-deletion"]),
});

/** Dates that lie ahead of what was decided, cancelled or held before them. */
async function cancelledClocks(sql: Queryable, now: Instant): Promise<z.infer<typeof Entry>[]> {
  const rows = await sql<object[]>`
    select * from (
      select 'due' as kind, request_id::text as id, due_at as "endsAt", type
        from ledger.privacy_request where status not in ('received', 'verified') and type <> 'delete'
      union all
      select 'erase', request_id::text, erase_at, type from ledger.privacy_request
       where type = 'delete' and (held or status not in ('received', 'verified', 'scheduled'))
      union all
      select 'extension', request_id::text, ${extensionEnd(sql)}, type
        from ledger.privacy_request where extension is not null and outcome is not null) c
     where "endsAt" > ${new Date(now)} and type <> 'cancel-deletion' order by "endsAt", id`;
  return z.array(Entry).parse(rows);
}

/** Every clock that runs, and what was cancelled ahead of its date, with the version of its stream. */
export async function feedEntries(sql: Queryable, now: Instant): Promise<readonly FeedEntry[]> {
  const [running, cancelled] = await Promise.all([clocksIn(sql), cancelledClocks(sql, now)]);
  const entries = [
    ...running.map(({ kind, id, endsAt, part, detail }) => {
      const type = Entry.shape.type.safeParse(detail).data ?? null;
      return { kind, id, endsAt, part, type, isCancelled: false };
    }),
    ...cancelled.map((entry) => ({ ...entry, part: "", isCancelled: true })),
  ].slice(0, clocksMax);
  const ids = [...new Set(entries.map(({ id }) => id))];
  const categories = ["privacy", "breach", "inactivity"];
  const streams = ids.flatMap((id) => categories.map((category) => `${category}-${id}`));
  const rows = await sql<{ id: string; version: number }[]>`
    select substr(stream, strpos(stream, '-') + 1) as id, version from ledger.stream
     where stream = any (${streams})`;
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return entries.map((entry) => ({ ...entry, version: versions.get(entry.id) ?? 0 }));
}
