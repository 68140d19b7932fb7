import { isDeepStrictEqual } from "node:util";

import type { BillingData, BillingEvent } from "@pro-talent/schemas/billing/events";
import type { PlanChoice, Quote, QuoteOf } from "@pro-talent/schemas/billing/quotes";
import type { BillingState } from "@pro-talent/schemas/billing/state";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { type Refusal, refuse } from "../../kernel/types.ts";
import { refundKey } from "./disputes.decider.ts";
import {
  endOf,
  type PriceTerms,
  quoteCancel,
  quoteChange,
  quoteDrop,
  type QuoteRefusalCode,
  quoteResume,
  quoteStart,
  returnable,
} from "./quotes.decider.ts";
import { coverOf } from "./renewal.decider.ts";

type Consent = BillingData<"ConsentGiven">;

/** What an account holder does, each with the quote that was shown. */
export type BillingAct =
  | {
      readonly type: "OpenCheckout";
      /** Key of the payment. */
      readonly checkout: string;
      readonly choice: PlanChoice;
      readonly quote: QuoteOf<"start">;
      readonly terms: PriceTerms;
      readonly consents: readonly Omit<Consent, "checkout">[];
    }
  | { readonly type: "OpenCardCheckout"; readonly checkout: string }
  | {
      readonly type: "ChangePlan";
      readonly choice: PlanChoice;
      readonly quote: QuoteOf<"upgrade"> | QuoteOf<"downgrade">;
      readonly terms: PriceTerms;
      /** Key of the payment, if there is one. */
      readonly charge: string;
    }
  | { readonly type: "DropDowngrade"; readonly quote: QuoteOf<"drop-downgrade"> }
  | { readonly type: "Cancel"; readonly quote: QuoteOf<"withdraw"> | QuoteOf<"cancel"> }
  | { readonly type: "Resume"; readonly quote: QuoteOf<"resume"> };

export type ActRefusalCode = QuoteRefusalCode | "quote_changed";

type Decision = readonly BillingEvent[] | Refusal<ActRefusalCode>;

const acts: ReadonlySet<string> = new Set<BillingAct["type"]>([
  "OpenCheckout",
  "OpenCardCheckout",
  "ChangePlan",
  "DropDowngrade",
  "Cancel",
  "Resume",
]);
export const isAct = (command: { readonly type: string }): command is BillingAct =>
  acts.has(command.type);

/** Carries out what was shown, or refuses when it would be something else now. */
export function decideAct(command: BillingAct, state: BillingState, now: Instant): Decision {
  switch (command.type) {
    case "OpenCheckout":
      return openCheckout(command, state, now);
    case "OpenCardCheckout":
      return openCardCheckout(command, state);
    case "ChangePlan":
      return changePlan(command, state, now);
    case "DropDowngrade":
      return (
        quoted(command.quote, quoteDrop(state, now)) ?? [{ type: "DowngradeDropped", data: {} }]
      );
    case "Cancel":
      return cancel(command.quote, state, now);
    case "Resume":
      return quoted(command.quote, quoteResume(state, now)) ?? [{ type: "Resumed", data: {} }];
  }
}

/** Why an act is not carried out: it is impossible now, or it would do something else than was shown. */
function quoted(shown: object, now: Quote | Refusal<QuoteRefusalCode>): Decision | undefined {
  if ("kind" in now) return now;
  return isDeepStrictEqual(shown, now) ? undefined : refuse("quote_changed");
}

function openCheckout(
  command: BillingAct & { type: "OpenCheckout" },
  state: BillingState,
  now: Instant,
): Decision {
  const { checkout, choice, terms: priceTerms, quote, consents } = command;
  const current = quoteStart(state, choice, priceTerms, { now, zone: quote.zone });
  const refused = quoted(quote, current);
  if (refused !== undefined) return refused;
  const { price, terms, place, zone } = quote;
  const cover = coverOf(place, terms.total);
  return [
    ...consents.map((consent) => ({
      type: "ConsentGiven" as const,
      data: { ...consent, checkout },
    })),
    { type: "CheckoutOpened", data: { checkout, price, terms, place, cover, zone } },
  ];
}

function openCardCheckout(
  { checkout }: BillingAct & { type: "OpenCardCheckout" },
  { subscription }: BillingState,
): Decision {
  if (subscription === null) return refuse("subscription_none");
  const { zone } = subscription;
  const data = { checkout, price: null, terms: null, place: null, cover: null, zone };
  return [{ type: "CheckoutOpened", data }];
}

function changePlan(
  command: BillingAct & { type: "ChangePlan" },
  state: BillingState,
  now: Instant,
): Decision {
  const { quote, choice, charge } = command;
  const refused = quoted(quote, quoteChange(state, choice, command.terms, now));
  if (refused !== undefined) return refused;
  const { price } = quote;
  if (quote.act === "downgrade") {
    return [{ type: "DowngradeScheduled", data: { price, effective: quote.effective } }];
  }
  const { place, cover, terms } = quote;
  if (terms.total === 0) {
    return [{ type: "UpgradeApplied", data: { charge: null, price, place, cover } }];
  }
  const data = { charge, purpose: "upgrade", price, place, terms, cover } as const;
  return [{ type: "ChargeIntended", data }];
}

function cancel(
  quote: (BillingAct & { type: "Cancel" })["quote"],
  state: BillingState,
  now: Instant,
): Decision {
  const { subscription } = state;
  // An end that is now is another instant when the act follows the quote.
  const current = quoteCancel(state, now);
  const shown =
    quote.act === "cancel" && "endsAt" in current && current.endsAt === now
      ? { ...quote, endsAt: now }
      : quote;
  const refused = quoted(shown, current);
  if (refused !== undefined) return refused;
  if (subscription === null) return refuse("subscription_none");
  if (quote.act === "cancel") {
    return [{ type: "CancellationRequested", data: endOf(subscription, now) }];
  }
  const { contract } = subscription;
  return [
    { type: "WithdrawalConfirmed", data: { contract, amount: quote.refund.amount } },
    { type: "SubscriptionEnded", data: { reason: "withdrawal" } },
    ...refundAll(state, contract),
  ];
}

function refundAll(state: BillingState, contract: string): readonly BillingEvent[] {
  return returnable(state, contract).map(({ charge, amount }) => {
    const refund = refundKey(state, charge);
    const data = { refund, charge, amount, reason: "withdrawal" } as const;
    return { type: "RefundIntended", data };
  });
}
