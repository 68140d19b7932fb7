import type { Clock } from "@pro-talent/platform/runtime/clock";
import { DropReason } from "@pro-talent/schemas/analytics/row";

import type { SpoolRecord } from "../../spool/record.ts";
import { utcDay } from "./utc-day.ts";

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
  append: (records: readonly SpoolRecord[]) => Promise<void>;
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
        [...reasons].map(([label, count]): SpoolRecord => {
          const row = { day, metric: "drop" as const, page: "", label, detail: "", count };
          return { kind: "counter", row };
        }),
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

const reasons: ReadonlySet<string> = new Set(DropReason.options);

/** Whether a problem's code is also a reason by which refused records are counted. */
export function isDropReason(code: string): code is DropReason {
  return reasons.has(code);
}
