import { randomUUID } from "node:crypto";

import { AccountEvent } from "@pro-talent/schemas/accounts/events";
import { formatMoney } from "@pro-talent/schemas/billing/money";
import { priceBook, TaxRates } from "@pro-talent/schemas/billing/prices";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { keptSinceMs, retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";
import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";
import { launch } from "@pro-talent/schemas/site/launch";
import { discountPercentMax, WaitlistEvent } from "@pro-talent/schemas/waitlist/events";
import { z } from "zod";

import { type ContactOf, contactsOver } from "../../contacts.ts";
import type { Exemption } from "../../exemption.ts";
import type { ConsentSource, HeldSource, RecipientSource } from "../../held.ts";
import type { Eraser } from "../../kernel/erasers.ts";
import { defineModule, type LedgerContext } from "../../kernel/module.ts";
import { defineProcess } from "../../kernel/processes.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { loadState, loadStream } from "../../kernel/streams.ts";
import { isRestricted, restrictionEndedAt } from "../../restriction.ts";
import { recordReturn } from "./notices-work.ts";
import type { PaymentsWork } from "./payments-work.ts";
import { chosenProvider, openPayments } from "./payments/environment.ts";
import type { PaymentProvider } from "./payments/port.ts";
import {
  billingEntitlements,
  billingReferences,
  entitledUntil,
  parkedAccounts,
} from "./read-models.ts";
import { planAt } from "./renewal.decider.ts";
import { addBillingRoutes } from "./routes.ts";
import { billingAccounts, billingEvents, billingStore } from "./subscriptions.ts";
import { billingTimerHandlers } from "./timer-handlers.ts";

const environment = {
  /** `open`: plans can be bought. Follows the launch when absent. */
  BILLING: z.enum(["open", "closed"]).default(launch.state === "open" ? "open" : "closed"),
  /** Taxes that prices include, as in `VAT:18:IL`; none when empty. */
  BILLING_TAX: TaxRates.prefault(""),
  /** Name and address of the seller on one line, in order confirmations. */
  BILLING_SELLER: z.string().trim().min(1).max(200).default("Pro Talent"),
  /** Of the payment provider; checked when it is used first. */
  PAYMENTS: z.string().optional(),
  PAYMENTS_URL: z.string().optional(),
  PAYMENTS_KEY: z.string().optional(),
  PAYMENTS_WEBHOOK_SECRET: z.string().optional(),
  PAYMENTS_ANSWER_MS: z.string().optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  NODE_ENV: z.string().optional(),
};
type Environment = z.output<z.ZodObject<typeof environment>>;

/** Accounts that were opened with an invitation may buy before the launch. */
const allowInvited = defineProcess({
  name: "billing.allow-invited",
  reads: { category: "account", contract: AccountEvent },
  stream: billingAccounts,
  react: ({ id, event: { type, data } }) =>
    type === "AccountOpened" && data.invitationId !== null
      ? { id, command: { type: "AllowBuying" as const } }
      : undefined,
});

/** A closed account is charged nothing more. */
const closeBilling = defineProcess({
  name: "billing.close-account",
  reads: { category: "account", contract: AccountEvent },
  stream: billingAccounts,
  react: ({ id, event: { type } }) =>
    type === "AccountClosed" ? { id, command: { type: "CloseAccount" as const } } : undefined,
});

/** The discount of an invitation, to the account that it opened. */
const grantDiscounts = defineProcess({
  name: "billing.grant-discounts",
  reads: { category: "account", contract: AccountEvent },
  stream: billingAccounts,
  react: ({ id, event: { type, data } }) =>
    type === "AccountOpened" && data.invitationId !== null
      ? grantTo(id, data.invitationId, data.discountPercent)
      : undefined,
});

/** The discount of an invitation, to the account that its holder had already. */
const grantHoldersDiscounts = defineProcess({
  name: "billing.grant-holders-discounts",
  reads: { category: "waitlist", contract: WaitlistEvent },
  stream: billingAccounts,
  react: ({ event: { type, data } }) =>
    type === "AccountFound"
      ? grantTo(data.accountId, data.invitationId, data.discountPercent)
      : undefined,
});

function grantTo(id: string, invitationId: string, discountPercent: number) {
  if (discountPercent === 0) return undefined;
  const percent = Math.min(discountPercent, discountPercentMax);
  return { id, command: { type: "GrantDiscount" as const, percent, invitationId } };
}

/** What billing reaches outside; the configured services when absent. */
export type BillingParts = {
  readonly payments?: PaymentProvider;
  readonly contactOf?: ContactOf;
  /** Makes the ids of charges that follow from time. */
  readonly newId?: () => string;
};

/** Subscriptions: checkout, renewals, refunds, notices, and the plan that an account may use. */
export function billingModule(parts: BillingParts = {}) {
  return defineModule({
    name: "billing",
    environment,
    events: [billingEvents],
    streams: [streamKind(billingAccounts)],
    processes: [allowInvited, closeBilling, grantDiscounts, grantHoldersDiscounts],
    readModels: [billingEntitlements, billingReferences, parkedAccounts],
    routes: (scope, context, env) =>
      addBillingRoutes(scope, {
        context,
        work: paymentsWork(context, env, parts),
        contactOf: parts.contactOf ?? contactsOver(context.accounts),
        isOpen: env.BILLING === "open",
      }),
    mailReturns: (ledger, report, issued) => recordReturn(billingStore(ledger), report, issued),
    timers: (context, env) => {
      const work = paymentsWork(context, env, parts);
      return billingTimerHandlers(work, {
        store: work.store,
        payments: work.payments,
        contactOf: parts.contactOf ?? contactsOver(context.accounts),
        mailer: context.mailer,
        origin: context.publicOrigin,
        seller: env.BILLING_SELLER,
      });
    },
  });
}

export const billing = billingModule();

function paymentsWork(context: LedgerContext, env: Environment, parts: BillingParts): PaymentsWork {
  return {
    store: billingStore(context.ledger),
    payments: parts.payments ?? openedOnUse(sourceOf(env), context),
    book: priceBook,
    taxes: env.BILLING_TAX,
    newId: parts.newId ?? randomUUID,
    restrictions: {
      isRestricted: (accountId) => isRestricted(context.ledger.sql, accountId),
      endedAt: (accountId) => restrictionEndedAt(context.ledger.sql, accountId),
    },
  };
}

/** The variables of the provider, which reads them itself. */
function sourceOf({ BILLING_TAX: _taxes, ...source }: Environment) {
  return source;
}

/** Processes that neither charge nor refund need no provider. */
function openedOnUse(
  source: Parameters<typeof openPayments>[0],
  context: LedgerContext,
): PaymentProvider {
  let opened: Promise<PaymentProvider> | undefined;
  const provider = (): Promise<PaymentProvider> => (opened ??= openPayments(source, context));
  return {
    get name() {
      return chosenProvider(source);
    },
    openCheckout: async (request) => await (await provider()).openCheckout(request),
    findCheckout: async (id) => await (await provider()).findCheckout(id),
    findCard: async (accountId) => await (await provider()).findCard(accountId),
    charge: async (request) => await (await provider()).charge(request),
    findPayment: async (by) => await (await provider()).findPayment(by),
    refund: async (request) => await (await provider()).refund(request),
    findRefund: async (key) => await (await provider()).findRefund(key),
    forget: async (accountId) => await (await provider()).forget(accountId),
    readHint: async (headers, body, nowMs) =>
      await (await provider()).readHint(headers, body, nowMs),
  };
}

/** The plan of an account and its payments. */
export const billingHeld: HeldSource = {
  section: "subscription",
  collect: async ({ ledger, clock }, { accountId }) => {
    const { state } = await loadState(ledger.sql, billingAccounts, accountId);
    if (state.subscription === null && state.charges.length === 0) return [];
    const until = await entitledUntil(ledger.sql, accountId);
    return [
      [
        { field: "plan", word: planAt(state, instantFromMs(clock())) },
        ...(until === null ? [] : [{ field: "expires-at" as const, at: until }]),
      ],
      ...state.charges.map(({ at, terms: { total, currency } }): HeldRecord => [
        { field: "amount", text: formatMoney({ amount: total, currency }, "en") },
        { field: "created-at", at },
      ]),
    ];
  },
};

/** The payment provider, since the first checkout. */
export const billingRecipients: RecipientSource = async ({ ledger }, { accountId }) => {
  const { state } = await loadState(ledger.sql, billingAccounts, accountId);
  const times = [
    ...state.checkouts.map(({ openedAt }) => openedAt),
    ...state.charges.map(({ at }) => at),
  ].toSorted();
  const [firstAt, lastAt] = [times[0], times.at(-1)];
  if (firstAt === undefined || lastAt === undefined) return [];
  // It keeps the customer for as long as there is a plan.
  const end = state.subscription === null ? lastAt : null;
  return [{ recipient: "payment-provider", name: null, firstAt, lastAt: end }];
};

/** What was agreed to at checkouts. */
export const billingConsents: ConsentSource = async ({ ledger }, { accountId }) => {
  const stream = billingEvents.streamOf(accountId);
  const { events } = await loadStream(ledger.sql, billingEvents, stream);
  return events.flatMap(({ event, eventId, position, occurredAt }) => {
    if (event.type !== "ConsentGiven") return [];
    const { document, version, language, textHash } = event.data;
    const text = { version, language, textHash };
    const decision = "granted" as const;
    return [{ subject: document, decision, ...text, eventId, position, occurredAt }];
  });
};

/** Billing is over once it has followed the closing of the account. Documents are kept as the law demands. */
export const billingEraser: Eraser = {
  step: "billing",
  erase: async ({ ledger }, { accountId }) => {
    const { state } = await loadState(ledger.sql, billingAccounts, accountId);
    const rows = await ledger.sql`
      select from ledger.billing_entitlement where account_id = ${accountId}`;
    return { found: rows.length, left: state.closed ? rows.length : 1 };
  },
};

/**
 * The payment provider has deleted the customer with the stored card, and it was read back; a timer of billing
 * repeats that until it answers. Payments themselves stay there without the customer: the provider keeps them
 * by the laws that it is under.
 */
export const paymentProviderEraser: Eraser = {
  step: "payment-provider",
  erase: async ({ ledger }, { accountId }) => {
    const { state } = await loadState(ledger.sql, billingAccounts, accountId);
    const isKnown = state.checkouts.length > 0 || state.charges.length > 0;
    const isForgotten = state.closed && state.forgetAt === null;
    return { found: isKnown ? 1 : 0, left: isKnown && !isForgotten ? 1 : 0 };
  },
};

/** A subscription is use of an account, and the years begin when it has ended; open money must be settled. */
export const billingExemption: Exemption = async ({ ledger, clock }, accountId) => {
  const { state } = await loadState(ledger.sql, billingAccounts, accountId);
  const { subscription, ended, charges, refunds, parked } = state;
  const sinceMs = keptSinceMs(retentionPeriods.inactiveAccount, clock());
  const isPaid = subscription !== null || (ended !== null && Date.parse(ended.at) > sinceMs);
  if (isPaid) return "subscription";
  const isOpen =
    parked !== null ||
    charges.some(({ status }) => status === "open" || status === "held") ||
    refunds.some(({ status }) => status === "intended");
  return isOpen ? "payment-open" : null;
};
