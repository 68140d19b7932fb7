import type { BillingData } from "@pro-talent/schemas/billing/events";
import { dayPlus, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { Recorded, SimulatedAccount } from "./simulated-account.ts";

const graceDaysMax = 14;
/** Reasons that end access before the days are over that were paid for. */
const earlyEnds = new Set<string>(["withdrawal", "dispute", "account-closed"]);

/** What the recorded payments give access to. */
type PaidAccess = {
  readonly paid: Set<string>;
  zone: string;
  /** Null without a plan. */
  given: { readonly plan: string; readonly until: Instant } | null;
  /** Access that a failed renewal leaves. */
  graceUntil: Instant | null;
  /** Cancelled: access ends then. */
  endsAt: Instant | null;
  readonly broken: string[];
};

/**
 * What was paid for, read from the recorded payments and never from the state under test: the plan of the
 * last paid period until its last day; after it, only until a cancellation takes effect, and for at most the
 * days of grace when a renewal has failed.
 */
export function wrongAccess({ events, now, plan }: SimulatedAccount): readonly string[] {
  const access: PaidAccess = {
    paid: new Set(),
    zone: "UTC",
    given: null,
    graceUntil: null,
    endsAt: null,
    broken: [],
  };
  for (const recorded of events) follow(access, recorded);
  const { broken, given, endsAt, graceUntil } = access;
  if (given === null) return plan === "free" ? broken : [...broken, "access without a payment"];
  if (now < given.until) {
    return plan === given.plan ? broken : [...broken, `${given.plan} was paid, not ${plan}`];
  }
  const isOver = [endsAt, graceUntil].some((end) => end !== null && now >= end);
  return isOver && plan !== "free" ? [...broken, "access lasts past its end"] : broken;
}

function follow(access: PaidAccess, recorded: Recorded): void {
  const { event } = recorded;
  switch (event.type) {
    case "ChargeSucceeded":
      access.paid.add(event.data.charge);
      return;
    case "SubscriptionStarted":
      access.zone = event.data.zone;
      access.endsAt = null;
      giveFor(access, event.data.contract, event.data);
      return;
    case "PlanRenewed":
    case "UpgradeApplied":
      giveFor(access, event.data.charge, event.data);
      return;
    default:
      followEnd(access, recorded);
  }
}

function followEnd(access: PaidAccess, { event, at }: Recorded): void {
  const { given, zone, broken } = access;
  switch (event.type) {
    case "GraceStarted":
      access.graceUntil = event.data.endsAt;
      if (event.data.endsAt > startOfDay(dayPlus(event.data.failedOn, graceDaysMax), zone)) {
        broken.push("an unpaid renewal leaves more than the days of grace");
      }
      return;
    case "CancellationRequested":
    case "RenewalStopped":
      access.endsAt = event.data.endsAt;
      if (given !== null && event.data.endsAt > at && event.data.endsAt > given.until) {
        broken.push("a cancelled plan lasts longer than was paid");
      }
      return;
    case "Resumed":
      access.endsAt = null;
      return;
    case "SubscriptionEnded":
      if (given !== null && at < given.until && !earlyEnds.has(event.data.reason)) {
        broken.push(`access ended early: ${event.data.reason}`);
      }
      access.given = null;
      return;
    default:
  }
}

/** @param charge null where the credit paid for all of it */
function giveFor(
  access: PaidAccess,
  charge: string | null,
  { cover, price }: Pick<BillingData<"PlanRenewed">, "cover" | "price">,
): void {
  if (charge !== null && !access.paid.has(charge)) access.broken.push("a plan without a payment");
  access.given = { plan: price.plan, until: startOfDay(cover.to, access.zone) };
  access.graceUntil = null;
}
