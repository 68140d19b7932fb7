import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { CounterMetric } from "@pro-talent/schemas/analytics/row";
import type { ConsentMethod, NotCollectedReason } from "@pro-talent/schemas/analytics/wire";

import type { SpoolRecord } from "../../spool/record.ts";
import { createPageBudget } from "./page-budget.ts";
import { createRepeatedReports } from "./repeated-reports.ts";
import { utcDay } from "./utc-day.ts";

/** A visit without consent. */
export type AnonymousVisit = {
  metric: Exclude<CounterMetric, "consent" | "drop">;
  /** The stored form of a page; empty where the page is of no interest. */
  page: string;
  reason: NotCollectedReason;
  eventId?: string | undefined;
};

/** A decision that was made, for the rates of consent. */
export type CountedDecision = {
  label: "granted" | "withdrawn" | "rejected" | "dnt" | "gpc";
  method: ConsentMethod;
  /** Tells repeats of one decision apart from new ones. */
  once: string;
};

export type AnonymousCounters = {
  /** Resolves when the number is durable. */
  visit(visit: AnonymousVisit): Promise<void>;
  decision(decision: CountedDecision): Promise<void>;
};

type CounterOptions = {
  append: (records: readonly SpoolRecord[]) => Promise<void>;
  clock: Clock;
  onRepeat: () => void;
  pagesPerDayMax?: number;
};

const rememberedReports = 50_000;

/** Numbers by day: all that is kept of people who did not consent. No id ever reaches a counter. */
export function createAnonymousCounters(options: CounterOptions): AnonymousCounters {
  const { append, clock } = options;
  const counted = createPageBudget(options.pagesPerDayMax ?? 2_000);
  const repeats = createRepeatedReports(rememberedReports);

  const raise = (metric: CounterMetric, page: string, label: string, detail: string) => {
    const day = utcDay(clock());
    const name = page === "" ? "" : counted(day, page);
    const row = { day, metric, page: name, label, detail, count: 1 };
    return append([{ kind: "counter", row }]);
  };

  return {
    visit: ({ metric, page, reason, eventId }) => {
      const count = () => raise(metric, page, reason, "");
      if (eventId === undefined) return count();
      const { counted: done, repeated } = repeats(eventId, count);
      if (repeated) options.onRepeat();
      return done;
    },
    decision: ({ label, method, once }) =>
      repeats(once, () => raise("consent", "", label, method)).counted,
  };
}
