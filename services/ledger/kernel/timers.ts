import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";
import { inSpan } from "@pro-talent/platform/tracing/spans";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";

import type { TimerChange } from "./append.ts";
import { idOf } from "./events.ts";
import { type Cause, causeAfter } from "./types.ts";

/** What a stream must have done, and when. */
export type Timer = {
  /** `<domain>.<what is done>`. */
  readonly name: string;
  readonly dueAt: Instant;
};

/** What leads from the timers of one state to those of the next. */
export function timerChanges(before: readonly Timer[], after: readonly Timer[]): TimerChange[] {
  const dueBefore = new Map(before.map(({ name, dueAt }) => [name, dueAt]));
  const names = new Set(after.map(({ name }) => name));
  return [
    ...after
      .filter(({ name, dueAt }) => dueBefore.get(name) !== dueAt)
      .map(({ name, dueAt }) => ({ set: name, dueAt })),
    ...before.filter(({ name }) => !names.has(name)).map(({ name }) => ({ cancel: name })),
  ];
}

/**
 * What is done when a timer of a stream is due; may be called again for the same timer.
 * @param id of the thing that the stream is about
 * @returns `not-yet` when something outside the stream stands against it: the timer stays due
 */
export type TimerHandler = (
  id: string,
  context: { readonly now: Instant; readonly cause: Cause },
) => Promise<void> | Promise<"not-yet" | undefined>;

/** By the timer's name. */
export type TimerHandlers = Readonly<Record<string, TimerHandler>>;

export type SweepOptions = {
  /** A pool of the role `ledger_app`. */
  readonly sql: Sql;
  readonly handlers: TimerHandlers;
  readonly log: Logger;
  /** Timers that are looked at in one step. */
  readonly batchSize?: number;
  /** Timers that are fired at the same time; each holds a connection. One after another when absent. */
  readonly atOnce?: number;
  /** Names of timers that other sweepers fire. */
  readonly elsewhere?: readonly string[];
  /** Ends a sweep between two timers. */
  readonly signal?: AbortSignal;
};

/** A timer as it was read; the time as text, which keeps the microseconds. */
type DueTimer = { stream: string; name: string; due_at: string };

const sweepEveryMs = 10_000;
const batchSizeUsual = 100;

/**
 * Fires the timers that are due, in their order. One that fails stays due for the next sweep and
 * holds up none of the others. Safe beside other sweepers: each timer is fired by one.
 * @returns how many were fired
 */
export async function sweepTimers(options: SweepOptions): Promise<number> {
  let fired = 0;
  let after: DueTimer | undefined;
  do {
    const step = await sweepStep(options, after);
    fired += step.fired;
    after = step.last;
  } while (after !== undefined);
  return fired;
}

/** Sweeps every ten seconds, or as often as is said, until stopped. */
export function startSweeping(
  options: Omit<SweepOptions, "signal"> & { readonly everyMs?: number | undefined },
): Repetition {
  let after: DueTimer | undefined;
  return repeat({
    everyMs: options.everyMs ?? sweepEveryMs,
    pass: async (signal) => {
      after = (await sweepStep({ ...options, signal }, after)).last;
      return after === undefined ? "wait" : "again";
    },
    onFailing: (error) => options.log.error({ err: error }, "timers are not swept"),
  });
}

type Step = {
  fired: number;
  /** Where to go on; undefined when there was no more. */
  last: DueTimer | undefined;
};

async function sweepStep(options: SweepOptions, after: DueTimer | undefined): Promise<Step> {
  if (after === undefined) await reportUnknown(options);
  const due = await dueTimers(options, after);
  let fired = 0;
  const left = due.values();
  const fireInOrder = async (): Promise<void> => {
    for (const timer of left) {
      if (options.signal?.aborted === true) return;
      try {
        if (await fire(options, timer)) fired += 1;
      } catch (error) {
        options.log.error({ err: error, timer: timer.name }, "a timer failed");
      }
    }
  };
  await Promise.all(Array.from({ length: options.atOnce ?? 1 }, fireInOrder));
  const isFull = due.length === (options.batchSize ?? batchSizeUsual);
  return { fired, last: isFull && options.signal?.aborted !== true ? due.at(-1) : undefined };
}

async function dueTimers(options: SweepOptions, after?: DueTimer): Promise<readonly DueTimer[]> {
  const { sql } = options;
  const onwards = sql`and (due_at, stream, name)
    > (${after?.due_at ?? null}::timestamptz, ${after?.stream ?? null}::text, ${after?.name ?? null}::text)`;
  return await sql<DueTimer[]>`
    select stream, name, due_at::text as due_at from ledger.due_timer
     where fired_at is null and due_at <= (select ledger.now())
       and name = any (${Object.keys(options.handlers)}::text[])
       ${after === undefined ? sql`` : onwards}
     order by due_at, stream, name limit ${options.batchSize ?? batchSizeUsual}`;
}

/**
 * Fires one timer, unless it was fired, moved or cancelled meanwhile, or another sweeper has it. An
 * advisory lock excludes the others, not a lock of the row: a handler may append an event that moves
 * or cancels this very timer, on another connection.
 */
async function fire({ sql, handlers }: SweepOptions, timer: DueTimer): Promise<boolean> {
  const { stream, name, due_at: dueAt } = timer;
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (handler === undefined) return false;
  return await sql.begin(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = '10min'`;
    const [lock] = await tx<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${name} ${stream}`}, 0)) as held`;
    if (lock?.held !== true) return false;
    const [row] = await tx<{ now_ms: number; event_id: string | null; meta: string | null }[]>`
      select floor(extract(epoch from ledger.now()) * 1000)::bigint as now_ms, e.event_id, e.meta
        from ledger.due_timer t left join ledger.event e on e.pos = t.pos
       where t.stream = ${stream} and t.name = ${name} and t.due_at = ${dueAt}::timestamptz
         and t.fired_at is null`;
    if (row === undefined) return false;
    const cause = causeAfter(`timer:${name}`, row.event_id, row.meta);
    const why = { now: instantFromMs(row.now_ms), cause };
    const done = await inSpan(
      `timer ${name}`,
      { of: cause.correlationId, fields: { timer: name } },
      async () => handler(idOf(stream), why),
    );
    if (done === "not-yet") return false;
    await tx`
      update ledger.due_timer set fired_at = ledger.now()
       where stream = ${stream} and name = ${name} and due_at = ${dueAt}::timestamptz
         and fired_at is null`;
    return true;
  });
}

/** Timers of a newer version of the product, or whose handler was forgotten: they stay due. */
async function reportUnknown({ sql, handlers, log, elsewhere = [] }: SweepOptions): Promise<void> {
  const unknown = await sql<{ name: string }[]>`
    select distinct name from ledger.due_timer
     where fired_at is null and due_at <= (select ledger.now())
       and name <> all (${[...Object.keys(handlers), ...elsewhere]}::text[])`;
  for (const { name } of unknown) log.error({ timer: name }, "a due timer has no handler");
}
