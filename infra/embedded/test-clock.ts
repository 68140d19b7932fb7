import type { Sql } from "@pro-talent/platform/postgres/pool";
import { readAheadMs, type TestClock } from "@pro-talent/platform/runtime/clock";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { pause } from "@pro-talent/platform/runtime/wait";

import { writePrivateFile } from "./atomic-file.ts";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const lookEveryMs = 100;
/** What was quiet may have caused a step that has not begun: a webhook, the step of a process. */
const quietLooks = 5;
/** The longest time for which a worker may have a message or a mail. */
const leaseMs = 5 * 60_000;

/**
 * Where a clock is to be moved: `+15d`, `+36h` or `+2mo` from a moment. Months are those of the calendar
 * in UTC; a day that the month lacks is its last one.
 * @returns milliseconds since 1970; undefined when the text is something else or does not move forward
 */
export function targetOf(text: string, fromMs: number): number | undefined {
  const { amount = "", unit = "" } =
    /^\+(?<amount>\d{1,4})(?<unit>h|d|mo)$/.exec(text)?.groups ?? {};
  const count = Number(amount);
  if (count === 0) return undefined;
  if (unit !== "mo") return fromMs + count * (unit === "d" ? dayMs : hourMs);
  const from = new Date(fromMs);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (fromMs % dayMs);
}

export type MoveOptions = {
  /** The database as its owner: no role of a service may move the clock. */
  readonly owner: Sql;
  /** What the services read; see `readClock`. */
  readonly file: string;
  readonly byMs: number;
  /** Receives what happened in a step in which anything did. */
  readonly report: (step: Step) => void;
  /** How long a step may wait without anything getting done. */
  readonly patienceMs?: number;
};

/** What happened up to an instant. */
export type Step = {
  readonly untilMs: number;
  /** Recorded events by their type. */
  readonly events: Readonly<Record<string, number>>;
  /** Messages of the outbox that were carried out, by their name: mails, mostly. */
  readonly messages: Readonly<Record<string, number>>;
  /** Mails of accounts that were sent or dropped. */
  readonly accountMails: number;
};

/**
 * Moves the clock of all services forward, by a day at most at a time, and waits after each step until
 * nothing is due: what lies between happens in its order.
 * @throws OperatorError when something that is due does not get done; the clock stays at that step
 */
export async function moveClock(options: MoveOptions): Promise<void> {
  const { owner, file, byMs, report } = options;
  if (!(byMs > 0)) throw new OperatorError("The clock moves forward only.");
  let ahead = await aheadMs(owner, file);
  const target = ahead + byMs;
  while (ahead < target) {
    ahead = Math.min(ahead + dayMs, target);
    const before = await progress(owner, Date.now() + ahead);
    await setAhead(owner, file, ahead);
    const after = await untilQuiet(options, ahead, before);
    const accountMails = Math.max(0, before.accountMails - after.accountMails);
    const step = await stepSince(owner, before);
    if (Object.keys({ ...step.events, ...step.messages }).length + accountMails === 0) continue;
    report({ untilMs: Date.now() + ahead, ...step, accountMails });
  }
}

/** How far the clock is ahead. A move that was killed has written one of the two places. */
export async function aheadMs(owner: Sql, file: string): Promise<number> {
  const [row] = await owner<{ ms: number }[]>`
    select (extract(epoch from ahead) * 1000)::bigint as ms from ledger.test_clock`;
  return Math.max(readAheadMs(file), row?.ms ?? 0);
}

/** The services' clocks first: what the ledger finds due then is not in their future. */
async function setAhead(owner: Sql, file: string, ms: number): Promise<void> {
  await writePrivateFile(file, JSON.stringify({ aheadMs: ms } satisfies TestClock));
  await owner`
    insert into ledger.test_clock (ahead) values (interval '1 ms' * ${ms}::float8)
    on conflict (one) do update set ahead = greatest(test_clock.ahead, excluded.ahead)`;
}

type Progress = {
  readonly position: number;
  /** The last of the outbox that is done. */
  readonly done: number;
  readonly timers: number;
  readonly messages: number;
  readonly followers: number;
  readonly openings: number;
  readonly accountMails: number;
};

/** What is recorded, and what is due or under way. */
async function progress(owner: Sql, nowMs: number): Promise<Progress> {
  const now = new Date(nowMs);
  const leased = new Date(nowMs + leaseMs);
  const [row] = await owner<[Progress]>`
    select h.pos as position,
      (select count(*) from ledger.outbox where done_at is not null) as done,
      (select count(*) from ledger.due_timer
        where fired_at is null and due_at <= ${now}::timestamptz
          -- These wait as long as a deletion is scheduled: nothing is charged, sent or reminded of meanwhile.
          and not (split_part(stream, '-', 1) = any ('{application,billing,webhook}') and exists (
            select from ledger.privacy_request
             where type = 'delete' and outcome is null and status <> 'received'))) as timers,
      (select count(*) from ledger.outbox where done_at is null and given_up_at is null
        and (due_at <= ${now}::timestamptz or (turn > 0 and due_at <= ${leased}::timestamptz))) as messages,
      (select count(*) from ledger.checkpoint c where c.pos < h.pos) as followers,
      (select count(*) from accounts.account_opening where recorded_at is null
        and due_at <= ${leased}::timestamptz) as openings,
      (select count(*) from accounts.requested_mail where given_up_at is null
        and due_at <= ${leased}::timestamptz) as "accountMails"
      from ledger.head h`;
  return row;
}

async function untilQuiet(
  { owner, patienceMs = 60_000 }: MoveOptions,
  ahead: number,
  { position }: Progress,
): Promise<Progress> {
  const never = new AbortController().signal;
  let quiet = 0;
  let last = "";
  let changedAt = performance.now();
  for (;;) {
    const found = await progress(owner, Date.now() + ahead);
    const { timers, messages, followers, openings, accountMails } = found;
    const text = JSON.stringify(found);
    if (text !== last) changedAt = performance.now();
    const idle = timers + messages + followers + openings + accountMails === 0;
    // On a day on which nothing falls due, nothing follows either.
    if (idle && last === "" && found.position === position) return found;
    quiet = idle && text === last ? quiet + 1 : 0;
    last = text;
    if (quiet >= quietLooks) return found;
    if (performance.now() - changedAt > patienceMs) {
      throw new OperatorError(`Not done within ${patienceMs / 1000} s: ${text}. The clock stays.`);
    }
    await pause(lookEveryMs, never);
  }
}

async function stepSince(
  owner: Sql,
  { position, done }: Progress,
): Promise<Pick<Step, "events" | "messages">> {
  const events = await owner<{ name: string; count: number }[]>`
    select type as name, count(*) as count from ledger.event where pos > ${position}
     group by type order by min(pos)`;
  const messages = await owner<{ name: string; count: number }[]>`
    select name, count(*) as count from
      (select name, done_at from ledger.outbox where done_at is not null
        order by done_at offset ${done}) as later
     group by name order by min(done_at)`;
  const counts = (rows: readonly { name: string; count: number }[]) =>
    Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  return { events: counts(events), messages: counts(messages) };
}
