import type { BillingData, BillingEvent } from "@pro-talent/schemas/billing/events";
import type { BillingState } from "@pro-talent/schemas/billing/state";

import { refundKey } from "./disputes.decider.ts";

/** What concerns the account as a whole, whatever it has bought. */
export type AccountDuty =
  /** An administrator has looked into it. */
  | { readonly type: "ReleaseAccount" }
  | { readonly type: "CloseAccount" }
  /** The provider holds nothing more of a closed account. */
  | { readonly type: "RecordForgotten" }
  /** The account was opened with an invitation. */
  | { readonly type: "AllowBuying" }
  /** An invitation promised it. */
  | ({ readonly type: "GrantDiscount" } & BillingData<"DiscountGranted">);

type Events = readonly BillingEvent[];

export function decideAccount(command: AccountDuty, state: BillingState): Events {
  switch (command.type) {
    case "ReleaseAccount":
      return release(state);
    case "RecordForgotten":
      return state.forgetAt === null ? [] : [{ type: "CustomerForgotten", data: {} }];
    case "CloseAccount":
      return close(state);
    case "AllowBuying":
      return state.invited ? [] : [{ type: "BuyingAllowed", data: {} }];
    case "GrantDiscount":
      return grantDiscount(command, state);
  }
}

/** One for an account, however many invitations it had: the first counts. */
function grantDiscount(
  { percent, invitationId }: AccountDuty & { type: "GrantDiscount" },
  { discount, closed }: BillingState,
): Events {
  if (discount !== null || closed) return [];
  return [{ type: "DiscountGranted", data: { percent, invitationId } }];
}

/** Refunds that failed are tried once more, under new keys. */
function release(state: BillingState): Events {
  if (state.parked === null) return [];
  const again = state.charges.flatMap((charge): BillingEvent[] => {
    const last = state.refunds.findLast((one) => one.charge === charge.charge);
    if (last?.status !== "failed" || !charge.owedBack) return [];
    const amount = Math.min(last.amount, charge.terms.total - charge.returned);
    if (amount <= 0) return [];
    const data = { refund: refundKey(state, charge.charge), charge: charge.charge, amount };
    return [{ type: "RefundIntended", data: { ...data, reason: last.reason } }];
  });
  return [{ type: "AccountReleased", data: {} }, ...again];
}

/** The account is deleted: nothing more is charged or mailed; refunds under way go on. */
function close(state: BillingState): Events {
  if (state.closed) return [];
  const ended: BillingEvent = { type: "SubscriptionEnded", data: { reason: "account-closed" } };
  return [...(state.subscription === null ? [] : [ended]), { type: "AccountClosed", data: {} }];
}
