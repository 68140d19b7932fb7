import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { calendarKinds } from "./calendar-kinds.ts";
import { denialReasons } from "./reasons.ts";
import { requestTypes } from "./request.ts";

const officer = { roles: ["officer"] } as const;

/** A running clock: of a privacy request, of a breach, or of an account. */
export const RunningClock = z.object({
  kind: z.enum(calendarKinds),
  endsAt: Instant,
  /** Of the request, the breach or the account. */
  id: Uuid,
  /** Of what it is about, where the kind does not say it: the type of the request, or the duty. */
  detail: z.string(),
});
export type RunningClock = z.infer<typeof RunningClock>;

const count = z.int().nonnegative();

/** The requests of one type that were received in a year (11 CCR §7102, and the law of Israel). */
export const YearOfType = z.object({
  type: z.enum(requestTypes).exclude(["cancel-deletion"]),
  received: count,
  /** Complied with as a whole, and in part. */
  fulfilled: count,
  fulfilledInPart: count,
  denied: count,
  deniedBy: z.array(z.object({ reason: z.enum(denialReasons), count })),
  /** By who asked: withdrawn, or the deletion cancelled. */
  withdrawn: count,
  cancelled: count,
  /** Ended because the identity was not verified in time. */
  expired: count,
  /** Nothing was held that it was about. */
  nothingHeld: count,
  /** Ended with its account. */
  erased: count,
  open: count,
  extended: count,
  /** Decided within 21 days, later, and not decided although these have passed. */
  inTime: count,
  late: count,
  /** Days from receipt to the response: package, correction, erasure or denial. Null without any. */
  medianDays: z.number().nullable(),
  meanDays: z.number().nullable(),
});
export type YearOfType = z.infer<typeof YearOfType>;

/** For officers: what lies ahead, and what was done in a year. */
export const overviewCalls = defineCalls({
  "GET /api/console/privacy/calendar": {
    summary: "Every clock that runs, the earliest end first; at most 500",
    access: officer,
    answer: z.object({
      clocks: z.array(RunningClock),
      /** How many more there are. */
      more: count,
    }),
  },
  "GET /api/console/privacy/metrics": {
    summary: "The privacy requests that were received in a year, by type",
    access: officer,
    query: z.object({ year: z.coerce.number().int().min(2020).max(2200) }),
    answer: z.object({
      /** Years with requests, the newest first. */
      years: z.array(z.int()),
      types: z.array(YearOfType),
    }),
  },
});
