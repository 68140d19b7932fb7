import { z } from "zod";

import { Day } from "../primitives/calendar.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { PeriodPlace } from "./calendar.ts";
import { checkoutDocuments } from "./consent-texts.ts";
import { ChargeTerms, DiscountPercent, Price } from "./prices.ts";

/** The provider's id of a payment, checkout or dispute. */
export const ProviderId = z.string().min(1).max(255);

/** Key of a refund at the provider: of its charge, and a number. */
export const RefundKey = z.string().regex(/^[0-9a-f-]{36}\.\d{1,3}$/);

export const chargePurposes = ["start", "renewal", "upgrade"] as const;
export const refundReasons = ["withdrawal", "not-needed"] as const;
export const endReasons = [
  "cancelled",
  "withdrawal",
  "unpaid",
  "unreachable",
  "dispute",
  "account-closed",
] as const;
export const parkingReasons = [
  "payment-differs",
  "payment-unsettled",
  "paid-twice",
  "refunded-too-much",
  "refund-failed",
] as const;

/** Mails about a subscription. Each is owed until the mail server has accepted it. */
export const notices = [
  "order",
  "changed",
  "downgrade",
  "cancelled",
  "withdrawn",
  "resumed",
  "payment-failed",
  "confirm-payment",
  "paid",
  "ended",
  "refunded",
  "refund-failed",
  "dispute",
  /** Before the renewal of an annual plan: 45 and 21 days. */
  "annual-first",
  "annual-second",
  /** Seven days before every renewal. */
  "reminder",
  "price-first",
  "price-second",
] as const;
export const Notice = z.enum(notices);
export type Notice = z.infer<typeof Notice>;

const event = <const Type extends string, Shape extends z.ZodRawShape>(type: Type, data: Shape) =>
  z.object({ type: z.literal(type), data: z.object(data) });

/** What was paid for the days from one to another: the base of a credit. */
export const Cover = z.object({ amount: z.int(), from: Day, to: Day }).readonly();
export type Cover = z.infer<typeof Cover>;

/** A charge that a notice announced: not before this day, at most this amount in minor units. */
export const AnnouncedCharge = z.object({ on: Day, amount: z.int() }).readonly();

/**
 * Events of a billing stream (`billing-<accountId>`), free of personal data: no names, no card. What is
 * intended is recorded before the provider is called, and what the provider did after it.
 */
export const BillingEvent = z.discriminatedUnion("type", [
  /** The account was invited: it may buy before the launch. */
  event("BuyingAllowed", {}),
  /** The payment that begins the next subscription is reduced: once for an account. */
  event("DiscountGranted", { percent: DiscountPercent, invitationId: Uuid }),
  /** Proof of a consent: which text, in which version and language, SHA-256 of its words. */
  event("ConsentGiven", {
    checkout: Uuid,
    document: z.enum(checkoutDocuments),
    version: z.string().min(1).max(40),
    language: Locale,
    textHash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  /** The id is the key of the payment at the provider. A checkout without price stores a card. */
  event("CheckoutOpened", {
    checkout: Uuid,
    price: Price.nullable(),
    terms: ChargeTerms.nullable(),
    place: PeriodPlace.nullable(),
    cover: Cover.nullable(),
    zone: z.string().max(64),
  }),
  event("CheckoutAttached", { checkout: Uuid, reference: ProviderId, expiresAt: Instant }),
  event("CheckoutExpired", { checkout: Uuid }),
  event("CardStored", { checkout: Uuid }),
  event("SubscriptionStarted", {
    /** The checkout that was paid. */
    contract: Uuid,
    price: Price,
    place: PeriodPlace,
    cover: Cover,
    /** Of the account holder at that time; days of the contract are days there. */
    zone: z.string().max(64),
    /** Withdrawal with full refund until then. */
    refundUntil: Instant,
  }),
  event("ChargeIntended", {
    /** The key at the provider. */
    charge: Uuid,
    purpose: z.enum(chargePurposes).exclude(["start"]),
    price: Price,
    place: PeriodPlace,
    terms: ChargeTerms,
    /** What the payment leads to covers. */
    cover: Cover,
  }),
  event("ChargeSucceeded", { charge: Uuid, payment: ProviderId }),
  /** The holder must confirm the payment at the provider. */
  event("ChargeHeld", { charge: Uuid, payment: ProviderId }),
  event("ChargeFailed", {
    charge: Uuid,
    reason: z.enum([
      "declined",
      "insufficient-funds",
      "expired-card",
      "challenge-failed",
      "not-confirmed",
      "superseded",
      "other",
    ]),
    /** Another attempt with this card is useless. */
    hard: z.boolean(),
  }),
  event("PlanRenewed", { charge: Uuid, price: Price, place: PeriodPlace, cover: Cover }),
  event("UpgradeApplied", {
    charge: Uuid.nullable(),
    price: Price,
    place: PeriodPlace,
    cover: Cover,
  }),
  event("DowngradeScheduled", { price: Price, effective: Day }),
  event("DowngradeDropped", {}),
  event("CancellationRequested", { endsOn: Day, endsAt: Instant }),
  /** While money of the contract is disputed it is not renewed. */
  event("RenewalStopped", { endsOn: Day, endsAt: Instant }),
  event("Resumed", {}),
  /** All payments of the contract are returned. */
  event("WithdrawalConfirmed", { contract: Uuid, amount: z.int().nonnegative() }),
  /** A renewal was not paid: access lasts until then. */
  event("GraceStarted", { failedOn: Day, endsAt: Instant }),
  event("SubscriptionEnded", { reason: z.enum(endReasons) }),
  /** Evidence of a renewal is too old: the period that it announced is over. */
  event("RenewalLapsed", { renewal: Day }),
  /** The mail server accepted it: evidence of delivery. */
  event("NoticeDelivered", {
    notice: Notice,
    /** What it is about: a charge, a refund, the day of a renewal. */
    about: z.string().max(64),
    on: Day,
    announces: AnnouncedCharge.nullable(),
  }),
  event("NoticeFailed", {
    notice: Notice,
    about: z.string().max(64),
    /** `refused`: no such mailbox. `bounced`: it came back after it had been accepted. */
    reason: z.enum(["refused", "bounced", "delayed", "uncertain"]),
  }),
  event("PriceAnnounced", { price: Price, effective: Day }),
  event("RefundIntended", {
    refund: RefundKey,
    charge: Uuid,
    amount: z.int().positive(),
    reason: z.enum(refundReasons),
  }),
  event("RefundSettled", { refund: RefundKey }),
  event("RefundFailed", { refund: RefundKey }),
  /** The provider returned more than was intended here, in all. */
  event("RefundObserved", { charge: Uuid, returned: z.int().positive() }),
  /** An inquiry moves no money. */
  event("DisputeOpened", {
    charge: Uuid,
    dispute: ProviderId,
    kind: z.enum(["inquiry", "open"]),
    refundable: z.boolean(),
  }),
  event("DisputeClosed", { charge: Uuid, result: z.enum(["won", "lost", "withdrawn"]) }),
  /** What was recorded contradicts itself or the provider: nothing is charged until it is released. */
  event("AccountParked", { reason: z.enum(parkingReasons) }),
  event("AccountReleased", {}),
  event("AccountClosed", {}),
  /** Of a closed account: the payment provider has deleted the customer and the stored card. */
  event("CustomerForgotten", {}),
]);
export type BillingEvent = z.infer<typeof BillingEvent>;

/** The data of one type of event. */
export type BillingData<Type extends BillingEvent["type"]> = Extract<
  BillingEvent,
  { type: Type }
>["data"];
