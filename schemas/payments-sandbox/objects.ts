import { z } from "zod";

import { Money } from "../billing/money.ts";
import { Instant } from "../primitives/instant.ts";

const Id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);
/** Names one change: its repetition has no second effect, and what it made is found by it. */
export const SandboxKey = z.string().regex(/^[\w:.-]{1,255}$/);

/** What may be shown of a stored card. */
export const SandboxCard = z.object({
  brand: z.string(),
  last4: z.string(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
});

/** `hard`: trying the card again is useless. */
export const SandboxFailure = z.object({
  reason: z.enum(["declined", "insufficient-funds", "expired-card", "challenge-failed", "other"]),
  hard: z.boolean(),
});

export const sandboxDisputeStatuses = ["inquiry", "open", "won", "lost"] as const;
export const SandboxDispute = z.object({
  disputeId: Id,
  status: z.enum(sandboxDisputeStatuses),
  refundable: z.boolean(),
});

export const SandboxPayment = z.object({
  paymentId: Id,
  status: z.enum(["action-required", "succeeded", "failed"]),
  amount: Money,
  /** Of succeeded refunds, in minor units. */
  refunded: z.int(),
  failure: SandboxFailure.nullable(),
  /** Where the holder confirms the payment. */
  actionUrl: z.url().nullable(),
  card: SandboxCard.nullable(),
  dispute: SandboxDispute.nullable(),
});

export const SandboxRefund = z.object({
  refundId: Id,
  paymentId: Id,
  status: z.enum(["succeeded", "failed"]),
  amount: Money,
});

export const SandboxCheckout = z.object({
  checkoutId: Id,
  url: z.url(),
  status: z.enum(["open", "completed", "expired"]),
  payment: SandboxPayment.nullable(),
  card: SandboxCard.nullable(),
  expiresAt: Instant,
});

/** The body of a webhook: a hint at what changed, never the change itself. */
export const SandboxEvent = z.object({
  eventId: Id,
  type: z.enum([
    "checkout.completed",
    "payment.succeeded",
    "payment.failed",
    "payment.action_required",
    "refund.succeeded",
    "refund.failed",
    "dispute.changed",
  ]),
  createdAt: Instant,
  environment: z.literal("sandbox"),
  checkoutId: Id.nullable(),
  paymentId: Id.nullable(),
});
export type SandboxEvent = z.infer<typeof SandboxEvent>;

/** Holds the signature of a webhook. */
export const sandboxSignatureHeader = "sandbox-signature";
