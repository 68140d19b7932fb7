import type { Money } from "@pro-talent/schemas/billing/money";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import {
  type CheckoutState,
  type DisputeState,
  type PaymentProvider,
  PaymentRefused,
  type PaymentState,
  PaymentUncertain,
  type RefundState,
} from "../payments/port.ts";

/** How the provider treats the next call that moves money. */
export type Behaviour =
  | "succeeds"
  | "declines"
  | "declines-for-good"
  | "challenges"
  /** Nothing happens, and there is no answer. */
  | "silent"
  /** It happens, and the answer is lost. */
  | "answer-lost";

type Mutable<Row> = { -readonly [Key in keyof Row]: Row[Key] };
type Book = {
  readonly payments: Map<string, Mutable<PaymentState>>;
  readonly checkouts: Map<string, Mutable<CheckoutState> & { key: string; amount: Money | null }>;
  readonly refunds: Map<string, Mutable<RefundState>>;
  /** Accounts whose customers were deleted. */
  readonly forgotten: Set<string>;
};

/** A provider that keeps its own book in memory, by which the ledger's is judged. */
export type MemoryPayments = {
  readonly provider: PaymentProvider;
  /** Of the card from now on. */
  behave: (behaviour: Behaviour) => void;
  /** The provider does not answer at all. */
  away: (isAway: boolean) => void;
  refundsBehave: (how: RefundState["status"]) => void;
  /** The holder completes the page. */
  complete: (checkoutId: string) => void;
  expire: (checkoutId: string) => void;
  /** The holder confirms a payment that was challenged, however late. */
  confirm: (key: string) => void;
  dispute: (key: string, dispute: DisputeState | null) => void;
  /** Changes a payment as an operator of the provider can. */
  change: (key: string, difference: Partial<PaymentState>) => void;
  settleRefund: (key: string, status: RefundState["status"]) => void;
  readonly book: Book;
  /** All that was paid, less what was returned, in minor units. */
  readonly balance: () => number;
};

export function memoryPayments(): MemoryPayments {
  const book: Book = {
    payments: new Map(),
    checkouts: new Map(),
    refunds: new Map(),
    forgotten: new Set(),
  };
  let behaviour: Behaviour = "succeeds";
  let isAway = false;
  let refundStatus: RefundState["status"] = "succeeded";
  let count = 0;
  const answering = (): void => {
    if (isAway) throw new PaymentUncertain("away");
  };
  const changed = (key: string, difference: Partial<PaymentState>): void => {
    const payment = book.payments.get(key);
    if (payment === undefined) throw new Error(`There is no payment ${key}`);
    Object.assign(payment, difference);
  };
  const pay = (key: string, amount: Money, how: Behaviour): PaymentState => {
    const known = book.payments.get(key);
    if (known !== undefined) return requireSame(known, amount);
    count += 1;
    const payment = { ...paymentOf(`pay_${count}`, amount), ...outcomes[how] };
    book.payments.set(key, payment);
    return payment;
  };
  const settleRefund = (key: string, status: RefundState["status"]): void => {
    const refund = book.refunds.get(key);
    if (refund === undefined) throw new Error(`There is no refund ${key}`);
    refund.status = status;
    recount(book, refund.paymentId);
  };
  const provider: PaymentProvider = {
    name: "sandbox",
    openCheckout: async ({ key, amount }) => {
      answering();
      const known = [...book.checkouts.values()].find((one) => one.key === key);
      if (known !== undefined) return { ...known };
      count += 1;
      const checkoutId = `checkout_${count}`;
      const opened = {
        checkoutId,
        key,
        amount,
        url: `https://pay.example/${checkoutId}`,
        status: "open" as const,
        payment: null,
        card: null,
        expiresAt: instantFromMs(Date.UTC(2100, 0, 1)),
      };
      book.checkouts.set(checkoutId, opened);
      return { ...opened };
    },
    findCheckout: async (id) => {
      answering();
      const found = book.checkouts.get(id);
      return found && { ...found, payment: copyOf(book.payments.get(found.key)) ?? null };
    },
    findCard: async () => {
      answering();
      return undefined;
    },
    charge: async ({ key, amount }) => {
      answering();
      if (behaviour === "silent") throw new PaymentUncertain("no answer");
      const payment = pay(key, amount, behaviour);
      if (behaviour === "answer-lost") throw new PaymentUncertain("the answer was lost");
      return { ...payment };
    },
    findPayment: async (by) => {
      answering();
      if ("key" in by) return copyOf(book.payments.get(by.key));
      return copyOf([...book.payments.values()].find((one) => one.paymentId === by.paymentId));
    },
    refund: async ({ key, paymentId, amount }) => {
      answering();
      const known = book.refunds.get(key);
      if (known !== undefined) return { ...known };
      const payment = [...book.payments.values()].find((one) => one.paymentId === paymentId);
      if (payment?.status !== "succeeded") throw new PaymentRefused("not paid");
      if (payment.refunded + amount.amount > payment.amount.amount) {
        throw new PaymentRefused("more than was paid");
      }
      const refund = { refundId: `re_${key}`, paymentId, amount, status: refundStatus };
      book.refunds.set(key, refund);
      recount(book, paymentId);
      return { ...refund };
    },
    findRefund: async (key) => {
      answering();
      const found = book.refunds.get(key);
      return found && { ...found };
    },
    forget: async (accountId) => {
      answering();
      book.forgotten.add(accountId);
    },
    readHint: (_headers, body) => {
      const text = body.toString("utf8");
      if (!text.startsWith("signed ")) return "signature";
      const [, kind = "", id = ""] = text.split(" ");
      if (kind === "checkout") return { eventId: text, about: { kind, checkoutId: id } };
      if (kind === "payment") return { eventId: text, about: { kind, paymentId: id } };
      return { eventId: text, about: { kind: "other" } };
    },
  };
  return {
    provider,
    book,
    behave: (how) => {
      behaviour = how;
    },
    away: (away) => {
      isAway = away;
    },
    refundsBehave: (how) => {
      refundStatus = how;
    },
    complete: (id) => {
      const checkout = book.checkouts.get(id);
      if (checkout === undefined) throw new Error(`There is no checkout ${id}`);
      if (checkout.status === "completed") return;
      if (checkout.amount !== null) pay(checkout.key, checkout.amount, "succeeds");
      checkout.status = "completed";
    },
    expire: (id) => {
      const checkout = book.checkouts.get(id);
      if (checkout?.status === "open") checkout.status = "expired";
    },
    confirm: (key) => changed(key, { status: "succeeded", actionUrl: null, failure: null }),
    dispute: (key, dispute) => changed(key, { dispute }),
    change: changed,
    settleRefund,
    balance: () =>
      [...book.payments.values()]
        .filter(({ status }) => status === "succeeded")
        .reduce((sum, { amount, refunded }) => sum + amount.amount - refunded, 0),
  };
}

function paymentOf(paymentId: string, amount: Money): PaymentState {
  const nothing = { failure: null, actionUrl: null, dispute: null };
  return { paymentId, amount, status: "succeeded", refunded: 0, card: null, ...nothing };
}

const outcomes: Readonly<Record<Behaviour, Partial<PaymentState>>> = {
  succeeds: {},
  silent: {},
  "answer-lost": {},
  declines: { status: "failed", failure: { reason: "declined", hard: false } },
  "declines-for-good": { status: "failed", failure: { reason: "expired-card", hard: true } },
  challenges: { status: "action-required", actionUrl: "https://pay.example/challenge" },
};

function requireSame(payment: PaymentState, amount: Money): PaymentState {
  const isSame =
    payment.amount.amount === amount.amount && payment.amount.currency === amount.currency;
  if (!isSame) throw new PaymentRefused("another amount under the same key");
  return payment;
}

function copyOf(payment: PaymentState | undefined): PaymentState | undefined {
  return payment && { ...payment };
}

/** The succeeded refunds of a payment. */
function recount({ payments, refunds }: Book, paymentId: string): void {
  const payment = [...payments.values()].find((one) => one.paymentId === paymentId);
  if (payment === undefined) return;
  payment.refunded = [...refunds.values()]
    .filter((one) => one.paymentId === paymentId && one.status === "succeeded")
    .reduce((sum, { amount }) => sum + amount.amount, 0);
}
