import type { BillingData, BillingEvent } from "@pro-talent/schemas/billing/events";
import type { BillingState, Charge, Checkout, Refund } from "@pro-talent/schemas/billing/state";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { withSubscription } from "./subscription-state.decider.ts";

const unpaid = { payment: null, returned: 0, owedBack: false, dispute: null } as const;

/** What an event changes of the checkouts. */
export function afterCheckout(state: BillingState, event: BillingEvent, at: Instant): BillingState {
  const changed = (checkout: string, difference: Partial<Checkout>): BillingState => ({
    ...state,
    checkouts: change(state.checkouts, (one) => one.checkout === checkout, difference),
  });
  switch (event.type) {
    case "CheckoutOpened":
      return opened(state, event.data, at);
    case "CheckoutAttached": {
      const { checkout, reference, expiresAt } = event.data;
      return changed(checkout, { reference, expiresAt });
    }
    case "CheckoutExpired":
      return changed(event.data.checkout, { status: "expired" });
    case "CardStored":
      return withSubscription(
        changed(event.data.checkout, { status: "completed" }),
        (subscription) => {
          const { dunning } = subscription;
          return dunning === null
            ? subscription
            : { ...subscription, dunning: { ...dunning, newCard: true } };
        },
      );
    default:
      return state;
  }
}

function opened(
  state: BillingState,
  data: BillingData<"CheckoutOpened">,
  at: Instant,
): BillingState {
  const { checkout, price, terms, zone, place, cover } = data;
  const isStart = price !== null && terms !== null && place !== null && cover !== null;
  const opening: Checkout = {
    checkout,
    price,
    zone,
    openedAt: at,
    reference: null,
    expiresAt: null,
    kind: isStart ? "start" : "card",
    status: "open",
  };
  const checkouts = [...state.checkouts, opening];
  if (!isStart) return { ...state, checkouts };
  const charge: Charge = {
    charge: checkout,
    contract: checkout,
    purpose: "start",
    status: "hosted",
    price,
    place,
    cover,
    terms,
    at,
    ...unpaid,
  };
  return { ...state, checkouts, charges: [...state.charges, charge] };
}

/** What an event changes of payments, refunds and disputes. */
export function afterMoney(state: BillingState, event: BillingEvent, at: Instant): BillingState {
  const charged = (key: string, difference: (charge: Charge) => Partial<Charge>): BillingState => ({
    ...state,
    charges: state.charges.map((one) =>
      one.charge === key ? { ...one, ...difference(one) } : one,
    ),
  });
  switch (event.type) {
    case "ChargeIntended":
      return intended(state, event.data, at);
    case "ChargeSucceeded": {
      const { charge, payment } = event.data;
      const next = charged(charge, () => ({ status: "succeeded", payment }));
      const isHosted = (one: Checkout) => one.checkout === charge;
      return { ...next, checkouts: change(next.checkouts, isHosted, { status: "completed" }) };
    }
    case "ChargeHeld": {
      const { charge, payment } = event.data;
      return charged(charge, () => ({ status: "held", payment }));
    }
    case "ChargeFailed":
      return failed(
        charged(event.data.charge, () => ({ status: "failed" })),
        event.data,
      );
    case "DisputeOpened": {
      const { charge, dispute, kind, refundable } = event.data;
      return charged(charge, () => ({ dispute: { dispute, status: kind, refundable } }));
    }
    case "DisputeClosed": {
      const { charge, result } = event.data;
      return charged(charge, ({ dispute }) => ({
        dispute: dispute && { ...dispute, status: result, refundable: result !== "lost" },
      }));
    }
    case "RefundObserved":
      return charged(event.data.charge, () => ({ returned: event.data.returned }));
    case "RefundIntended": {
      const next = charged(event.data.charge, () => ({ owedBack: true }));
      const refund: Refund = { ...event.data, status: "intended", at };
      return { ...next, refunds: [...state.refunds, refund] };
    }
    case "RefundSettled":
    case "RefundFailed":
      return refundEnded(state, event);
    default:
      return state;
  }
}

function intended(
  state: BillingState,
  data: BillingData<"ChargeIntended">,
  at: Instant,
): BillingState {
  const contract = state.subscription?.contract ?? data.charge;
  const charge: Charge = {
    ...data,
    contract,
    at,
    status: "open",
    ...unpaid,
  };
  return withSubscription({ ...state, charges: [...state.charges, charge] }, (subscription) => {
    const { dunning } = subscription;
    // A new card is tried once.
    return dunning === null
      ? subscription
      : { ...subscription, dunning: { ...dunning, newCard: false } };
  });
}

/** A failed attempt at a renewal counts. */
function failed(state: BillingState, data: BillingData<"ChargeFailed">): BillingState {
  const charge = state.charges.find(isCharge(data.charge));
  if (charge?.purpose !== "renewal" || data.reason === "superseded") return state;
  return withSubscription(state, (subscription) => {
    const { dunning } = subscription;
    if (dunning === null || charge.contract !== subscription.contract) return subscription;
    const counted = { ...dunning, attempts: dunning.attempts + 1, hard: data.hard };
    return { ...subscription, dunning: counted };
  });
}

function refundEnded(
  state: BillingState,
  { type, data }: Extract<BillingEvent, { type: "RefundSettled" | "RefundFailed" }>,
): BillingState {
  const refund = state.refunds.find((one) => one.refund === data.refund);
  if (refund === undefined) return state;
  const isSettled = type === "RefundSettled";
  const status = isSettled ? "succeeded" : "failed";
  // A settled refund may fail later (its card is closed): the money is back here.
  const moved =
    (isSettled ? refund.amount : 0) - (refund.status === "succeeded" ? refund.amount : 0);
  return {
    ...state,
    refunds: change(state.refunds, (one) => one.refund === data.refund, { status }),
    charges: state.charges.map((one) =>
      one.charge === refund.charge ? { ...one, returned: one.returned + moved } : one,
    ),
  };
}

const isCharge = (key: string) => (one: Charge) => one.charge === key;

function change<Row extends object>(
  rows: readonly Row[],
  isOne: (row: Row) => boolean,
  difference: Partial<Row>,
): readonly Row[] {
  return rows.map((row) => (isOne(row) ? { ...row, ...difference } : row));
}
