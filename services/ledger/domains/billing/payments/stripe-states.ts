import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import Stripe from "stripe";

import {
  type CheckoutState,
  type DisputeState,
  type PaymentCard,
  type PaymentFailure,
  PaymentRefused,
  type PaymentState,
  PaymentUncertain,
  type RefundState,
} from "./port.ts";

/** Decline codes after which the card is useless (docs.stripe.com/declines/codes). */
const hardDeclines: ReadonlySet<string> = new Set([
  "do_not_try_again",
  "fraudulent",
  "invalid_account",
  "lost_card",
  "pickup_card",
  "restricted_card",
  "revocation_of_all_authorizations",
  "revocation_of_authorization",
  "stolen_card",
  "stop_payment_order",
]);

/** The bank wants the holder to confirm a charge that was made without the holder. */
export const needsHolder = "authentication_required";

/** Why a payment or the storing of a card failed; null when it has not. */
function failureOf(
  error: { code?: string; decline_code?: string; advice_code?: string } | null,
): PaymentFailure | null {
  if (error === null) return null;
  const { code = "", decline_code: decline = "", advice_code: advice } = error;
  if (code === "expired_card") return { reason: "expired-card", hard: true };
  if (code.endsWith("_authentication_failure")) return { reason: "challenge-failed", hard: false };
  const hard = hardDeclines.has(decline) || advice === "do_not_try_again";
  if (decline === "insufficient_funds") return { reason: "insufficient-funds", hard };
  return { reason: code === "card_declined" ? "declined" : "other", hard };
}

export function cardOf(
  method: Stripe.PaymentMethod | string | null | undefined,
): PaymentCard | null {
  const card = typeof method === "object" ? method?.card : undefined;
  if (!card) return null;
  const { brand, last4, exp_month: expiryMonth, exp_year: expiryYear } = card;
  return { brand, last4, expiryMonth, expiryYear };
}

/** @returns undefined while no card was tried */
function statusOf({
  status,
  last_payment_error: error,
}: Stripe.PaymentIntent): PaymentState["status"] | undefined {
  switch (status) {
    case "succeeded":
      return "succeeded";
    case "canceled":
      return "failed";
    case "requires_action":
      return "action-required";
    case "requires_payment_method":
      if (error === null) return undefined;
      return error.code === needsHolder ? "action-required" : "failed";
    case "processing":
    case "requires_capture":
    case "requires_confirmation":
    default:
      return "processing";
  }
}

/**
 * @param intent with `latest_charge` and `payment_method` expanded
 * @param page on which the holder confirms, of a payment on a hosted page
 * @returns undefined while no card was tried
 */
export function paymentOf(
  intent: Stripe.PaymentIntent,
  dispute: DisputeState | null,
  page: string | null = null,
): PaymentState | undefined {
  const status = statusOf(intent);
  if (status === undefined) return undefined;
  const { latest_charge: charge, last_payment_error: error, next_action: action } = intent;
  const confirmAt = action?.redirect_to_url?.url ?? page;
  const otherwise: PaymentFailure = { reason: "other", hard: false };
  return {
    paymentId: intent.id,
    status,
    amount: { amount: intent.amount, currency: intent.currency.toUpperCase() },
    refunded: typeof charge === "object" ? (charge?.amount_refunded ?? 0) : 0,
    failure: status === "failed" ? (failureOf(error) ?? otherwise) : null,
    actionUrl: status === "action-required" ? confirmAt : null,
    card: cardOf(intent.payment_method ?? error?.payment_method),
    dispute,
  };
}

/** `warning_*` is an inquiry, which moves no money (docs.stripe.com/disputes/how-disputes-work). */
export function disputeOf(dispute: Stripe.Dispute): DisputeState {
  const { id, status, is_charge_refundable: refundable } = dispute;
  if (status.startsWith("warning_")) return { disputeId: id, status: "inquiry", refundable };
  if (status === "won") return { disputeId: id, status: "won", refundable };
  return { disputeId: id, status: status === "lost" ? "lost" : "open", refundable };
}

export function refundOf(refund: Stripe.Refund): RefundState {
  const { id, status, amount, currency, payment_intent: intent } = refund;
  const isPending = status === "pending" || status === "requires_action";
  return {
    refundId: id,
    paymentId: typeof intent === "object" ? (intent?.id ?? "") : intent,
    status: status === "succeeded" ? "succeeded" : isPending ? "pending" : "failed",
    amount: { amount, currency: currency.toUpperCase() },
  };
}

const checkoutStatus: Readonly<Record<string, CheckoutState["status"]>> = {
  complete: "completed",
  expired: "expired",
};

/** @param session with its setup intent's payment method expanded */
export function checkoutOf(
  session: Stripe.Checkout.Session,
  payment: PaymentState | undefined,
): CheckoutState {
  const { setup_intent: setup } = session;
  const stored = typeof setup === "object" ? cardOf(setup?.payment_method) : null;
  const status = checkoutStatus[session.status ?? "open"] ?? "open";
  return {
    checkoutId: session.id,
    url: session.url ?? session.success_url ?? "",
    status,
    payment: payment ?? null,
    card: status === "completed" ? (payment?.card ?? stored) : null,
    expiresAt: instantFromMs(session.expires_at * 1000),
  };
}

/**
 * Turns Stripe's errors into the port's two. Its own faults, limits and a request that is still under way
 * leave open whether the change was made.
 * @throws PaymentUncertain, PaymentRefused
 */
export async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (cause) {
    if (!(cause instanceof Stripe.errors.StripeError)) throw cause;
    const { statusCode = 0, code = "", type } = cause;
    // The message may repeat what was sent; type and code are enough to find the cause.
    const about = `${type} ${code}`.trim();
    const isOpen = statusCode === 0 || statusCode >= 500 || statusCode === 429;
    if (isOpen || statusCode === 409) throw new PaymentUncertain(about, { cause });
    throw new PaymentRefused(about, { cause });
  }
}
