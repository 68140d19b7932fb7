import type { Clock } from "@pro-talent/platform/runtime/clock";
import Stripe from "stripe";

import {
  type CheckoutState,
  type DisputeState,
  type PaymentProvider,
  PaymentRefused,
  type PaymentState,
  requireSameAmount,
} from "./port.ts";
import { readStripeHint } from "./stripe-hints.ts";
import { findByMetadata, matching } from "./stripe-lookup.ts";
import {
  answered,
  checkoutOf,
  disputeOf,
  needsHolder,
  paymentOf,
  refundOf,
  cardOf,
} from "./stripe-states.ts";

export type StripeOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Where the holder returns to after confirming a charge that was made without them. */
  readonly returnUrl: string;
  readonly clock: Clock;
  readonly answerWithinMs?: number;
  /** Another server than Stripe's. */
  readonly server?: { readonly host: string; readonly port: number; readonly protocol: "http" };
};

const intentParts = ["latest_charge", "payment_method"];
/** Refunds are looked for this far back: a bank returns them within a month. */
const refundDays = 40;

/**
 * Payments at Stripe: hosted Checkout, and payment intents without the holder. Each object carries the key
 * of its command in its metadata, by which it is found again; the customer carries the account.
 */
export function stripePayments(options: StripeOptions): PaymentProvider {
  const stripe = new Stripe(options.secretKey, {
    ...options.server,
    timeout: options.answerWithinMs ?? 20_000,
    // Billing repeats a call itself, after it has looked it up.
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const payments = new StripePayments(stripe, options);
  return {
    name: "stripe",
    openCheckout: (request) => payments.openCheckout(request),
    findCheckout: (checkoutId) => payments.findCheckout(checkoutId),
    findCard: async (accountId) => (await payments.newestCard(accountId))?.card ?? undefined,
    charge: (request) => payments.charge(request),
    findPayment: (by) => payments.findPayment(by),
    refund: async ({ key, paymentId, amount }) => {
      const ofPayment = stripe.refunds.list({ payment_intent: paymentId, limit: 100 });
      const [earlier] = await matching(ofPayment, "key", key);
      if (earlier) return requireSameAmount(refundOf(earlier), amount);
      const request = { payment_intent: paymentId, amount: amount.amount, metadata: { key } };
      return refundOf(await answered(stripe.refunds.create(request, { idempotencyKey: key })));
    },
    findRefund: async (key) => {
      const gte = Math.floor(options.clock() / 1000) - refundDays * 24 * 3600;
      const recent = stripe.refunds.list({ created: { gte }, limit: 100 });
      const [found] = await matching(recent, "key", key);
      return found && refundOf(found);
    },
    forget: async (accountId) => {
      for (const { id } of await payments.customersOf(accountId)) {
        await answered(stripe.customers.del(id));
      }
    },
    readHint: ({ "stripe-signature": signature }, body, nowMs) =>
      readStripeHint(stripe.webhooks, options, { signature, body, nowMs }),
  };
}

class StripePayments {
  readonly #stripe: Stripe;
  readonly #options: StripeOptions;

  constructor(stripe: Stripe, options: StripeOptions) {
    this.#stripe = stripe;
    this.#options = options;
  }

  customersOf(accountId: string): Promise<Stripe.Customer[]> {
    const at = { nowMs: this.#options.clock() };
    return findByMetadata(this.#stripe.customers, ["accountId", accountId], at);
  }

  async openCheckout(
    request: Parameters<PaymentProvider["openCheckout"]>[0],
  ): Promise<CheckoutState> {
    const { key, accountId, amount, description, returnUrl } = request;
    const customer = await this.#customer(accountId);
    const separator = returnUrl.includes("?") ? "&" : "?";
    const metadata = { key, accountId };
    const session = this.#stripe.checkout.sessions.create(
      {
        customer,
        client_reference_id: accountId,
        locale: request.language,
        allowed_payment_method_types: ["card"],
        // Stripe fills in the braces, which must not be encoded.
        success_url: `${returnUrl}${separator}checkout={CHECKOUT_SESSION_ID}`,
        cancel_url: request.cancelUrl,
        metadata,
        ...(amount === null
          ? { mode: "setup", setup_intent_data: { metadata, description } }
          : {
              mode: "payment",
              line_items: [
                {
                  quantity: 1,
                  price_data: {
                    currency: amount.currency.toLowerCase(),
                    unit_amount: amount.amount,
                    product_data: { name: description },
                  },
                },
              ],
              payment_intent_data: { setup_future_usage: "off_session", metadata, description },
            }),
      },
      { idempotencyKey: key },
    );
    return checkoutOf(await answered(session), undefined);
  }

  async findCheckout(checkoutId: string): Promise<CheckoutState | undefined> {
    const expand = [
      ...intentParts.map((part) => `payment_intent.${part}`),
      "setup_intent.payment_method",
    ];
    const session = await unlessMissing(
      this.#stripe.checkout.sessions.retrieve(checkoutId, { expand }),
    );
    if (session === undefined) return undefined;
    const { payment_intent: intent, url } = session;
    const isPaid = typeof intent === "object" && intent !== null;
    return checkoutOf(session, isPaid ? await this.#payment(intent, url) : undefined);
  }

  async charge({
    key,
    accountId,
    amount,
    description,
  }: Parameters<PaymentProvider["charge"]>[0]): Promise<PaymentState> {
    // Stripe forgets a key after a day: what was done under it is looked up first.
    const earlier = await this.#intentByKey(key);
    if (earlier) return this.#settled(requireCurrency(earlier, amount), key);
    const method = await this.newestCard(accountId);
    if (method === undefined) throw new PaymentRefused("The account has no stored card");
    const asked = this.#stripe.paymentIntents.create(
      {
        amount: amount.amount,
        currency: amount.currency.toLowerCase(),
        customer: method.customer,
        payment_method: method.id,
        allowed_payment_method_types: ["card"],
        off_session: true,
        confirm: true,
        description,
        metadata: { key, accountId },
        expand: intentParts,
      },
      { idempotencyKey: key },
    );
    return this.#settled(await declinedIntent(asked), key);
  }

  async findPayment(
    by: Parameters<PaymentProvider["findPayment"]>[0],
  ): Promise<PaymentState | undefined> {
    const intent =
      "key" in by
        ? await this.#intentByKey(by.key)
        : await unlessMissing(
            this.#stripe.paymentIntents.retrieve(by.paymentId, { expand: intentParts }),
          );
    return intent && this.#payment(intent, null);
  }

  async #intentByKey(key: string): Promise<Stripe.PaymentIntent | undefined> {
    const at = { nowMs: this.#options.clock(), expand: intentParts };
    const [found] = await findByMetadata(this.#stripe.paymentIntents, ["key", key], at);
    return found;
  }

  async #payment(
    intent: Stripe.PaymentIntent,
    page: string | null,
  ): Promise<PaymentState | undefined> {
    return paymentOf(intent, await this.#dispute(intent), page);
  }

  async #dispute({
    id,
    latest_charge: charge,
  }: Stripe.PaymentIntent): Promise<DisputeState | null> {
    if (typeof charge !== "object" || charge?.disputed !== true) return null;
    const disputes = await answered(this.#stripe.disputes.list({ payment_intent: id, limit: 1 }));
    const [newest] = disputes.data;
    return newest ? disputeOf(newest) : null;
  }

  /**
   * A charge that the bank wants confirmed is confirmed again with the holder, which gives the address
   * at which the bank asks.
   */
  async #settled(intent: Stripe.PaymentIntent, key: string): Promise<PaymentState> {
    const { last_payment_error: error, status } = intent;
    const method = error?.payment_method?.id;
    const isAsked = status === "requires_payment_method" && error?.code === needsHolder;
    const confirmed =
      isAsked && method !== undefined
        ? await declinedIntent(
            this.#stripe.paymentIntents.confirm(
              intent.id,
              { payment_method: method, return_url: this.#options.returnUrl, expand: intentParts },
              { idempotencyKey: `${key}:confirm` },
            ),
          )
        : intent;
    const payment = await this.#payment(confirmed, null);
    if (payment === undefined) throw new PaymentRefused("The payment was not tried");
    return payment;
  }

  /** @returns its id; made under a key of its own, so that two calls at once make one */
  async #customer(accountId: string): Promise<string> {
    const [known] = await this.customersOf(accountId);
    if (known) return known.id;
    const idempotencyKey = `customer-${accountId}`;
    const asked = this.#stripe.customers.create({ metadata: { accountId } }, { idempotencyKey });
    return (await answered(asked)).id;
  }

  /** The card that was stored last, and whose it is. */
  async newestCard(accountId: string) {
    for (const { id: customer } of await this.customersOf(accountId)) {
      const cards = this.#stripe.customers.listPaymentMethods(customer, { type: "card", limit: 1 });
      const [newest] = (await answered(cards)).data;
      if (newest) return { id: newest.id, customer, card: cardOf(newest) };
    }
    return undefined;
  }
}

function requireCurrency(
  intent: Stripe.PaymentIntent,
  amount: { readonly amount: number; readonly currency: string },
): Stripe.PaymentIntent {
  const { amount: was, currency } = intent;
  requireSameAmount({ amount: { amount: was, currency: currency.toUpperCase() } }, amount);
  return intent;
}

/** A declined card is an answer, not an error: Stripe's error carries the payment intent. */
async function declinedIntent(asked: Promise<Stripe.PaymentIntent>): Promise<Stripe.PaymentIntent> {
  const declined = async (error: unknown): Promise<Stripe.PaymentIntent> => {
    const isCard = error instanceof Stripe.errors.StripeCardError;
    if (isCard && error.payment_intent) return error.payment_intent;
    throw error;
  };
  return answered(asked.catch(declined));
}

/** @returns undefined for what Stripe does not know */
async function unlessMissing<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  const missing = async (error: unknown): Promise<undefined> => {
    const isMissing = error instanceof Stripe.errors.StripeInvalidRequestError;
    if (isMissing && error.statusCode === 404) return undefined;
    throw error;
  };
  return answered(asked.catch(missing));
}
