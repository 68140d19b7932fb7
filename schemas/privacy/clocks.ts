import { z } from "zod";

import { dayIn, dayPlus, startOfDay } from "../primitives/calendar.ts";
import { Instant, instantPlus, instantPlusMonths } from "../primitives/instant.ts";
import { privacyLimits } from "./limits.ts";
import type { extensionLaws } from "./reasons.ts";
import type { RequestType } from "./request.ts";

/** The zone in which the days of a due date are counted. */
export const dueZone = "Asia/Jerusalem";

const dayMs = 24 * 60 * 60 * 1000;

/** Days from receipt within which a decision and its notice are due, by the law that says so. */
const dueDays = {
  /** California Code of Regulations, title 11, §7021(b). */
  ccpa: 45,
  /** Protection of Privacy Law (Israel). */
  israel: 21,
} as const;

/** Days from receipt in which an identity must be verified; the due date runs on meanwhile. */
const identityDays = 14;

/**
 * The clocks of a request. They are computed once, at receipt, and stored with it: a later change of
 * a law or of a calendar never moves the dates of a request that is already there.
 */
export const Clocks = z
  .object({
    identityBy: Instant,
    /** The end of the last day on which a decision is in time. */
    dueAt: Instant,
    /** Of a deletion: the first instant at which it may be claimed. No other clock moves this one. */
    eraseAt: Instant.nullable(),
  })
  .readonly();
export type Clocks = z.infer<typeof Clocks>;

/** The clocks of a request that was received at this instant. */
export function clocksOf(type: RequestType, receivedAt: Instant): Clocks {
  const days = Math.min(...Object.values(dueDays));
  return {
    identityBy: instantPlus(receivedAt, identityDays * dayMs),
    dueAt: startOfDay(dayPlus(dayIn(receivedAt, dueZone), days + 1), dueZone),
    eraseAt: type === "delete" ? instantPlus(receivedAt, privacyLimits.graceDays * dayMs) : null,
  };
}

/** Officers are warned by mail on these days after its receipt that a request waits; the first time who has it, then all. */
export const officerWarnings = ["day-14", "day-18", "day-20"] as const;
export type OfficerWarning = (typeof officerWarnings)[number];
const warningDays: Readonly<Record<OfficerWarning, number>> = {
  "day-14": 14,
  "day-18": 18,
  "day-20": 20,
};
const warningHour = 8;

/** When officers are warned that a request with this due date waits: in the morning of that day. */
export function warningsOf({ dueAt }: Clocks) {
  const firstDay = dayPlus(dayIn(dueAt, dueZone), -(dueDays.israel + 1));
  return officerWarnings.map((warning) => {
    const morning = startOfDay(dayPlus(firstDay, warningDays[warning]), dueZone);
    return { warning, at: instantPlus(morning, warningHour * 60 * 60 * 1000) };
  });
}

/**
 * The end of an extension, counted from receipt: 45 more days of 45 (California Code of Regulations, title 11,
 * §7021(b)), or two more months of one (GDPR, article 12(3)).
 */
export const extensionEnd = (law: (typeof extensionLaws)[number], receivedAt: Instant): Instant =>
  law === "ccpa"
    ? instantPlus(receivedAt, 2 * dueDays.ccpa * dayMs)
    : instantPlusMonths(receivedAt, 3);

/** How long an officer has a request alone, in milliseconds. */
export const leaseMs = 30 * 60 * 1000;

/** How long a package can be downloaded, and how often. */
export const packageDays = 14;
export const packageMs = packageDays * dayMs;
export const downloadsMax = 5;

/** Attempts of one step before the request is stalled and waits for an officer. */
export const attemptsMax = 5;

/** The longest time from a hold to its review, in milliseconds. */
export const holdReviewMs = 90 * dayMs;
