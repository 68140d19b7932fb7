import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import {
  type RunningClock,
  RunningClock as Clock,
} from "@pro-talent/schemas/privacy/overview-calls";
import { z } from "zod";

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

const Row = z.object({
  name: z.string(),
  id: z.string(),
  endsAt: z.date().transform((date) => instantFromMs(date.getTime())),
  detail: z.string(),
});

/**
 * Every clock that runs, from the timers and the read model; nothing is stored for it. A hold has no timer:
 * its review is an act of an officer.
 */
export async function runningClocks(
  sql: Queryable,
): Promise<{ clocks: readonly RunningClock[]; more: number }> {
  const domains = Object.keys(kindOfDomain);
  const rows = await sql<object[]>`
    select name, substr(stream, strpos(stream, '-') + 1) as id, t.due_at as "endsAt",
           coalesce(r.type, name) as detail
      from ledger.due_timer t
      left join ledger.privacy_request r
        on t.stream = 'privacy-' || r.request_id::text
     where fired_at is null
       and (name = any (${Object.keys(kindOfTimer)}) or split_part(name, '.', 1) = any (${domains}))
    union all
    select 'due', request_id::text, due_at, type from ledger.privacy_request
     where status in ('verified', 'review')
    union all
    select 'extension', request_id::text,
           received_at + case extension when 'ccpa' then interval '90 days' else interval '3 months' end,
           type
      from ledger.privacy_request where extension is not null and outcome is null
    union all
    select 'hold-review', request_id::text, (h ->> 'reviewAt')::timestamptz, h ->> 'law'
      from ledger.privacy_request, jsonb_array_elements(holds) h where outcome is null
     order by 3, 2, 1`;
  const clocks = z
    .array(Row)
    .parse(rows)
    .map(({ name, ...clock }) => Clock.parse({ ...clock, kind: kindOf(name) }));
  return { clocks: clocks.slice(0, clocksMax), more: Math.max(0, clocks.length - clocksMax) };
}

const kindOf = (name: string): string =>
  kindOfTimer[name] ?? kindOfDomain[name.split(".")[0] ?? ""] ?? name;
