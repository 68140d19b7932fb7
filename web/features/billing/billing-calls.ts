import type { PlanChoice, QuoteOf } from "@pro-talent/schemas/billing/quotes";

import type { CallAnswer, CallName, CallResult } from "../../api-client/request.ts";

export type Choice = PlanChoice;
export type Subscription = CallAnswer<"GET /api/subscription">;
/** A button of the subscription, with what it would do now and the hash that the call repeats. */
export type Action = Subscription["actions"][number];
/** A shown quote. Repeated under the same key after a lost answer, it is ordered once. */
export type Offer = { quote: QuoteOf<"start">; hash: string; key: string };
/** A shown act, with the key under which it is applied once. */
export type ShownAction = Action & { key: string };

/** For one attempt; an attempt that was refused is over, and the next one has another key. */
export const newKey = (): string => crypto.randomUUID();

/** Why nothing can be ordered or changed now. */
export type Obstacle = "closed" | "subscribed" | "parked";
/** Why a call was not accepted; each has a text. */
export type Trouble =
  | "failed"
  | "network"
  | "unavailable"
  | "outdated"
  | "declined"
  | "chargeOpen"
  | "overdue"
  | "notConfirmed";

const obstacles: Readonly<Record<string, Obstacle>> = {
  billing_closed: "closed",
  subscription_exists: "subscribed",
  account_parked: "parked",
};

export function obstacleIn<Name extends CallName>(result: CallResult<Name>): Obstacle | undefined {
  return result.ok ? undefined : obstacles[result.code ?? ""];
}

const troubles: Readonly<Record<string, Trouble>> = {
  payment_unavailable: "unavailable",
  consents_missing: "outdated",
  payment_declined: "declined",
  charge_open: "chargeOpen",
  payment_overdue: "overdue",
  step_up_required: "notConfirmed",
};

export function troubleIn<Name extends CallName>(result: CallResult<Name>): Trouble {
  return (result.ok ? undefined : troubles[result.code ?? ""]) ?? "failed";
}
