import { randomBytes } from "node:crypto";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Money } from "@pro-talent/schemas/billing/money";
import { sandboxCheckoutHours, sandboxProblems } from "@pro-talent/schemas/payments-sandbox/calls";
import {
  type TestCard,
  testCards,
  type TestCardName,
} from "@pro-talent/schemas/payments-sandbox/cards";
import type {
  SandboxCard,
  SandboxCheckout,
  SandboxDispute,
  SandboxEvent,
  SandboxPayment,
  SandboxRefund,
} from "@pro-talent/schemas/payments-sandbox/objects";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { z } from "zod";

import type { StoredCard, StoredCheckout, StoredPayment, Tables } from "./journal.ts";

const hourMs = 3_600_000;
/** A refund that fails does so after it was reported as succeeded. */
const refundFailsAfterMs = hourMs;

export const randomId = (prefix: string): string =>
  `${prefix}_${randomBytes(16).toString("base64url")}`;

export const cardNamed = (name: TestCardName): TestCard => testCards[name];

/** What the provider does with its rows. Each method is one change, for `Journal.run`. */
export class Provider {
  readonly #clock: Clock;
  readonly #pages: string;
  readonly #announces: boolean;

  /** @param pages address of the hosted pages, as in `https://example.com/sandbox-payments` */
  constructor(clock: Clock, pages: string, announces = true) {
    this.#clock = clock;
    this.#pages = pages;
    this.#announces = announces;
  }

  /** The same provider at an earlier time, of which no webhook is sent any more. */
  at(pastMs: number): Provider {
    return new Provider(() => pastMs, this.#pages, false);
  }

  openCheckout(
    tables: Tables,
    request: Pick<
      StoredCheckout,
      "key" | "accountId" | "amount" | "description" | "language" | "returnUrl" | "cancelUrl"
    >,
  ): z.input<typeof SandboxCheckout> {
    const checkoutId = randomId("checkout");
    tables.checkouts.set(checkoutId, {
      ...request,
      completed: false,
      expiresMs: this.#clock() + sandboxCheckoutHours * hourMs,
      paymentId: null,
      card: null,
      failure: null,
    });
    return this.checkout(tables, checkoutId);
  }

  /** The holder presses a card on the page. A checkout that has ended stays as it is. */
  press(tables: Tables, checkoutId: string, name: TestCardName): void {
    const checkout = known(tables.checkouts.get(checkoutId));
    if (this.statusOf(checkout) !== "open") return;
    const card = { name, storedMs: this.#clock() };
    const { onPage } = cardNamed(name);
    const failure = typeof onPage === "string" ? null : onPage;
    const status = failure ? "failed" : onPage === "succeeds" ? "succeeded" : "action-required";
    const paymentId = checkout.amount === null ? null : (checkout.paymentId ?? randomId("payment"));
    tables.checkouts.set(checkoutId, { ...checkout, card, failure, paymentId });
    if (paymentId !== null && checkout.amount !== null) {
      const { key, accountId, amount } = checkout;
      const payment = { key, accountId, checkoutId, amount, status, failure, card, dispute: null };
      this.#record(tables, paymentId, { ...payment, status });
    }
    if (status === "succeeded") this.#complete(tables, checkoutId);
  }

  /** The holder answers the challenge of a checkout's or a payment's card. */
  answerChallenge(tables: Tables, id: string, approved: boolean): void {
    const failure = approved ? null : ({ reason: "challenge-failed", hard: false } as const);
    const checkout = tables.checkouts.get(id);
    const paymentId = checkout ? checkout.paymentId : id;
    if (!this.awaitsChallenge(tables, id)) return;
    if (checkout) tables.checkouts.set(id, { ...checkout, failure });
    const payment = paymentId === null ? undefined : tables.payments.get(paymentId);
    if (paymentId !== null && payment) {
      const status = approved ? "succeeded" : "failed";
      this.#record(tables, paymentId, { ...payment, status, failure });
    }
    if (checkout && approved) this.#complete(tables, id);
  }

  /** Whether a checkout or a payment waits for the holder, who may still answer. */
  awaitsChallenge(tables: Tables, id: string): boolean {
    const checkout = tables.checkouts.get(id);
    if (checkout === undefined) return tables.payments.get(id)?.status === "action-required";
    const isPressed = checkout.card !== null && checkout.failure === null;
    return this.statusOf(checkout) === "open" && isPressed;
  }

  /** The card of an account that was stored last. */
  card(tables: Tables, accountId: string): z.infer<typeof SandboxCard> | null {
    const card = tables.cards.get(accountId);
    return card ? shownCard(card) : null;
  }

  /** @throws ProblemError when the account has no stored card */
  charge(
    tables: Tables,
    { key, accountId, amount }: { key: string; accountId: string; amount: Money },
  ): z.input<typeof SandboxPayment> {
    const card = tables.cards.get(accountId);
    if (card === undefined) throw new ProblemError(sandboxProblems.sandbox_no_card);
    const { later } = cardNamed(card.name);
    const isExpired = expiryOf(card) < new Date(this.#clock()).toISOString().slice(0, 7);
    const failure = isExpired
      ? ({ reason: "expired-card", hard: true } as const)
      : typeof later === "string"
        ? null
        : later;
    const status = failure ? "failed" : later === "succeeds" ? "succeeded" : "action-required";
    const paymentId = randomId("payment");
    const payment = { key, accountId, checkoutId: null, amount, failure, card, dispute: null };
    this.#record(tables, paymentId, { ...payment, status });
    return this.payment(tables, paymentId);
  }

  /** @throws ProblemError when the payment has not succeeded, is disputed, or is smaller */
  refund(
    tables: Tables,
    { key, paymentId, amount }: { key: string; paymentId: string; amount: Money },
  ): z.input<typeof SandboxRefund> {
    const payment = tables.payments.get(paymentId);
    if (payment === undefined) throw new ProblemError(sandboxProblems.sandbox_payment_unknown);
    const left = payment.amount.amount - refundedOf(tables, paymentId);
    const isPaid = payment.status === "succeeded" && payment.dispute?.refundable !== false;
    const isSameCurrency = amount.currency === payment.amount.currency;
    if (!isPaid || !isSameCurrency || amount.amount > left) {
      throw new ProblemError(sandboxProblems.sandbox_not_refundable);
    }
    const fails = cardNamed(payment.card.name).after === "refund-fails";
    const failsMs = fails ? this.#clock() + refundFailsAfterMs : null;
    const refundId = randomId("refund");
    tables.refunds.set(refundId, { key, paymentId, amount, status: "succeeded", failsMs });
    this.#announce(tables, "refund.succeeded", { paymentId });
    return { refundId, paymentId, amount, status: "succeeded" };
  }

  /** Refunds that were to fail by now do. */
  settle(tables: Tables): void {
    for (const [id, refund] of tables.refunds.entries()) {
      if (refund.failsMs === null || refund.failsMs > this.#clock()) continue;
      tables.refunds.set(id, { ...refund, status: "failed", failsMs: null });
      this.#announce(tables, "refund.failed", { paymentId: refund.paymentId });
    }
  }

  /** @throws ProblemError */
  dispute(
    tables: Tables,
    paymentId: string,
    status: z.infer<typeof SandboxDispute>["status"],
  ): void {
    const payment = tables.payments.get(paymentId);
    if (payment === undefined) throw new ProblemError(sandboxProblems.sandbox_payment_unknown);
    const disputeId = payment.dispute?.disputeId ?? randomId("dispute");
    const refundable = status === "inquiry" || status === "won";
    tables.payments.set(paymentId, { ...payment, dispute: { disputeId, status, refundable } });
    this.#announce(tables, "dispute.changed", { paymentId });
  }

  statusOf({ completed, expiresMs }: StoredCheckout): "open" | "completed" | "expired" {
    if (completed) return "completed";
    return this.#clock() >= expiresMs ? "expired" : "open";
  }

  /** @throws ProblemError `not_found` */
  checkout(tables: Tables, checkoutId: string): z.input<typeof SandboxCheckout> {
    const checkout = known(tables.checkouts.get(checkoutId));
    const { card, paymentId, expiresMs, completed } = checkout;
    return {
      checkoutId,
      url: `${this.#pages}/checkout/${checkoutId}`,
      status: this.statusOf(checkout),
      payment: paymentId === null ? null : this.payment(tables, paymentId),
      card: completed && card ? shownCard(card) : null,
      expiresAt: instantFromMs(expiresMs),
    };
  }

  /** @throws ProblemError `not_found` */
  payment(tables: Tables, paymentId: string): z.input<typeof SandboxPayment> {
    const { status, amount, failure, dispute, card, checkoutId } = known(
      tables.payments.get(paymentId),
    );
    const actionUrl = `${this.#pages}/challenge/${checkoutId ?? paymentId}`;
    return {
      paymentId,
      status,
      amount,
      refunded: refundedOf(tables, paymentId),
      failure,
      actionUrl: status === "action-required" ? actionUrl : null,
      card: shownCard(card),
      dispute,
    };
  }

  #complete(tables: Tables, checkoutId: string): void {
    const checkout = known(tables.checkouts.get(checkoutId));
    tables.checkouts.set(checkoutId, { ...checkout, completed: true });
    if (checkout.card) tables.cards.set(checkout.accountId, checkout.card);
    this.#announce(tables, "checkout.completed", { checkoutId });
  }

  #record(tables: Tables, paymentId: string, payment: StoredPayment): void {
    tables.payments.set(paymentId, payment);
    const type = payment.status === "action-required" ? "action_required" : payment.status;
    this.#announce(tables, `payment.${type}`, { paymentId });
    const { after } = cardNamed(payment.card.name);
    if (payment.status === "succeeded" && after === "dispute") {
      this.dispute(tables, paymentId, "open");
    }
  }

  #announce(
    tables: Tables,
    type: SandboxEvent["type"],
    about: { checkoutId?: string; paymentId?: string },
  ): void {
    const { checkoutId = null, paymentId = null } = about;
    const eventId = randomId("event");
    const createdAt = instantFromMs(this.#clock());
    const body = {
      eventId,
      type,
      createdAt,
      environment: "sandbox",
      checkoutId,
      paymentId,
    } as const;
    const nextMs = this.#announces ? this.#clock() : null;
    tables.events.set(eventId, { body, attempts: 0, nextMs });
  }
}

/** @throws ProblemError `not_found` */
export function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new ProblemError("not_found");
  return value;
}

function refundedOf(tables: Tables, paymentId: string): number {
  return tables.refunds
    .entries()
    .filter(([, refund]) => refund.paymentId === paymentId && refund.status === "succeeded")
    .reduce((sum, [, refund]) => sum + refund.amount.amount, 0);
}

/** The last month in which a card may pay, as in `2026-11`; its time of storage decides it. */
export function expiryOf({ name, storedMs }: StoredCard): string {
  const { expires } = cardNamed(name);
  const month = new Date(storedMs);
  month.setUTCDate(1);
  if (expires === "last-month") month.setUTCMonth(month.getUTCMonth() - 1);
  if (expires === "in-years") month.setUTCFullYear(month.getUTCFullYear() + 12);
  return month.toISOString().slice(0, 7);
}

function shownCard(card: StoredCard): z.infer<typeof SandboxCard> {
  const [year, month] = expiryOf(card).split("-").map(Number);
  const { brand, last4 } = cardNamed(card.name);
  return { brand, last4, expiryMonth: month ?? 1, expiryYear: year ?? 1970 };
}
