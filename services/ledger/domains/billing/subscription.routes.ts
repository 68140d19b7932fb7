import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { billingProblems, subscriptionCalls } from "@pro-talent/schemas/billing/calls";
import type { Quote } from "@pro-talent/schemas/billing/quotes";
import type { BillingState } from "@pro-talent/schemas/billing/state";
import type { FastifyInstance } from "fastify";

import { unavailable } from "../../kernel/http.ts";
import {
  actAsShown,
  beginAct,
  type BillingRoutes,
  type Caller,
  quoteOf,
  whenUncertain,
} from "./holder-acts.ts";
import {
  type PriceTerms,
  quoteCancel,
  quoteChange,
  quoteDrop,
  quoteResume,
} from "./quotes.decider.ts";
import {
  type HeldByProvider,
  hashOf,
  paymentsView,
  subscriptionView,
} from "./subscription-view.ts";

const done = { status: "done" as const };
const answerTo = (quote: Quote) => ({ quote, hash: hashOf(quote) });

/** The calls of account holders about their own subscription. */
export function addSubscriptionRoutes(app: FastifyInstance, routes: BillingRoutes): void {
  const terms: PriceTerms = { book: routes.work.book, taxes: routes.work.taxes };
  const begin = (caller: Caller) => beginAct(routes, caller);
  addCalls(app, subscriptionCalls, {
    "GET /api/subscription": async (_input, caller) => {
      const { accountId, state, issued } = await begin(caller);
      return subscriptionView(state, terms, issued.now, await heldFor(routes, accountId, state));
    },
    "GET /api/payments": async (_input, caller) => paymentsView((await begin(caller)).state),
    "POST /api/subscription/change-quote": async ({ body }, caller) => {
      const { state, issued } = await begin(caller);
      return answerTo(quoteOf(quoteChange(state, body, terms, issued.now)));
    },
    "POST /api/subscription/change": async ({ body: { hash, ...choice } }, caller) => {
      const acting = await begin(caller);
      const charge = acting.commandId;
      const now = quoteChange(acting.state, choice, terms, acting.issued.now);
      await actAsShown(routes, acting, now, {
        hash,
        commandOf: (quote) => ({ type: "ChangePlan", choice, quote, terms, charge }),
      });
      return await paidAnswer(routes, acting.accountId, charge);
    },
    "POST /api/subscription/cancel-quote": async (_input, caller) => {
      const { state, issued } = await begin(caller);
      return answerTo(quoteOf(quoteCancel(state, issued.now)));
    },
    "POST /api/subscription/cancel": async ({ body: { hash } }, caller) => {
      const acting = await begin(caller);
      await actAsShown(routes, acting, quoteCancel(acting.state, acting.issued.now), {
        hash,
        commandOf: (quote) => ({ type: "Cancel", quote }),
      });
      return { ...done, at: acting.issued.now };
    },
    "POST /api/subscription/resume": async ({ body: { hash } }, caller) => {
      const acting = await begin(caller);
      await actAsShown(routes, acting, quoteResume(acting.state, acting.issued.now), {
        hash,
        commandOf: (quote) => ({ type: "Resume", quote }),
      });
      return done;
    },
    "POST /api/subscription/drop-downgrade": async ({ body: { hash } }, caller) => {
      const acting = await begin(caller);
      await actAsShown(routes, acting, quoteDrop(acting.state, acting.issued.now), {
        hash,
        commandOf: (quote) => ({ type: "DropDowngrade", quote }),
      });
      return done;
    },
  });
}

/** The latest payment, with where it is confirmed, and the card: without charges neither is asked for. */
async function heldFor(
  { work: { payments } }: BillingRoutes,
  accountId: string,
  state: BillingState,
): Promise<HeldByProvider> {
  const last = state.charges.findLast(({ status }) => status !== "hosted");
  if (last === undefined) return { payment: undefined, card: undefined };
  const [payment, card] = await Promise.all([
    payments.findPayment({ key: last.charge }).catch(whenUncertain),
    payments.findCard(accountId).catch(whenUncertain),
  ]);
  return { payment, card };
}

/** How the payment of an upgrade ended. */
async function paidAnswer(
  { work: { payments, store } }: BillingRoutes,
  accountId: string,
  key: string,
) {
  const { charges } = await store.read(accountId).catch(unavailable);
  const charge = charges.find((one) => one.charge === key);
  switch (charge?.status) {
    case "failed":
      throw new ProblemError(billingProblems.payment_declined);
    case "held": {
      const payment = await payments.findPayment({ key }).catch(whenUncertain);
      const url = payment?.actionUrl ?? null;
      return url === null ? { status: "pending" as const } : { status: "confirm" as const, url };
    }
    case "open":
    case "hosted":
      return { status: "pending" as const };
    case "succeeded":
    case undefined:
      return { status: "applied" as const };
  }
}
