import { z } from "zod";

import { Day } from "../primitives/calendar.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { PeriodPlace } from "./calendar.ts";
import {
  AnnouncedCharge,
  chargePurposes,
  Cover,
  endReasons,
  Notice,
  parkingReasons,
  ProviderId,
  RefundKey,
  refundReasons,
} from "./events.ts";
import { ChargeTerms, DiscountPercent, Price } from "./prices.ts";

const Dispute = z
  .object({
    dispute: ProviderId,
    status: z.enum(["inquiry", "open", "won", "lost", "withdrawn"]),
    refundable: z.boolean(),
  })
  .readonly();

/**
 * One payment, from its intent on. `hosted`: paid on the provider's page, where several attempts may fail.
 * `held`: its holder must confirm it. The id is its key at the provider.
 */
const Charge = z
  .object({
    charge: Uuid,
    purpose: z.enum(chargePurposes),
    status: z.enum(["hosted", "open", "held", "failed", "succeeded"]),
    price: Price,
    place: PeriodPlace,
    cover: Cover,
    terms: ChargeTerms,
    at: Instant,
    contract: Uuid,
    payment: ProviderId.nullable(),
    /** Settled refunds, in minor units. */
    returned: z.int(),
    /** All of it must be returned: the contract was withdrawn from, or the payment led to nothing. */
    owedBack: z.boolean(),
    dispute: Dispute.nullable(),
  })
  .readonly();
export type Charge = z.infer<typeof Charge>;

const Checkout = z
  .object({
    checkout: Uuid,
    kind: z.enum(["start", "card"]),
    status: z.enum(["open", "completed", "expired"]),
    price: Price.nullable(),
    zone: z.string(),
    openedAt: Instant,
    /** The provider's id; null until it has answered. */
    reference: ProviderId.nullable(),
    expiresAt: Instant.nullable(),
  })
  .readonly();
export type Checkout = z.infer<typeof Checkout>;

const Refund = z
  .object({
    refund: RefundKey,
    charge: Uuid,
    amount: z.int(),
    reason: z.enum(refundReasons),
    status: z.enum(["intended", "succeeded", "failed"]),
    at: Instant,
  })
  .readonly();
export type Refund = z.infer<typeof Refund>;

const Announced = z
  .object({
    price: Price,
    /** The renewal from which the price counts. */
    effective: Day,
    on: Day,
    first: Day.nullable(),
    second: Day.nullable(),
  })
  .readonly();

const Subscription = z
  .object({
    contract: Uuid,
    zone: z.string(),
    startedOn: Day,
    refundUntil: Instant,
    /** The day on which the confirmation of the order was delivered; null until then. */
    confirmedOn: Day.nullable(),
    price: Price,
    place: PeriodPlace,
    cover: Cover,
    /** Cancelled: it ends there. */
    ending: z.object({ endsOn: Day, endsAt: Instant }).readonly().nullable(),
    scheduled: z.object({ price: Price, effective: Day }).readonly().nullable(),
    announced: Announced.nullable(),
    /** Days on which notices of the next renewal were delivered. */
    evidence: z
      .object({
        first: Day.nullable(),
        second: Day.nullable(),
        reminder: z.object({ on: Day, announces: AnnouncedCharge }).readonly().nullable(),
      })
      .readonly(),
    /** A renewal is not paid. */
    dunning: z
      .object({
        failedOn: Day,
        endsAt: Instant,
        /** Failed ones. */
        attempts: z.int(),
        hard: z.boolean(),
        /** A card was stored after the last attempt. */
        newCard: z.boolean(),
      })
      .readonly()
      .nullable(),
  })
  .readonly();
export type Subscription = z.infer<typeof Subscription>;

const OwedNotice = z.object({ notice: Notice, about: z.string(), at: Instant }).readonly();
export type OwedNotice = z.infer<typeof OwedNotice>;

const MailFailure = z
  .object({
    notice: Notice,
    about: z.string(),
    count: z.int(),
    /** How often the mailbox was refused permanently, or mail to it came back. */
    refused: z.int(),
    at: Instant,
  })
  .readonly();
export type MailFailure = z.infer<typeof MailFailure>;

/** What the events of one account's billing lead to. */
export const BillingState = z
  .object({
    subscription: Subscription.nullable(),
    /** How the last subscription ended. */
    ended: z
      .object({ reason: z.enum(endReasons), at: Instant })
      .readonly()
      .nullable(),
    checkouts: z.array(Checkout).readonly(),
    charges: z.array(Charge).readonly(),
    refunds: z.array(Refund).readonly(),
    /** The oldest first. */
    owed: z.array(OwedNotice).readonly(),
    mailFailures: z.array(MailFailure).readonly(),
    parked: z
      .object({ reason: z.enum(parkingReasons), at: Instant })
      .readonly()
      .nullable(),
    closed: z.boolean(),
    /** Since when the payment provider is to delete the customer; null when it has, or knows none. */
    forgetAt: Instant.nullable(),
    /** May buy before the launch. */
    invited: z.boolean(),
    /** The one that was granted; used up by the payment of a subscription that it reduced. */
    discount: z.object({ percent: DiscountPercent, used: z.boolean() }).readonly().nullable(),
  })
  .readonly();
export type BillingState = z.infer<typeof BillingState>;
