import type { BillingData, BillingEvent } from "@pro-talent/schemas/billing/events";
import type { Money } from "@pro-talent/schemas/billing/money";
import type { BillingState, Charge } from "@pro-talent/schemas/billing/state";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { endOf, remainderOf } from "./quotes.decider.ts";

/** A payment as it was looked up at the provider. */
export type ObservedPayment = {
  readonly paymentId: string;
  readonly status: "processing" | "action-required" | "succeeded" | "failed";
  readonly amount: Money;
  readonly refunded: number;
  readonly failure: {
    readonly reason: Exclude<BillingData<"ChargeFailed">["reason"], "not-confirmed" | "superseded">;
    readonly hard: boolean;
  } | null;
  readonly dispute: {
    readonly disputeId: string;
    readonly status: "inquiry" | "open" | "won" | "lost";
    readonly refundable: boolean;
  } | null;
};

type Events = readonly BillingEvent[];

/** Money that the provider returned beside the refunds that are known here. */
export function recordReturned(
  state: BillingState,
  charge: Charge,
  { refunded }: ObservedPayment,
): Events {
  const underWay = state.refunds.some(
    (one) => one.charge === charge.charge && one.status === "intended",
  );
  if (underWay || refunded <= charge.returned) return [];
  return [{ type: "RefundObserved", data: { charge: charge.charge, returned: refunded } }];
}

/** What a dispute does. An inquiry moves no money; one that is over does not begin again. */
export function recordDispute(
  state: BillingState,
  charge: Charge,
  { dispute }: ObservedPayment,
  now: Instant,
): Events {
  if (dispute === null) return [];
  const { disputeId, status, refundable } = dispute;
  const known = charge.dispute?.dispute === disputeId ? charge.dispute.status : null;
  const isOver = known !== null && known !== "inquiry" && known !== "open";
  if (known === status || isOver) return [];
  const key = charge.charge;
  if (status === "inquiry" || status === "open") {
    const data = { charge: key, dispute: disputeId, kind: status, refundable };
    return [
      { type: "DisputeOpened", data },
      ...(status === "open" ? stopped(state, charge, now) : released(state, charge, status)),
    ];
  }
  const opened: Events =
    known !== null
      ? []
      : [
          {
            type: "DisputeOpened",
            data: { charge: key, dispute: disputeId, kind: "open", refundable },
          },
        ];
  const closed: BillingEvent = { type: "DisputeClosed", data: { charge: key, result: status } };
  return [
    ...opened,
    closed,
    ...(status === "won" ? released(state, charge, status) : lostFor(state, charge)),
  ];
}

/** What was paid may be used; it is not renewed while its money is disputed. */
function stopped({ subscription }: BillingState, { contract }: Charge, now: Instant): Events {
  if (subscription === null || subscription.contract !== contract) return [];
  if (subscription.ending !== null || subscription.dunning !== null) return [];
  return [{ type: "RenewalStopped", data: endOf(subscription, now) }];
}

/** What was owed back while the dispute held it: it was won, or is an inquiry again. */
function released(state: BillingState, charge: Charge, status: "won" | "inquiry"): Events {
  const dispute = charge.dispute && { ...charge.dispute, status };
  const amount = remainderOf(state, { ...charge, dispute });
  if (!charge.owedBack || amount === 0) return [];
  const data = { refund: refundKey(state, charge.charge), charge: charge.charge, amount };
  return [{ type: "RefundIntended", data: { ...data, reason: "withdrawal" } }];
}

/** The plan ends with the payment of its present period. */
function lostFor({ subscription }: BillingState, charge: Charge): Events {
  const isCurrent =
    subscription !== null &&
    subscription.contract === charge.contract &&
    charge.cover.to >= subscription.cover.to;
  return isCurrent ? [{ type: "SubscriptionEnded", data: { reason: "dispute" } }] : [];
}

/** How a refund ended. */
export function recordRefund(
  state: BillingState,
  key: string,
  status: "pending" | "succeeded" | "failed",
): Events {
  const refund = state.refunds.find((one) => one.refund === key);
  if (refund === undefined || status === "pending" || refund.status === status) return [];
  if (status === "succeeded") return [{ type: "RefundSettled", data: { refund: key } }];
  const parked: BillingEvent = { type: "AccountParked", data: { reason: "refund-failed" } };
  return [
    { type: "RefundFailed", data: { refund: key } },
    ...(state.parked === null ? [parked] : []),
  ];
}

/** The next key of a refund of a charge. */
export function refundKey({ refunds }: BillingState, charge: string): string {
  return `${charge}.${refunds.filter((one) => one.charge === charge).length + 1}`;
}
