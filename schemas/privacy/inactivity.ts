import { z } from "zod";

import type { AccountAccess } from "../primitives/access.ts";
import { Day, dayPlus, dayPlusMonths } from "../primitives/calendar.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { retentionPeriods } from "../primitives/retention-periods.ts";

/** The holder is notified twice before their account is deleted. */
export const inactivityNotices = ["first", "second"] as const;
export const InactivityNotice = z.enum(inactivityNotices);
export type InactivityNotice = z.infer<typeof InactivityNotice>;

/** Days between the delivery of a notice and the request for deletion, at least. */
export const inactivityNoticeDays = { first: 30, second: 7 } as const;

/** The first day after three years without use; after a 29 February the years end with February. */
export const inactiveSince = (activeOn: Day): Day =>
  dayPlus(dayPlusMonths(activeOn, 12 * retentionPeriods.inactiveAccount.count), 1);

/** Why an account that is not used is not deleted now; it is looked at again. */
export const inactivityExemptions = ["subscription", "payment-open", "request-open"] as const;
export const InactivityExemption = z.enum(inactivityExemptions);
export type InactivityExemption = z.infer<typeof InactivityExemption>;

/**
 * Events of the inactivity of an account (`inactivity-<accountId>`), free of personal data. Its notices
 * and its end are timers that follow from them.
 */
export const InactivityEvent = z.discriminatedUnion("type", [
  /** The day of the last use that is known. */
  z.object({ type: z.literal("InactivityNoted"), data: z.object({ activeOn: Day }) }),
  z.object({
    type: z.literal("InactivityNoticeTried"),
    data: z.object({
      notice: InactivityNotice,
      /** `refused`: the address accepts no mail; the deletion waits until a notice is delivered. */
      result: z.enum(["sent", "refused", "later"]),
    }),
  }),
  /** A mail that counted as delivered came back. A deletion that was asked for because of it ends. */
  z.object({
    type: z.literal("InactivityNoticeReturned"),
    data: z.object({ notice: InactivityNotice, requestId: Uuid.nullable() }),
  }),
  z.object({
    type: z.literal("InactivityExempted"),
    data: z.object({ reason: InactivityExemption }),
  }),
  /** The request for deletion goes the way of every other one. */
  z.object({ type: z.literal("InactiveDeletionRequested"), data: z.object({ requestId: Uuid }) }),
  /** The account was used again, or is gone. A deletion that was asked for ends. */
  z.object({
    type: z.literal("InactivityEnded"),
    data: z.object({ reason: z.enum(["used", "closed"]), requestId: Uuid.nullable() }),
  }),
]);
export type InactivityEvent = z.infer<typeof InactivityEvent>;

/** What is known of an account that is not used. */
export const KnownInactivity = z.object({
  status: z.enum(["noted", "requested"]),
  activeOn: Day,
  /** Days on which the notices were delivered. */
  sent: z.object({ first: Day.nullable(), second: Day.nullable() }),
  /** Before then nothing is tried: a notice failed, or the account is exempt. */
  notBefore: Instant.nullable(),
  /** Notices that failed one after another, and whether the mailbox refused the last one. */
  failed: z.int(),
  refused: z.boolean(),
  exemption: InactivityExemption.nullable(),
  requestId: Uuid.nullable(),
});
export type KnownInactivity = z.infer<typeof KnownInactivity>;

export const inactivityStages = [
  /** The first notice is not due yet, or is tried again. */
  "noted",
  "first-sent",
  "second-sent",
  /** The mailbox refuses the notices: nothing is deleted. */
  "undeliverable",
  "exempt",
  "requested",
] as const;

/** An account that is not used, without a word about whose it is. */
export const InactiveAccount = z.object({
  accountId: Uuid,
  activeOn: Day,
  stage: z.enum(inactivityStages),
  /** When the deletion is asked for, as far as that is known now; 30 days later it is carried out. */
  plannedOn: Day,
  exemption: InactivityExemption.nullable(),
  requestId: Uuid.nullable(),
});
export type InactiveAccount = z.infer<typeof InactiveAccount>;

const officer = { roles: ["officer"] } as const satisfies AccountAccess;

/** For privacy officers. */
export const inactivityCalls = defineCalls({
  "GET /api/console/privacy/inactive": {
    summary: "Accounts that are not used, by the planned day of their deletion, at most 200",
    access: officer,
    answer: z.object({ accounts: z.array(InactiveAccount), total: z.int().nonnegative() }),
  },
});
