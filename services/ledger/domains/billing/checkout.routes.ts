import { createHash } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { billingProblems, checkoutCalls } from "@pro-talent/schemas/billing/calls";
import {
  checkoutDocuments,
  checkoutTexts,
  checkoutTextsVersion,
} from "@pro-talent/schemas/billing/consent-texts";
import { totalOf } from "@pro-talent/schemas/billing/prices";
import type { PlanChoice } from "@pro-talent/schemas/billing/quotes";
import type { BillingState } from "@pro-talent/schemas/billing/state";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance } from "fastify";

import { storeProblem, unavailable } from "../../kernel/http.ts";
import {
  type Acting,
  actAsShown,
  beginAct,
  type BillingRoutes,
  type Caller,
  issueAct,
  quoteOf,
  whenUncertain,
} from "./holder-acts.ts";
import { describePlan, settleCheckout, settleNow } from "./payments-work.ts";
import { quoteStart } from "./quotes.decider.ts";
import { hashOf } from "./subscription-view.ts";

type Consents = readonly {
  readonly document: string;
  readonly version: string;
  readonly language: Locale;
}[];

/** New subscriptions and cards: what is completed on a page of the provider. */
export function addCheckoutRoutes(app: FastifyInstance, routes: BillingRoutes): void {
  const { book, taxes } = routes.work;
  addCalls(app, checkoutCalls, {
    "POST /api/checkout/quote": async ({ body }, caller) => {
      const quote = quoteOf(await startQuote(routes, await beginAct(routes, caller), body));
      return { quote, hash: hashOf(quote) };
    },
    "POST /api/checkout": async ({ body }, caller) => {
      const acting = await beginAct(routes, caller);
      const { plan, cycle, hash, language } = body;
      const choice = { plan, cycle };
      const consents = consentsOf(body.consents);
      const checkout = acting.commandId;
      const terms = { book, taxes };
      await actAsShown(routes, acting, await startQuote(routes, acting, choice), {
        hash,
        commandOf: (quote) => ({ type: "OpenCheckout", checkout, choice, quote, terms, consents }),
      });
      const cancelPath = `/checkout?${new URLSearchParams(choice).toString()}`;
      return await redirect(routes, acting, language, { path: "/checkout/return", cancelPath });
    },
    "POST /api/subscription/card": async ({ body }, caller) => {
      const acting = await beginAct(routes, caller);
      const command = { type: "OpenCardCheckout", checkout: acting.commandId } as const;
      await issueAct(routes, acting, command, null);
      const path = "/account/subscription";
      return await redirect(routes, acting, body.language, { path, cancelPath: path });
    },
    "GET /api/checkout/:checkoutId": ({ params }, caller) =>
      checkoutStatus(routes, caller, params.checkoutId),
  });
}

async function startQuote(
  { contactOf, isOpen, work: { book, taxes } }: BillingRoutes,
  { accountId, state, issued }: Acting,
  choice: PlanChoice,
) {
  if (!isOpen && !state.invited) throw new ProblemError(billingProblems.billing_closed);
  const contact = await contactOf(accountId);
  if (contact === undefined) throw new ProblemError("unauthorized");
  const terms = { book, taxes };
  return quoteStart(state, choice, terms, { now: issued.now, zone: contact.timeZone });
}

/** All texts must have been accepted as they are today. @throws ProblemError */
function consentsOf(consents: Consents) {
  return checkoutDocuments.map((document) => {
    const given = consents.find((one) => one.document === document);
    if (given?.version !== checkoutTextsVersion) {
      throw new ProblemError(billingProblems.consents_missing);
    }
    const { version, language } = given;
    const textHash = createHash("sha256").update(checkoutTexts[language][document]).digest("hex");
    return { document, version, language, textHash };
  });
}

/** Opens the provider's page under the key of the checkout: repeated, it is the same page. */
async function redirect(
  { context, work: { store, payments } }: BillingRoutes,
  { accountId, issued, commandId: checkout }: Acting,
  language: Locale,
  { path, cancelPath }: { path: string; cancelPath: string },
) {
  const state = await store.read(accountId).catch(unavailable);
  const charge = state.charges.find((one) => one.charge === checkout);
  const opened = await payments
    .openCheckout({
      key: checkout,
      accountId,
      amount: charge === undefined ? null : totalOf(charge.terms),
      description: charge === undefined ? "Pro Talent" : describePlan(charge.price),
      language,
      returnUrl: context.publicOrigin + path,
      cancelUrl: context.publicOrigin + cancelPath,
    })
    .catch(whenUncertain);
  if (opened === undefined) throw new ProblemError(billingProblems.payment_unavailable);
  const { checkoutId, url, expiresAt } = opened;
  const command = { type: "AttachCheckout", checkout, reference: checkoutId, expiresAt } as const;
  const attached = await store.issue(accountId, command, issued).catch(unavailable);
  if (attached.kind === "refusal") throw storeProblem("version_conflict");
  return { status: "redirect" as const, checkoutId, url };
}

/** Looks the checkout up, so that the page that is returned to shows the truth. */
async function checkoutStatus(routes: BillingRoutes, caller: Caller, reference: string) {
  const { accountId, issued, state } = await beginAct(routes, caller);
  const { work } = routes;
  const found = state.checkouts.find((one) => one.reference === reference);
  if (found === undefined) throw new ProblemError("not_found");
  await settleCheckout(work, accountId, found, issued).catch(whenUncertain);
  await settleNow(work, accountId, issued).catch(unavailable);
  const after = await work.store.read(accountId).catch(unavailable);
  const status = statusOf(after, found.checkout);
  if (status !== "open") return { status, url: null };
  const page = await work.payments.findCheckout(reference).catch(whenUncertain);
  return { status, url: page?.url ?? null };
}

function statusOf({ checkouts, charges }: BillingState, key: string) {
  const isReturned = charges.some((one) => one.charge === key && one.owedBack);
  if (isReturned) return "refunded" as const;
  return checkouts.find((one) => one.checkout === key)?.status ?? "expired";
}
