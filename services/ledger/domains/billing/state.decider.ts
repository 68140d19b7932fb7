import type { BillingEvent } from "@pro-talent/schemas/billing/events";
import type { BillingState } from "@pro-talent/schemas/billing/state";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { afterCheckout, afterMoney } from "./money-state.decider.ts";
import { afterMail, owedAfter } from "./notices.decider.ts";
import { afterContract } from "./subscription-state.decider.ts";

/** An account that never bought anything. */
export const noBilling: BillingState = {
  subscription: null,
  ended: null,
  checkouts: [],
  charges: [],
  refunds: [],
  owed: [],
  mailFailures: [],
  parked: null,
  closed: false,
  forgetAt: null,
  invited: false,
  discount: null,
};

/** The state after an event. Mails that the event makes due are owed from then on. */
export function evolve(before: BillingState, event: BillingEvent, at: Instant): BillingState {
  const state = [afterCheckout, afterMoney, afterContract, afterMail].reduce(
    (changed, part) => part(changed, event, at),
    before,
  );
  const mail = owedAfter(state, event);
  if (mail === null || state.closed) return state;
  const [notice, about] = mail;
  const isOwed = state.owed.some((one) => one.notice === notice && one.about === about);
  return isOwed ? state : { ...state, owed: [...state.owed, { notice, about, at }] };
}
