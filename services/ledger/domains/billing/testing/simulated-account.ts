import { MailDelayed, MailRefused, MailUncertain } from "@pro-talent/platform/mail/mailer";
import type { BillingData, BillingEvent } from "@pro-talent/schemas/billing/events";
import type { Money } from "@pro-talent/schemas/billing/money";
import { type PriceBook, priceBook } from "@pro-talent/schemas/billing/prices";
import type { PlanChoice } from "@pro-talent/schemas/billing/quotes";
import type { BillingState } from "@pro-talent/schemas/billing/state";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";

import type { Timer, TimerHandlers } from "../../../kernel/timers.ts";
import { type BillingCommand, billingDecider, type BillingRefusalCode } from "../decider.ts";
import { settleCheckout, settlePayment, settleNow } from "../payments-work.ts";
import {
  type PriceTerms,
  quoteCancel,
  quoteChange,
  quoteDrop,
  quoteResume,
  quoteStart,
} from "../quotes.decider.ts";
import { planAt } from "../renewal.decider.ts";
import { billingAccounts, type BillingStore } from "../subscriptions.ts";
import { billingTimerHandlers } from "../timer-handlers.ts";
import { memoryPayments } from "./memory-payments.ts";

/** How the mail server treats mails. */
export type MailBehaviour = "accepts" | "refuses" | "delays" | "uncertain";

export type Recorded = { readonly event: BillingEvent; readonly at: Instant };

const accountId = "00000000-0000-4000-8000-000000000001";
const cause = { actor: "operator", causationId: accountId, correlationId: accountId };
const dayMs = 24 * 60 * 60 * 1000;
/** Rounds in which a timer may fail before the simulation takes it for stuck. */
const firingsMax = 2_000;

/**
 * One account over a ledger and a provider in memory: the rules and the work are the product's, the
 * clock is moved by the test, and timers fire in their order.
 */
export class SimulatedAccount {
  readonly payments = memoryPayments();
  readonly events: Recorded[] = [];
  readonly mails: { id: string; at: Instant; text: string }[] = [];
  zone = "Asia/Jerusalem";
  mail: MailBehaviour = "accepts";
  book: PriceBook = priceBook;
  #ms: number;
  /** The instant of the time value that was asked for last. */
  #now: Instant;
  #nowMs: number;
  #state: BillingState = billingDecider.initialState;
  #ids = 0;
  #fired = new Map<string, Instant>();
  /** The timers of the present state; they change with it alone. */
  #due: readonly Timer[] = [];
  #made: { readonly book: PriceBook; readonly handlers: TimerHandlers } | undefined;

  constructor(start = "2026-03-01T09:00:00.000Z") {
    this.#ms = Date.parse(start);
    this.#nowMs = this.#ms;
    this.#now = instantFromMs(this.#ms);
  }

  get now(): Instant {
    if (this.#nowMs !== this.#ms) {
      this.#nowMs = this.#ms;
      this.#now = instantFromMs(this.#ms);
    }
    return this.#now;
  }
  get state(): BillingState {
    return this.#state;
  }
  get plan(): string {
    return planAt(this.#state, this.now);
  }
  get terms(): PriceTerms {
    return { book: this.book, taxes: [] };
  }
  /**
   * The data of the events of one type, with their times and positions.
   * @param from only later ones: how many to skip
   */
  of<Type extends BillingEvent["type"]>(type: Type, from = 0) {
    return this.events.slice(from).flatMap(({ event, at }, index) => {
      if (event.type !== type) return [];
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type was just compared
      const data = event.data as BillingData<Type>;
      return [{ ...data, at, position: from + index }];
    });
  }

  newId = (): string => {
    this.#ids += 1;
    return `00000000-0000-4000-9000-${String(this.#ids).padStart(12, "0")}`;
  };

  /** @returns a refusal's code, or null */
  issue(command: BillingCommand): BillingRefusalCode | null {
    const decision = billingDecider.decide(command, this.#state, { now: this.now });
    if ("kind" in decision) return decision.code;
    for (const event of decision) {
      this.events.push({ event, at: this.now });
      this.#state = billingDecider.evolve(this.#state, event, this.now);
    }
    if (decision.length === 0) return null;
    this.#due = billingAccounts.timers?.(this.#state, { id: accountId }) ?? [];
    const due = new Map(this.#due.map(({ name, dueAt }) => [name, dueAt]));
    for (const [name, at] of this.#fired) if (due.get(name) !== at) this.#fired.delete(name);
    return null;
  }

  readonly store: BillingStore = {
    read: async () => this.#state,
    isAnswered: async () => false,
    issue: async (_id, command) => {
      const before = this.events.length;
      const code = this.issue(command);
      if (code !== null) return { kind: "refusal", code };
      const how = this.events.length > before ? "recorded" : "unchanged";
      return { kind: "answer", how, reply: "{}" };
    },
  };

  get work() {
    const { store, book, newId } = this;
    const restrictions = { isRestricted: async () => false, endedAt: async () => null };
    return { store, book, newId, taxes: [], restrictions, payments: this.payments.provider };
  }
  get context() {
    return { now: this.now, cause };
  }

  /** The clock goes on while the product runs: what becomes due is done at its time. */
  async advance(days: number): Promise<void> {
    const until = this.#ms + days * dayMs;
    for (let count = 0; count < firingsMax; count += 1) {
      const next = this.#nextTimer(instantFromMs(until));
      if (next === undefined) break;
      this.#ms = Math.max(this.#ms, Date.parse(next.dueAt));
      if (!(await this.#fire(next))) this.#ms += dayMs / 4;
      if (this.#ms > until) break;
    }
    this.#ms = Math.max(this.#ms, until);
  }

  /** The product was down meanwhile: what became due is done now, in the order in which it was due. */
  async jump(days: number): Promise<void> {
    this.#ms += days * dayMs;
    const failed = new Set<string>();
    for (let count = 0; count < firingsMax; count += 1) {
      const next = this.#nextTimer(this.now, failed);
      if (next === undefined) return;
      if (!(await this.#fire(next))) failed.add(next.name);
    }
    throw new Error("Timers fire without end");
  }

  #nextTimer(until: Instant, without: ReadonlySet<string> = new Set()) {
    return this.#due
      .filter(({ name, dueAt }) => dueAt <= until && !this.#fired.has(name) && !without.has(name))
      .toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1))[0];
  }

  async #fire({ name, dueAt }: { name: string; dueAt: Instant }): Promise<boolean> {
    const handler = this.#handlers()[name];
    if (handler === undefined) throw new Error(`${name} has no handler`);
    try {
      await handler(accountId, this.context);
    } catch (error) {
      if (error instanceof Error && error.name === "PaymentUncertain") return false;
      throw error;
    }
    const still = this.#due.find((one) => one.name === name);
    if (still?.dueAt === dueAt) this.#fired.set(name, dueAt);
    return true;
  }

  /** Made again only when the prices changed. */
  #handlers(): TimerHandlers {
    if (this.#made?.book !== this.book) {
      const handlers = billingTimerHandlers(this.work, this.#notices());
      this.#made = { book: this.book, handlers };
    }
    return this.#made.handlers;
  }

  #notices() {
    const send = async ({ id, text }: { id: string; text: string }) => {
      if (this.mail === "refuses") throw new MailRefused("no such mailbox");
      if (this.mail === "delays") throw new MailDelayed("later");
      this.mails.push({ id, text, at: this.now });
      if (this.mail === "uncertain") throw new MailUncertain("no answer");
    };
    return {
      store: this.store,
      payments: this.payments.provider,
      contactOf: async () => ({
        email: "dana@example.com",
        fullName: "Dana",
        address: "",
        language: "en" as const,
        timeZone: this.zone,
      }),
      mailer: { send },
      origin: "https://talent.example",
      seller: "Pro Talent",
    };
  }

  /** Opens a checkout, and pays it unless it is to stay open. @returns its key */
  async buy(choice: PlanChoice, { pays = true } = {}): Promise<string> {
    const quote = quoteStart(this.#state, choice, this.terms, { now: this.now, zone: this.zone });
    if ("kind" in quote) throw new Error(quote.code);
    const checkout = this.newId();
    const { terms } = this;
    this.issue({ type: "OpenCheckout", checkout, choice, quote, terms, consents: [] });
    await this.#open(checkout, { amount: quote.terms.total, currency: quote.terms.currency });
    if (pays) await this.pay(checkout);
    return checkout;
  }

  /** Stores another card. */
  async storeCard(): Promise<void> {
    const checkout = this.newId();
    if (this.issue({ type: "OpenCardCheckout", checkout }) !== null) return;
    await this.#open(checkout, null);
    await this.pay(checkout);
  }

  async #open(checkout: string, amount: Money | null): Promise<void> {
    const opened = await this.payments.provider.openCheckout({
      key: checkout,
      accountId,
      amount,
      description: "",
      language: "en",
      returnUrl: "",
      cancelUrl: "",
    });
    const { checkoutId: reference, expiresAt } = opened;
    this.issue({ type: "AttachCheckout", checkout, reference, expiresAt });
  }

  /** The holder completes the provider's page, and comes back. */
  async pay(checkout: string): Promise<void> {
    const found = this.#state.checkouts.find((one) => one.checkout === checkout);
    this.payments.complete(found?.reference ?? "");
    await this.lookUp(checkout);
  }

  /** What a hint of the provider leads to. */
  async lookUp(key: string): Promise<void> {
    const found = this.#state.checkouts.find((one) => one.checkout === key);
    if (found === undefined) await settlePayment(this.work, accountId, key, this.context);
    else await settleCheckout(this.work, accountId, found, this.context);
    await settleNow(this.work, accountId, this.context);
  }

  /** @returns a refusal's code, or null */
  async change(choice: PlanChoice): Promise<string | null> {
    const { terms } = this;
    const quote = quoteChange(this.#state, choice, terms, this.now);
    if ("kind" in quote) return quote.code;
    this.issue({ type: "ChangePlan", choice, quote, terms, charge: this.newId() });
    await settleNow(this.work, accountId, this.context);
    return null;
  }

  async cancel(): Promise<string | null> {
    const quote = quoteCancel(this.#state, this.now);
    if ("kind" in quote) return quote.code;
    this.issue({ type: "Cancel", quote });
    await settleNow(this.work, accountId, this.context);
    return null;
  }

  resume(): string | null {
    const quote = quoteResume(this.#state, this.now);
    return "kind" in quote ? quote.code : this.issue({ type: "Resume", quote });
  }

  dropDowngrade(): string | null {
    const quote = quoteDrop(this.#state, this.now);
    return "kind" in quote ? quote.code : this.issue({ type: "DropDowngrade", quote });
  }

  /** All that the ledger says was paid, less what it says was returned. */
  balance(): number {
    return this.#state.charges
      .filter(({ status }) => status === "succeeded")
      .reduce((sum, { terms, returned }) => sum + terms.total - returned, 0);
  }
}

export const monthly = { plan: "premium", cycle: "monthly" } as const;
export const annual = { plan: "premium", cycle: "annual" } as const;
export const essential = { plan: "essential", cycle: "monthly" } as const;
