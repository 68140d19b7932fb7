import type { Money } from "@pro-talent/schemas/billing/money";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

/** The card that pays, as far as it may be shown and stored. */
export type PaymentCard = {
  readonly brand: string;
  readonly last4: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
};

/**
 * Why a payment failed. `hard`: trying this card again is useless (stolen, expired, closed account).
 */
export type PaymentFailure = {
  readonly reason:
    | "declined"
    | "insufficient-funds"
    | "expired-card"
    | "challenge-failed"
    | "other";
  readonly hard: boolean;
};

/**
 * A payment as the provider holds it now. `action-required`: the holder must confirm it at
 * `actionUrl` (strong customer authentication). `unknown-outcome` does not exist here: a call without an
 * answer throws {@link PaymentUncertain}, and is looked up under the same key.
 */
export type PaymentState = {
  /** The provider's id. */
  readonly paymentId: string;
  readonly status: "processing" | "action-required" | "succeeded" | "failed";
  /** What was asked for. */
  readonly amount: Money;
  /** Of succeeded refunds, in minor units. */
  readonly refunded: number;
  readonly failure: PaymentFailure | null;
  readonly actionUrl: string | null;
  readonly card: PaymentCard | null;
  readonly dispute: DisputeState | null;
};

/** `inquiry` moves no money; an open dispute has taken it back, `won` returned it. */
export type DisputeState = {
  readonly disputeId: string;
  readonly status: "inquiry" | "open" | "won" | "lost";
  readonly refundable: boolean;
};

export type RefundState = {
  readonly refundId: string;
  readonly paymentId: string;
  readonly status: "pending" | "succeeded" | "failed";
  readonly amount: Money;
};

/**
 * A hosted page of the provider on which the holder enters a card: it pays `amount` at once, or stores
 * the card when the amount is null. The card may be charged later without the holder.
 */
export type CheckoutState = {
  readonly checkoutId: string;
  /** Where the browser is sent. */
  readonly url: string;
  readonly status: "open" | "completed" | "expired";
  /** The payment, once one was tried. */
  readonly payment: PaymentState | null;
  /** The stored card, once completed. */
  readonly card: PaymentCard | null;
  readonly expiresAt: Instant;
};

/** The provider did not answer, or so that the result is not known: look up under the same key. */
export class PaymentUncertain extends Error {
  override readonly name = "PaymentUncertain";
}

/** The provider refuses the request itself: a fault of configuration or of this product. */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused";
}

/**
 * What was found under a key must be what is asked for now.
 * @throws PaymentRefused when the key was used for another amount
 */
export function requireSameAmount<Found extends { readonly amount: Money }>(
  found: Found,
  { amount, currency }: Money,
): Found {
  const isSame = found.amount.amount === amount && found.amount.currency === currency;
  if (!isSame) throw new PaymentRefused("The key was already used for another amount");
  return found;
}

/** What an event of the provider is about: a hint to look it up, never the truth itself. */
export type ProviderHint = {
  /** The provider's id of the event; the same when it is delivered again. */
  readonly eventId: string;
  readonly about:
    | { readonly kind: "checkout"; readonly checkoutId: string }
    | { readonly kind: "payment"; readonly paymentId: string }
    | { readonly kind: "other" };
};

export type HintRefusal = "signature" | "too-old" | "from-the-future" | "malformed" | "environment";

/**
 * Deletes the customer with the stored card, and reads back that the card is gone. May be repeated.
 * @throws PaymentUncertain without a sure answer; PaymentRefused when a card is left
 */
export async function forgetCustomer(
  payments: Pick<PaymentProvider, "forget" | "findCard">,
  accountId: string,
): Promise<void> {
  await payments.forget(accountId);
  if ((await payments.findCard(accountId)) !== undefined)
    throw new PaymentRefused("The provider still has a card of the customer");
}

/**
 * A provider of card payments. Every call that changes something has a key, made and recorded before the
 * call: a repetition under the same key has one effect. Amounts are in minor units (ISO 4217). All calls
 * throw PaymentUncertain when there is no sure answer.
 */
export type PaymentProvider = {
  readonly name: "sandbox" | "stripe";
  readonly openCheckout: (request: {
    readonly key: string;
    /** Opaque; the provider's customer is made and found by it. */
    readonly accountId: string;
    readonly amount: Money | null;
    /** Shown to the holder, as in `Premium, monthly`. */
    readonly description: string;
    readonly language: Locale;
    /** Where the holder returns to; the query gets `checkout=<id>`. */
    readonly returnUrl: string;
    readonly cancelUrl: string;
  }) => Promise<CheckoutState>;
  readonly findCheckout: (checkoutId: string) => Promise<CheckoutState | undefined>;
  /** The card that `charge` takes: the one that was stored last. */
  readonly findCard: (accountId: string) => Promise<PaymentCard | undefined>;
  /** Charges the account's stored card without the holder. */
  readonly charge: (request: {
    readonly key: string;
    readonly accountId: string;
    readonly amount: Money;
    readonly description: string;
  }) => Promise<PaymentState>;
  /** By the key of `charge` or `openCheckout`, or by the provider's id. */
  readonly findPayment: (
    by: { readonly key: string } | { readonly paymentId: string },
  ) => Promise<PaymentState | undefined>;
  readonly refund: (request: {
    readonly key: string;
    readonly paymentId: string;
    readonly amount: Money;
  }) => Promise<RefundState>;
  readonly findRefund: (key: string) => Promise<RefundState | undefined>;
  /** Deletes the customer and the stored card. */
  readonly forget: (accountId: string) => Promise<void>;
  /** Checks signature and time of a webhook; the body is the raw bytes. */
  readonly readHint: (
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: Buffer,
    nowMs: number,
  ) => ProviderHint | HintRefusal | Promise<ProviderHint | HintRefusal>;
};
