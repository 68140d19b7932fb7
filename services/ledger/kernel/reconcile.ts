import type { Sql } from "@pro-talent/platform/postgres/pool";

import { categoryOf, type StoredEvent, storedEventColumns } from "./events.ts";
import type { StreamKind } from "./stream-kinds.ts";
import type { Timer } from "./timers.ts";

/** What a reconciliation changed and found; counts, and nothing of any stream. */
export type Reconciliation = {
  readonly streams: number;
  /** Timers that were missing or wrong, and are due now as the events demand. */
  readonly armed: number;
  /** Timers that no event demands, removed. */
  readonly removed: number;
  /** Timers that fired an hour ago and more without the erasure that they lead to; due again. */
  readonly rearmed: number;
  /** Keys, or ciphertexts, that a recorded erasure had left. */
  readonly destroyed: number;
  /** Erasures that have been due for an hour and more, and are not recorded. */
  readonly overdue: number;
  /** Streams that changed meanwhile, or that this version cannot read, left as they are. */
  readonly skipped: number;
};

export type ReconcileOptions = {
  /** A pool of a role that may set timers: `ledger_app`, `ledger_operator` or the owner. */
  readonly sql: Sql;
  readonly kinds: readonly StreamKind[];
};

type Counts = { -readonly [Name in keyof Reconciliation]: number };
type TimerRow = { stream: string; name: string; due_ms: number; fired_ms: number | null };

type Stream = { stream: string; version: number };

const streamsPerStep = 200;
const eventsPerStep = 20_000;
const graceMs = 60 * 60 * 1000;

/**
 * Compares the timers of all streams with those that their events demand, and the keys with the erasures
 * that are recorded; repairs what differs. May run beside appends, sweepers and itself.
 */
export async function reconcileAll(options: ReconcileOptions): Promise<Reconciliation> {
  const { sql } = options;
  const counts = noCounts();
  const [stray] = await sql<{ dropped: number }[]>`select ledger.drop_stray_timers() as dropped`;
  counts.removed += stray?.dropped ?? 0;
  for (const { category } of options.kinds) {
    let after = "";
    for (;;) {
      const streams = await sql<Stream[]>`
        select stream, version from ledger.stream
         where category = ${category} and stream > ${after} order by stream limit ${streamsPerStep}`;
      const last = streams.at(-1);
      if (last === undefined) break;
      await reconcileStreams(options, streams, counts);
      after = last.stream;
    }
  }
  return counts;
}

/**
 * The same for the streams that have events after a position.
 * @returns what was found, and the position up to which it was done
 */
export async function reconcileSince(
  options: ReconcileOptions,
  position: number,
): Promise<{ found: Reconciliation; position: number }> {
  const { sql, kinds } = options;
  const counts = noCounts();
  const [head] = await sql<{ pos: number }[]>`select pos from ledger.head`;
  const end = head?.pos ?? position;
  const changed = await sql<Stream[]>`
    select stream, version from ledger.stream
     where category = any (${kinds.map(({ category }) => category)}::text[]) and stream in (
       select stream from ledger.event where pos > ${position} and pos <= ${end})`;
  for (let begin = 0; begin < changed.length; begin += streamsPerStep) {
    await reconcileStreams(options, changed.slice(begin, begin + streamsPerStep), counts);
  }
  return { found: counts, position: end };
}

/** The same for one stream. */
export async function reconcileStream(
  options: ReconcileOptions,
  stream: string,
): Promise<Reconciliation> {
  const counts = noCounts();
  await reconcileStreams(options, [{ stream, version: 0 }], counts);
  return counts;
}

function noCounts(): Counts {
  const counts = { streams: 0, armed: 0, removed: 0, rearmed: 0 };
  return { ...counts, destroyed: 0, overdue: 0, skipped: 0 };
}

async function reconcileStreams(
  options: ReconcileOptions,
  streams: readonly Stream[],
  counts: Counts,
): Promise<void> {
  let step: string[] = [];
  let events = 0;
  for (const { stream, version } of streams) {
    if (step.length > 0 && events + version > eventsPerStep) {
      await reconcileStep(options, step, counts);
      step = [];
      events = 0;
    }
    step.push(stream);
    events += version;
  }
  if (step.length > 0) await reconcileStep(options, step, counts);
}

async function reconcileStep(
  { sql, kinds }: ReconcileOptions,
  streams: readonly string[],
  counts: Counts,
): Promise<void> {
  // The timers first: an append between the two reads is noticed by the version.
  const rows = Map.groupBy(await readTimers(sql, streams), ({ stream }) => stream);
  const events = await sql<StoredEvent[]>`
    select ${storedEventColumns(sql)} from ledger.event e
     where e.stream = any (${streams}::text[]) order by e.stream, e.version`;
  for (const [stream, stored] of Map.groupBy(events, (event) => event.stream)) {
    const kind = kinds.find(({ category }) => category === categoryOf(stream));
    if (kind === undefined) continue;
    counts.streams += 1;
    await reconcileOne(sql, kind, { stored, rows: rows.get(stream) ?? [] }, counts);
  }
  await destroyLeftKeys(sql, streams, counts);
}

async function readTimers(sql: Sql, streams: readonly string[]): Promise<readonly TimerRow[]> {
  return await sql<TimerRow[]>`
    select stream, name, (extract(epoch from due_at) * 1000)::bigint as due_ms,
           (extract(epoch from fired_at) * 1000)::bigint as fired_ms
      from ledger.due_timer where stream = any (${streams}::text[])`;
}

type Found = { readonly stored: readonly StoredEvent[]; readonly rows: readonly TimerRow[] };

async function reconcileOne(
  sql: Sql,
  kind: StreamKind,
  { stored, rows }: Found,
  counts: Counts,
): Promise<void> {
  const last = stored.at(-1);
  const demanded = demandedBy(kind, stored);
  if (last === undefined || demanded === undefined) {
    counts.skipped += 1;
    return;
  }
  const { removed, wrong, again, overdue } = compare(kind, demanded, rows);
  counts.overdue += overdue;
  if (wrong.length + removed.length + again.length === 0) return;
  const timers = demanded.map(({ name, dueAt }) => ({
    name,
    due_at: dueAt,
    again: again.includes(name),
  }));
  const [row] = await sql<{ set: boolean }[]>`
    select ledger.set_timers(${last.stream}, ${last.version},
      ${JSON.stringify(timers)}::text::jsonb) as set`;
  if (row?.set !== true) {
    counts.skipped += 1;
    return;
  }
  counts.armed += wrong.length;
  counts.removed += removed.length;
  counts.rearmed += again.length;
}

/** Undefined when the stream holds what this version cannot read, perhaps events of a newer one. */
function demandedBy(
  kind: StreamKind,
  stored: readonly StoredEvent[],
): readonly Timer[] | undefined {
  try {
    return kind.timersOf(stored);
  } catch {
    return undefined;
  }
}

/** Names of the timers of a stream that are to be removed, set, and due once more. */
function compare(kind: StreamKind, demanded: readonly Timer[], rows: readonly TimerRow[]) {
  const longAgo = Date.now() - graceMs;
  const known = new Map(rows.map((row) => [row.name, row]));
  const names = demanded.map(({ name }) => name);
  const wrong = demanded
    .filter(({ name, dueAt }) => known.get(name)?.due_ms !== Date.parse(dueAt))
    .map(({ name }) => name);
  const overdue = demanded
    .filter(({ name }) => kind.erasureTimers.includes(name))
    .filter(({ dueAt }) => Date.parse(dueAt) < longAgo)
    .map(({ name }) => name);
  return {
    removed: rows.filter(({ name }) => !names.includes(name)).map(({ name }) => name),
    wrong,
    again: overdue.filter(
      (name) => !wrong.includes(name) && (known.get(name)?.fired_ms ?? longAgo) < longAgo,
    ),
    overdue: overdue.length,
  };
}

/**
 * Destroys the keys of streams whose erasure is recorded, where that was not done, and drops ciphertexts
 * whose key is gone after an erasure.
 */
async function destroyLeftKeys(
  sql: Sql,
  streams: readonly string[],
  counts: Counts,
): Promise<void> {
  const left = await sql<{ key_id: string }[]>`
    select distinct s.key_id from ledger.event s
     where s.stream = any (${streams}::text[]) and s.sealed is not null and exists (
       select from ledger.event x join ledger.erasure_event t
           on t.type = x.type and t.category = split_part(x.stream, '-', 1)
        where x.stream = s.stream)`;
  for (const { key_id: id } of left) {
    await sql`select ledger.shred_subject(${id})`;
    counts.destroyed += 1;
  }
}
