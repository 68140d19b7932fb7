import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { LRUCache } from "lru-cache";

import type { Report } from "./collection.ts";

/** What takes the place of a value when its session has reported too many different ones. */
export const otherValue = ":other";

/**
 * How many different values one session may report in a day: several times the pages of the site.
 * Beyond them a report is stored under one fixed value, so that invented ones cannot fill the tables.
 */
export const distinctPerDayMax = { page: 200, referrer: 50, eventType: 50 } as const;

type BoundedField = keyof typeof distinctPerDayMax;

/** Per instance and in memory only: sessions beyond are forgotten, the least active first. */
const sessionsMax = 10_000;
const windowMs = 60_000;

type Activity = {
  windowStartMs: number;
  reports: number;
  day: string;
  seen: Partial<Record<BoundedField, Set<string>>>;
};

export type SessionLimits = {
  /**
   * Counts reports of a session. A batch is admitted as a whole while any report would be.
   * @throws ProblemError `rate_limited`
   */
  admit(sessionId: string, nowMs: number, reports: number): void;
  /** The report, with fixed values where its session reported too many different ones today. */
  bounded(sessionId: string, report: Report): Report;
};

/** @param reportsPerMinute of one session; 0 for no limit */
export function createSessionLimits(reportsPerMinute: number): SessionLimits {
  const sessions = new LRUCache<string, Activity>({ max: sessionsMax });
  const activityOf = (sessionId: string): Activity => {
    const known = sessions.get(sessionId);
    if (known !== undefined) return known;
    const fresh: Activity = { windowStartMs: 0, reports: 0, day: "", seen: {} };
    sessions.set(sessionId, fresh);
    return fresh;
  };
  return {
    admit: (sessionId, nowMs, reports) => {
      if (reportsPerMinute === 0) return;
      const activity = activityOf(sessionId);
      if (Math.abs(nowMs - activity.windowStartMs) >= windowMs) {
        activity.windowStartMs = nowMs;
        activity.reports = 0;
      }
      const used = activity.reports;
      activity.reports += reports;
      if (used < reportsPerMinute) return;
      const leftMs = activity.windowStartMs + windowMs - nowMs;
      throw new ProblemError("rate_limited", { retryAfterSeconds: Math.ceil(leftMs / 1000) });
    },
    bounded: (sessionId, report) => {
      const activity = activityOf(sessionId);
      const day = report.receivedAt.slice(0, 10);
      if (activity.day !== day) {
        activity.day = day;
        activity.seen = {};
      }
      const page = known(activity, "page", report.page);
      const referrer = known(activity, "referrer", report.referrer);
      const eventType = known(activity, "eventType", report.eventType);
      return page && referrer && eventType
        ? report
        : {
            ...report,
            ...(!page && { page: otherValue }),
            ...(!referrer && { referrer: otherValue }),
            ...(!eventType && { eventType: otherValue }),
          };
    },
  };
}

/** Whether a value may be stored as it is; it is then one of those that were seen. */
function known({ seen }: Activity, field: BoundedField, value: string | undefined): boolean {
  if (value === undefined || value === "") return true;
  const values = (seen[field] ??= new Set());
  if (values.has(value)) return true;
  return values.size < distinctPerDayMax[field] && values.add(value).size > 0;
}
