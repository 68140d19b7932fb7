import { randomBytes } from "node:crypto";

import type Stripe from "stripe";

import {
  cardObject,
  chargeObject,
  customerObject,
  disputeObject,
  intentObject,
  refundObject,
  setupObject,
} from "./stripe-objects.ts";
import { refuse, StripeRefusal } from "./stripe-refusal.ts";
import { sessionObject } from "./stripe-session.ts";
import { behaviourOf, type Decline, refusedByHolder } from "./stripe-test-cards.ts";

export type Parameters = ReadonlyMap<string, string>;
type Publish = (type: string, object: object) => void;

/** What Stripe does with its objects, as far as billing uses it. */
export class StripeMachine {
  readonly customers = new Map<string, Stripe.Customer>();
  readonly methods = new Map<string, Stripe.PaymentMethod>();
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly setups = new Map<string, Stripe.SetupIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly disputes = new Map<string, Stripe.Dispute>();
  readonly sessions = new Map<string, Stripe.Checkout.Session>();
  readonly #parameters = new Map<string, Parameters>();
  readonly #refundFailures = new Map<string, number>();
  readonly #now: () => number;
  readonly #publish: Publish;

  constructor(nowSeconds: () => number, publish: Publish) {
    this.#now = nowSeconds;
    this.#publish = publish;
  }

  createCustomer(parameters: Parameters): Stripe.Customer {
    return stored(
      this.customers,
      customerObject(freshId("cus"), this.#now(), metadataOf(parameters)),
    );
  }

  createSession(parameters: Parameters): Stripe.Checkout.Session {
    const get = (name: string): string | null => parameters.get(name) ?? null;
    const mode = get("mode") === "setup" ? "setup" : "payment";
    const id = freshId("cs_test");
    const customer = get("customer");
    const metadata = metadataOf(parameters, "setup_intent_data[metadata]");
    const setup = setupObject({ id: freshId("seti"), created: this.#now(), customer, metadata });
    if (mode === "setup") stored(this.setups, setup);
    this.#parameters.set(id, parameters);
    const amount = get("line_items[0][price_data][unit_amount]");
    return stored(
      this.sessions,
      sessionObject({
        id,
        created: this.#now(),
        amount_total: amount === null ? null : Number(amount),
        cancel_url: get("cancel_url"),
        client_reference_id: get("client_reference_id"),
        currency: get("line_items[0][price_data][currency]"),
        customer,
        expires_at: this.#now() + 24 * 3600,
        locale: get("locale"),
        metadata: metadataOf(parameters),
        mode,
        setup_intent: mode === "setup" ? setup.id : null,
        success_url: get("success_url")?.replace("{CHECKOUT_SESSION_ID}", id) ?? null,
        url: `https://checkout.stripe.example/c/pay/${id}`,
      }),
    );
  }

  /** The holder pays with a card on the page of a session. */
  press(sessionId: string, name: string): void {
    const session = known(this.sessions, sessionId);
    if (session.status !== "open") return;
    const { onPage } = behaviourOf(name);
    const method = this.#newCard(name);
    if (session.mode === "setup") {
      if (onPage === "succeeds") this.#complete(session, method);
      return;
    }
    const intent = this.#intentOf(session);
    const tried = { ...intent, payment_method: method.id, last_payment_error: null };
    if (onPage === "succeeds") {
      this.#succeed(tried);
      this.#complete(session, method);
    } else if (onPage === "asks") {
      const next_action = { type: "use_stripe_sdk", use_stripe_sdk: {} };
      stored(this.intents, { ...tried, status: "requires_action", next_action });
      this.#publish("payment_intent.requires_action", known(this.intents, intent.id));
    } else this.#fail(tried, method, onPage);
  }

  /** The holder answers the bank. @param id of a session or of a payment intent */
  answerChallenge(id: string, approved: boolean): void {
    const session = this.sessions.get(id);
    const intentId = session ? session.payment_intent : id;
    const intent = known(this.intents, intentId);
    const method = known(this.methods, intent.payment_method);
    if (intent.status !== "requires_action") return;
    if (!approved) return this.#fail(intent, method, refusedByHolder);
    this.#succeed(intent);
    if (session) this.#complete(session, method);
    return undefined;
  }

  /** Creates and confirms without the holder. */
  createIntent(parameters: Parameters): Stripe.PaymentIntent {
    const methodId = parameters.get("payment_method") ?? "";
    const method = known(this.methods, methodId);
    if (parameters.get("off_session") !== "true") refuse(400, "off_session_expected");
    const intent = intentObject({
      id: freshId("pi"),
      created: this.#now(),
      amount: Number(parameters.get("amount")),
      currency: parameters.get("currency") ?? "",
      customer: parameters.get("customer") ?? null,
      description: parameters.get("description") ?? null,
      metadata: metadataOf(parameters),
    });
    const tried = { ...intent, payment_method: methodId };
    const { later } = behaviourOf(method.metadata?.["card"] ?? "");
    if (later === "succeeds") return this.#succeed(tried);
    const error = later === "asks" ? { code: "authentication_required" } : later;
    this.#fail(tried, method, error);
    const payment_intent = known(this.intents, intent.id);
    throw new StripeRefusal(402, { type: "card_error", ...error, payment_intent });
  }

  /** Confirms with the holder, which asks the bank. */
  confirmIntent(id: string, parameters: Parameters): Stripe.PaymentIntent {
    const intent = known(this.intents, id);
    if (intent.status !== "requires_payment_method") {
      refuse(400, "payment_intent_unexpected_state");
    }
    const return_url = parameters.get("return_url") ?? null;
    const url = `https://hooks.stripe.example/3d_secure/${id}`;
    return stored(this.intents, {
      ...intent,
      status: "requires_action",
      last_payment_error: null,
      payment_method: parameters.get("payment_method") ?? null,
      next_action: { type: "redirect_to_url", redirect_to_url: { url, return_url } },
    });
  }

  createRefund(parameters: Parameters): Stripe.Refund {
    const intent = known(this.intents, parameters.get("payment_intent") ?? "");
    const charge = known(this.charges, intent.latest_charge);
    const amount = Number(parameters.get("amount"));
    const dispute = [...this.disputes.values()].find(({ charge: of }) => of === charge.id);
    if (dispute?.is_charge_refundable === false) refuse(400, "charge_disputed");
    if (amount > charge.amount - charge.amount_refunded) refuse(400, "charge_already_refunded");
    const refund = refundObject({
      id: freshId("re"),
      created: this.#now(),
      amount,
      currency: charge.currency,
      charge: charge.id,
      payment_intent: intent.id,
      metadata: metadataOf(parameters),
    });
    this.#countRefund(charge, amount);
    const method = this.methods.get(charge.payment_method ?? "");
    if (method?.metadata?.["card"] === "refund-fails") {
      this.#refundFailures.set(refund.id, this.#now() + 3600);
    }
    this.#publish("refund.created", refund);
    return stored(this.refunds, refund);
  }

  dispute(intentId: string, status: Stripe.Dispute["status"]): void {
    const { latest_charge, amount, currency, id } = known(this.intents, intentId);
    const charge = known(this.charges, latest_charge);
    stored(this.charges, { ...charge, disputed: true });
    const created = this.#now();
    const own = { created, amount, currency, charge: charge.id, payment_intent: id, status };
    this.#publish(
      "charge.dispute.created",
      stored(this.disputes, disputeObject({ id: freshId("du"), ...own })),
    );
  }

  /** What the clock brings: pages expire, refunds fail. */
  settle(): void {
    for (const session of this.sessions.values()) {
      if (session.status !== "open" || session.expires_at > this.#now()) continue;
      stored(this.sessions, { ...session, status: "expired", url: null });
    }
    for (const [id, at] of this.#refundFailures) {
      if (at > this.#now()) continue;
      this.#refundFailures.delete(id);
      const refund = known(this.refunds, id);
      this.#countRefund(known(this.charges, refund.charge), -refund.amount);
      stored(this.refunds, { ...refund, status: "failed" });
      this.#publish("refund.failed", known(this.refunds, id));
    }
  }

  #intentOf(session: Stripe.Checkout.Session): Stripe.PaymentIntent {
    const { id, payment_intent: known_id, amount_total, currency, customer } = session;
    if (typeof known_id === "string") return known(this.intents, known_id);
    const parameters = this.#parameters.get(id) ?? new Map<string, string>();
    const intent = intentObject({
      id: freshId("pi"),
      created: this.#now(),
      amount: amount_total ?? 0,
      currency: currency ?? "",
      customer,
      description: parameters.get("payment_intent_data[description]") ?? null,
      metadata: metadataOf(parameters, "payment_intent_data[metadata]"),
    });
    stored(this.sessions, { ...session, payment_intent: intent.id });
    return stored(this.intents, intent);
  }

  #newCard(name: string): Stripe.PaymentMethod {
    const { last4 } = behaviourOf(name);
    const card = cardObject(freshId("pm"), this.#now(), last4, name === "expired");
    return stored(this.methods, { ...card, metadata: { card: name } });
  }

  #complete(session: Stripe.Checkout.Session, method: Stripe.PaymentMethod): void {
    const { id, customer, setup_intent: setupId } = known(this.sessions, session.id);
    stored(this.methods, { ...method, customer });
    const setup = typeof setupId === "string" ? this.setups.get(setupId) : undefined;
    if (setup) stored(this.setups, { ...setup, status: "succeeded", payment_method: method.id });
    const paid = setup ? "no_payment_required" : "paid";
    const current = known(this.sessions, id);
    const done = { ...current, status: "complete", payment_status: paid, url: null } as const;
    this.#publish("checkout.session.completed", stored(this.sessions, done));
  }

  #succeed(intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
    const charge = stored(this.charges, chargeObject(freshId("ch"), this.#now(), intent));
    const succeeded = stored(this.intents, {
      ...intent,
      status: "succeeded",
      amount_received: intent.amount,
      latest_charge: charge.id,
      next_action: null,
    });
    this.#publish("payment_intent.succeeded", succeeded);
    return succeeded;
  }

  #fail(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, decline: Decline): void {
    const last_payment_error = { type: "card_error", payment_method: method, ...decline } as const;
    const failed = stored(this.intents, {
      ...intent,
      status: "requires_payment_method",
      payment_method: null,
      next_action: null,
      last_payment_error,
    });
    this.#publish("payment_intent.payment_failed", failed);
  }

  #countRefund(charge: Stripe.Charge, amount: number): void {
    const amount_refunded = charge.amount_refunded + amount;
    const refunded = amount_refunded === charge.amount;
    stored(this.charges, { ...charge, amount_refunded, refunded });
  }
}

export function freshId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

/** @param id a reference that is not expanded */
export function known<Object>(objects: ReadonlyMap<string, Object>, id: unknown): Object {
  return objects.get(typeof id === "string" ? id : "") ?? refuse(404, "resource_missing");
}

function stored<Object extends { id: string }>(
  objects: Map<string, Object>,
  object: Object,
): Object {
  objects.set(object.id, object);
  return object;
}

function metadataOf(parameters: Parameters, name = "metadata"): Record<string, string> {
  const own = [...parameters].filter(([key]) => key.startsWith(`${name}[`));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(name.length + 1, -1), value]));
}
