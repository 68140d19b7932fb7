import type { Sql, Transaction } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { idOf } from "./events.ts";
import type { TimerHandlers } from "./timers.ts";
import { causeAfter } from "./types.ts";

/**
 * Keeps the timers of streams, which may not exist yet, from the workers that sweep: this process fires
 * them itself, at times in the past. It holds the locks that a sweeper takes for a timer that it fires.
 */
export function holdingTimers<Result>(
  sql: Sql,
  { streams, names }: { streams: readonly string[]; names: readonly string[] },
  work: () => Promise<Result>,
): Promise<Result> {
  return sql.begin(async (tx: Transaction) => {
    await tx`set local idle_in_transaction_session_timeout = '10min'`;
    await tx`
      select pg_advisory_xact_lock(hashtextextended(name || ' ' || stream, 0))
        from unnest(${names}::text[]) name, unnest(${streams}::text[]) stream`;
    return await work();
  });
}

type PastTimer = {
  stream: string;
  name: string;
  due_at: string;
  due_ms: number;
  event_id: string | null;
  meta: string | null;
};

export type PastOptions = {
  /** A pool of the role `ledger_app`. */
  readonly sql: Sql;
  readonly handlers: TimerHandlers;
  readonly streams: readonly string[];
  readonly untilMs: number;
  /** Brings about what follows from the events so far. */
  readonly settle: () => Promise<void>;
  /** Moves the clock on to a time, never back. @returns what it shows then */
  readonly moveTo: (ms: number) => number;
};

/**
 * Fires the timers of streams that are due until a time in the past, in their order, each when it was due:
 * what is recorded happened then.
 * @throws when a handler fails
 */
export async function firePastTimers(options: PastOptions): Promise<void> {
  const { sql, handlers, settle, moveTo } = options;
  for (;;) {
    await settle();
    const timer = await nextTimer(options);
    if (timer === undefined) return;
    const { stream, name, due_at: dueAt, due_ms: dueMs } = timer;
    const cause = causeAfter(`timer:${name}`, timer.event_id, timer.meta);
    await handlers[name]?.(idOf(stream), { now: instantFromMs(moveTo(dueMs)), cause });
    await sql`
      update ledger.due_timer set fired_at = ledger.now()
       where stream = ${stream} and name = ${name} and due_at = ${dueAt}::timestamptz
         and fired_at is null`;
  }
}

async function nextTimer({
  sql,
  handlers,
  streams,
  untilMs,
}: PastOptions): Promise<PastTimer | undefined> {
  const [timer] = await sql<PastTimer[]>`
    select t.stream, t.name, t.due_at::text as due_at, e.event_id, e.meta,
           floor(extract(epoch from t.due_at) * 1000)::bigint as due_ms
      from ledger.due_timer t left join ledger.event e on e.pos = t.pos
     where t.stream = any (${streams}::text[]) and t.name = any (${Object.keys(handlers)}::text[])
       and t.fired_at is null and t.due_at <= ${new Date(untilMs)}::timestamptz
     order by t.due_at, t.stream, t.name limit 1`;
  return timer;
}
