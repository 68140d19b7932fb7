import { SubscriptionAnswer, subscriptionCalls } from "@pro-talent/schemas/billing/calls";
import { PlanChoice } from "@pro-talent/schemas/billing/quotes";
import { invoiceCalls } from "@pro-talent/schemas/invoices/calls";
import { dayPlus } from "@pro-talent/schemas/primitives/calendar";
import { z } from "zod";

import { instant, place, startQuote, termsOf, today, usd, zone } from "./billing-terms.ts";
import type { ArrivedCall, ForcedAnswer as Answer } from "./forced-answers.ts";

const hashOf = (version: number): string => version.toString(16).padStart(64, "0");
const idOf = (number: number): string => `0f8fad5b-d9cb-469f-a165-7086772895${10 + number}`;

type Subscription = z.infer<typeof SubscriptionAnswer>;
type Act = Subscription["actions"][number];

const noa = (roles: readonly string[] = ["holder"]) => ({
  accountId: idOf(0),
  email: "noa@example.com",
  profile: {
    fullName: "נועה לוי",
    phone: "",
    address: "",
    language: "en",
    timeZone: zone,
    handle: null,
  },
  hasPhoto: false,
  roles,
  factor: true,
  totp: true,
  passkeys: 0,
  recoveryCodesLeft: 10,
  createdAt: "2026-01-02T10:00:00.000Z",
});

const choices: readonly PlanChoice[] = (["essential", "premium"] as const).flatMap((plan) =>
  (["monthly", "annual"] as const).map((cycle) => ({ plan, cycle })),
);

/** Ranks choices: a higher one is an upgrade. */
const rank = ({ plan, cycle }: PlanChoice): number =>
  (plan === "premium" ? 2 : 0) + (cycle === "annual" ? 1 : 0);

/** What a small billing server holds. Tests change it as another tab, the clock or the provider would. */
export type BillingModel = {
  choice: PlanChoice | undefined;
  status: "active" | "ending" | "overdue";
  /** Of the first payment, in per cent. */
  discount: number;
  inWindow: boolean;
  scheduled: PlanChoice | undefined;
  attention: Subscription["attention"];
  /** Raised when what is shown no longer holds. */
  version: number;
  checkout: "open" | "completed" | "expired" | "refunded";
  /** Answers that replace the model's own, by method and path. */
  forced: Map<string, Answer>;
  /** Acts that were applied, with the hash that they repeated. */
  applied: { name: string; body: unknown }[];
  roles: readonly string[];
  parked: { accountId: string; reason: string; since: string }[];
};

export const billingModel = (changes: Partial<BillingModel> = {}): BillingModel => ({
  choice: undefined,
  status: "active",
  discount: 0,
  inWindow: true,
  scheduled: undefined,
  attention: null,
  version: 1,
  checkout: "open",
  forced: new Map(),
  applied: [],
  roles: ["holder"],
  parked: [],
  ...changes,
});

function changesOf(model: BillingModel, own: PlanChoice): unknown[] {
  return choices
    .filter((choice) => rank(choice) !== rank(own))
    .map((choice) => {
      const { price, terms, to } = termsOf(choice, {
        credit: rank(choice) > rank(own) ? 645 : 0,
      });
      const next = { on: to, ...usd(price.amount) };
      const cover = { amount: terms.total, from: today, to };
      const quote =
        rank(choice) > rank(own)
          ? { act: "upgrade", on: today, price, place: place(choice.cycle), terms, cover, next }
          : { act: "downgrade", price, effective: to, next };
      return { hash: hashOf(model.version), choice, quote };
    });
}

function actionsOf(model: BillingModel, own: PlanChoice): Act[] {
  const { price, to } = termsOf(own);
  const next = { on: to, ...usd(price.amount) };
  const hash = hashOf(model.version);
  const single = (quote: object) => ({ hash, choice: null, quote });
  const ends = model.inWindow
    ? { act: "withdraw", refund: usd(price.amount) }
    : { act: "cancel", endsOn: to, endsAt: instant };
  const actions =
    model.status === "ending"
      ? [single({ act: "resume", next })]
      : [
          ...changesOf(model, own),
          ...(model.scheduled === undefined ? [] : [single({ act: "drop-downgrade", next })]),
          single(ends),
        ];
  return SubscriptionAnswer.shape.actions.parse(actions);
}

const withoutSubscription: Subscription = {
  plan: "free",
  status: "none",
  cycle: null,
  price: null,
  zone: null,
  subscribedOn: null,
  periodFrom: null,
  periodTo: null,
  nextBilling: null,
  refund: null,
  accessUntil: null,
  scheduled: null,
  announcedPrice: null,
  attention: null,
  discountPercent: null,
  card: null,
  entitlements: [],
  actions: [],
};

/** The answer to `GET /api/subscription`, by its own contract. */
function subscriptionOf(model: BillingModel): unknown {
  const { choice: own, status, inWindow, scheduled, attention } = model;
  if (own === undefined) {
    return { ...withoutSubscription, discountPercent: model.discount || null };
  }
  const { price, to } = termsOf(own);
  const ending = status === "ending";
  const window = { daysLeft: 14, lastDay: dayPlus(today, 14), until: instant };
  return SubscriptionAnswer.parse({
    ...own,
    status,
    price: usd(price.amount),
    zone,
    subscribedOn: today,
    periodFrom: today,
    periodTo: to,
    nextBilling: ending ? null : { on: to, ...usd(price.amount) },
    refund: inWindow ? { ...window, amount: usd(price.amount) } : null,
    accessUntil: ending ? instant : null,
    scheduled: scheduled
      ? { ...scheduled, price: usd(termsOf(scheduled).price.amount), on: to }
      : null,
    announcedPrice: null,
    attention,
    discountPercent: null,
    card: { brand: "Visa", last4: "4242", expiryMonth: 4, expiryYear: 2029 },
    entitlements: [],
    actions: actionsOf(model, own),
  });
}

function paymentsOf({ choice, inWindow, discount }: BillingModel): unknown {
  if (choice === undefined) return { payments: [], refunds: [] };
  const payment = (number: number, status: string, returned = 0) => ({
    chargeId: idOf(number),
    at: `${dayPlus(today, -28 * number)}T09:00:00.000Z`,
    purpose: number === 2 ? "start" : "renewal",
    terms: termsOf(choice).terms,
    status,
    returned,
    dispute: null,
  });
  const refund = {
    refundId: `${idOf(2)}.1`,
    chargeId: idOf(2),
    at: `${dayPlus(today, -50)}T09:00:00.000Z`,
    ...usd(500),
    reason: "not-needed",
    status: "succeeded",
  };
  const earlier = [payment(1, "succeeded"), payment(2, "succeeded", 500)];
  const { terms } = termsOf(choice, { percent: discount });
  const start = { ...payment(0, "succeeded"), purpose: "start", terms };
  return subscriptionCalls["GET /api/payments"].answer.parse(
    inWindow ? { payments: [start], refunds: [] } : { payments: earlier, refunds: [refund] },
  );
}

function invoicesOf({ choice }: BillingModel): unknown {
  const one = { issuedOn: today, ...usd(0), total: 2000, language: "en" };
  const invoice = {
    ...one,
    documentId: idOf(5),
    label: "2026-000041",
    kind: "invoice",
    corrects: null,
  };
  const note = { ...one, documentId: idOf(6), label: "C-2026-000003", kind: "credit-note" };
  const documents = [{ ...note, total: 500, corrects: invoice.label }, invoice];
  return invoiceCalls["GET /api/invoices"].answer.parse({
    documents: choice === undefined ? [] : documents,
  });
}

const ok = (body: unknown): Answer => ({ status: 200, body });
export const problem = (status: number, code: string): Answer => ({
  status,
  body: { code, title: code },
});

const Hash = z.object({ hash: z.string() });

/** What an act does to the model, once its hash is the one that holds. */
const effects: Readonly<Record<string, (model: BillingModel, body: unknown) => Answer>> = {
  "POST /api/checkout": () =>
    ok({ status: "redirect", checkoutId: "c-1", url: "/checkout/return?checkout=c-1" }),
  "POST /api/subscription/change": (model, body) => {
    const choice = PlanChoice.parse(body);
    if (rank(choice) < rank(model.choice ?? choice)) model.scheduled = choice;
    else model.choice = choice;
    return ok({ status: "applied" });
  },
  "POST /api/subscription/cancel": (model) => {
    if (model.inWindow) model.choice = undefined;
    else model.status = "ending";
    return ok({ status: "done", at: instant });
  },
  "POST /api/subscription/resume": (model) => {
    model.status = "active";
    return ok({ status: "done" });
  },
  "POST /api/subscription/drop-downgrade": (model) => {
    model.scheduled = undefined;
    return ok({ status: "done" });
  },
};

function act(model: BillingModel, name: string, body: unknown): Answer | undefined {
  const effect = effects[name];
  if (effect === undefined) return undefined;
  if (Hash.parse(body).hash !== hashOf(model.version)) return problem(409, "quote_changed");
  model.applied.push({ name, body });
  return effect(model, body);
}

const ownFactors = { totp: true, recoveryCodesLeft: 10, passkeys: [], required: false };

const reads: Readonly<Record<string, (model: BillingModel, body: unknown) => Answer>> = {
  "GET /api/account": ({ roles }) => ok(noa(roles)),
  "GET /api/account/factors": () => ok(ownFactors),
  "GET /api/account/sessions": () => ok({ sessions: [] }),
  "GET /api/subscription": (model) => ok(subscriptionOf(model)),
  "GET /api/invoices": (model) => ok(invoicesOf(model)),
  "GET /api/payments": (model) => ok(paymentsOf(model)),
  "POST /api/checkout/quote": ({ choice, version, discount }, body) =>
    choice === undefined
      ? ok({ quote: startQuote(PlanChoice.parse(body), discount), hash: hashOf(version) })
      : problem(409, "subscription_exists"),
  "GET /api/console/billing/parked": ({ parked }) => ok({ accounts: parked }),
  "GET /api/console/status": () => ok({ processes: [] }),
};

/** A server of billing that keeps a simple model, for journeys in the browser. */
export function answerFrom(model: BillingModel): (call: ArrivedCall) => Answer {
  return ({ method, path, body }) => {
    const name = `${method} ${path.split("?", 1)[0]}`;
    const forced = model.forced.get(name);
    if (forced !== undefined) return forced;
    const done = act(model, name, body);
    if (done !== undefined) return done;
    if (name.endsWith("/release")) {
      model.parked = model.parked.filter(({ accountId }) => !name.includes(accountId));
      return ok({ status: "done" });
    }
    if (name.startsWith("GET /api/checkout/")) return ok({ status: model.checkout, url: null });
    return reads[name]?.(model, body) ?? problem(404, "not_found");
  };
}
