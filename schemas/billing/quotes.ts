import { z } from "zod";

import { Day } from "../primitives/calendar.ts";
import { Instant } from "../primitives/instant.ts";
import { BillingCycle, PeriodPlace } from "./calendar.ts";
import { Cover } from "./events.ts";
import { ChargeTerms, Price } from "./prices.ts";

/** A plan and how often it is paid. */
export const PlanChoice = z
  .object({ plan: z.enum(["essential", "premium"]), cycle: BillingCycle })
  .readonly();
export type PlanChoice = z.infer<typeof PlanChoice>;

const NextCharge = z.object({ on: Day, amount: z.int(), currency: z.string() }).readonly();
const next = { next: NextCharge.nullable() };

/**
 * What an act on a subscription would do now. The act itself computes it again and is refused when it
 * differs, so that what was shown is what happens.
 */
export const Quote = z.discriminatedUnion("act", [
  /** A new subscription, paid at once on the provider's page. */
  z
    .object({
      act: z.literal("start"),
      price: Price,
      place: PeriodPlace,
      terms: ChargeTerms,
      zone: z.string(),
      refundUntil: Instant,
      lastRefundDay: Day,
      ...next,
    })
    .readonly(),
  /** At once, for the difference. */
  z
    .object({
      act: z.literal("upgrade"),
      on: Day,
      price: Price,
      place: PeriodPlace,
      terms: ChargeTerms,
      cover: Cover,
      ...next,
    })
    .readonly(),
  /** At the next renewal. */
  z.object({ act: z.literal("downgrade"), price: Price, effective: Day, ...next }).readonly(),
  z.object({ act: z.literal("drop-downgrade"), ...next }).readonly(),
  /** Within the refund window: all is returned, the plan ends at once. */
  z
    .object({
      act: z.literal("withdraw"),
      refund: z.object({ amount: z.int(), currency: z.string() }).readonly(),
    })
    .readonly(),
  /** Afterwards: nothing is returned, access lasts to the end of what was paid. */
  z.object({ act: z.literal("cancel"), endsOn: Day, endsAt: Instant }).readonly(),
  z.object({ act: z.literal("resume"), ...next }).readonly(),
]);
export type Quote = z.infer<typeof Quote>;
export type QuoteOf<Act extends Quote["act"]> = Extract<Quote, { act: Act }>;
