import { hash, randomUUID } from "node:crypto";

import type { Clock } from "@pro-talent/platform/runtime/clock";
import { type CounterMetric, type CounterRow, DropReason } from "@pro-talent/schemas/analytics/row";
import type { ConsentMethod, NotCollectedReason } from "@pro-talent/schemas/analytics/wire";
import { LRUCache } from "lru-cache";

import type { SpoolRecord } from "../spool/frame.ts";
import type { Spool } from "../spool/spool.ts";

/** A visit without consent. */
export type AnonymousVisit = {
  metric: Exclude<CounterMetric, "consent" | "drop" | "server_event">;
  /** The stored form of a page; empty where the page is not counted. */
  page: string;
  reason: NotCollectedReason;
  eventId?: string | undefined;
};

/** A decision that was made, for the rates of consent. */
export type CountedDecision = {
  label: "granted" | "withdrawn" | "rejected" | "dnt" | "gpc";
  method: ConsentMethod;
  /** The same for repeats of one decision. */
  once: string;
};

export type AnonymousCounters = {
  /** Resolves when the number is durable. */
  visit(visit: AnonymousVisit): Promise<void>;
  decision(decision: CountedDecision): Promise<void>;
  /** An event of a server that belongs to no visit. */
  serverEvent(eventType: string, eventId: string | undefined): Promise<void>;
};

const reportsRememberedMax = 50_000;

/** Numbers by day: all that is kept of visitors who did not consent. No id ever reaches a counter. */
export function createAnonymousCounters(options: {
  append: Spool["append"];
  clock: Clock;
  onRepeat: () => void;
  pagesPerDayMax?: number;
}): AnonymousCounters {
  const { append, clock } = options;
  const countedPage = createPageBudget(options.pagesPerDayMax ?? 2_000);
  const once = createRepeatFilter(reportsRememberedMax);

  const raise = (metric: CounterMetric, page: string, label: string, detail: string) => {
    const day = utcDay(clock());
    const name = page === "" ? "" : countedPage(day, page);
    return append([counterRecord({ day, metric, page: name, label, detail, count: 1 })]);
  };

  const countOnce = (eventId: string | undefined, count: () => Promise<void>): Promise<void> => {
    if (eventId === undefined) return count();
    const { counted, repeated } = once(eventId, count);
    if (repeated) options.onRepeat();
    return counted;
  };

  return {
    visit: ({ metric, page, reason, eventId }) =>
      countOnce(eventId, () => raise(metric, page, reason, "")),
    serverEvent: (eventType, eventId) =>
      countOnce(eventId, () => raise("server_event", "", eventType, "")),
    decision: ({ label, method, once: id }) =>
      once(id, () => raise("consent", "", label, method)).counted,
  };
}

/** Under which name pages are counted once too many different ones were seen. */
const otherPages = ":other";

/**
 * Bounds how many different pages are counted per day, so that invented paths cannot inflate the
 * counters. Each instance has its own budget.
 */
function createPageBudget(pagesMax: number): (day: string, page: string) => string {
  let current = "";
  let pages = new Set<string>();
  return (day, page) => {
    if (day !== current) {
      current = day;
      pages = new Set();
    }
    if (!pages.has(page) && pages.size >= pagesMax) return otherPages;
    pages.add(page);
    return page;
  };
}

/**
 * Counts a repeated report once, as far as memory goes: its id is never stored, only a hash with a
 * salt that ends with the process. A repeat has the result of the first report: when that one could
 * not be counted, the repeat fails too and may be sent again.
 */
function createRepeatFilter(
  rememberedMax: number,
): (id: string, count: () => Promise<void>) => { counted: Promise<void>; repeated: boolean } {
  const salt = randomUUID();
  const known = new LRUCache<string, Promise<void>>({ max: rememberedMax });
  return (id, count) => {
    const hashed = hash("sha256", salt + id.toLowerCase(), "base64");
    const before = known.get(hashed);
    if (before !== undefined) return { counted: before, repeated: true };
    const counted = count();
    known.set(hashed, counted);
    counted.catch(() => known.delete(hashed));
    return { counted, repeated: false };
  };
}

export type DropCounters = {
  add(reason: DropReason): void;
  /**
   * Writes what was counted since the last time. What the spool does not take is kept for the next.
   * @throws ProblemError of the spool
   */
  flush(): Promise<void>;
};

/** Refused and marked records by day and reason, gathered in memory so that none costs a commit. */
export function createDropCounters(options: {
  append: Spool["append"];
  clock: Clock;
}): DropCounters {
  const { append, clock } = options;
  let days = new Map<string, Map<DropReason, number>>();

  const raise = (day: string, reason: DropReason, count: number): void => {
    const reasons = days.get(day) ?? new Map<DropReason, number>();
    days.set(day, reasons.set(reason, (reasons.get(reason) ?? 0) + count));
  };

  return {
    add: (reason) => raise(utcDay(clock()), reason, 1),
    flush: async () => {
      const taken = days;
      days = new Map();
      const records = [...taken].flatMap(([day, reasons]) =>
        [...reasons].map(([label, count]) =>
          counterRecord({ day, metric: "drop", page: "", label, detail: "", count }),
        ),
      );
      if (records.length === 0) return;
      try {
        await append(records);
      } catch (error) {
        for (const [day, reasons] of taken) {
          for (const [reason, count] of reasons) raise(day, reason, count);
        }
        throw error;
      }
    },
  };
}

const dropReasons: ReadonlySet<string> = new Set(DropReason.options);

/** Whether a problem's code is also a reason by which refused records are counted. */
export function isDropReason(code: string): code is DropReason {
  return dropReasons.has(code);
}

function counterRecord(row: CounterRow): SpoolRecord {
  return { kind: "counter", row };
}

/** The UTC day of a time value, `2026-03-01`. */
function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
