import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { type Plan, PlanCode } from "@pro-talent/schemas/subscription/plan";

import { column, optional, readModel } from "../../kernel/read-model.ts";
import { billingEvents } from "./subscriptions.ts";

/**
 * The plan that an account may use, for other domains and services: it counts until `until`, and without
 * a row, or after that, the account is on the free plan.
 */
export const billingEntitlements = readModel({
  table: "billing_entitlement",
  version: 1,
  mode: "inline",
  purpose: "Which plan an account may use",
  retention: "As long as the events that it is built from; an ended subscription has no row",
  events: billingEvents,
  key: { account_id: column.uuid("pseudonym", "Names the account") },
  columns: {
    plan: column.text("coarse", "The plan that is paid"),
    until: optional(column.instant("operational", "When access ends; null while no end is set")),
  },
  evolve: (row, { event }) => {
    switch (event.type) {
      case "SubscriptionStarted":
        return { plan: event.data.price.plan, until: null };
      case "UpgradeApplied":
        return row && { ...row, plan: event.data.price.plan };
      case "PlanRenewed":
        return row && { plan: event.data.price.plan, until: null };
      case "CancellationRequested":
      case "RenewalStopped":
      case "GraceStarted":
        return row && { ...row, until: event.data.endsAt };
      case "Resumed":
        return row && { ...row, until: null };
      case "SubscriptionEnded":
        return null;
      default:
        return row;
    }
  },
});

/** When the access of an account ends; null while no end is set. */
export async function entitledUntil(sql: Queryable, accountId: string): Promise<Instant | null> {
  const [row] = await sql<{ until: Date | null }[]>`
    select until from ledger.billing_entitlement where account_id = ${accountId}`;
  const until = row?.until ?? null;
  return until === null ? null : instantFromMs(until.getTime());
}

/** Whose a payment or checkout of the provider is, for hints. */
export const billingReferences = readModel({
  table: "billing_reference",
  version: 1,
  mode: "following",
  purpose: "Finds the account of a payment that the provider reports",
  retention: "As long as the events that it is built from",
  events: billingEvents,
  key: { reference: column.text("pseudonym", "The provider's id of a payment or checkout") },
  columns: {
    account_id: column.uuid("pseudonym", "Names the account"),
    key: column.uuid("pseudonym", "The charge or checkout"),
  },
  keyOf: ({ event }) => {
    switch (event.type) {
      case "CheckoutAttached":
        return { reference: event.data.reference };
      case "ChargeSucceeded":
      case "ChargeHeld":
        return { reference: event.data.payment };
      default:
        return null;
    }
  },
  evolve: (row, { id, event }) => {
    switch (event.type) {
      case "CheckoutAttached":
        return { account_id: id, key: event.data.checkout };
      case "ChargeSucceeded":
      case "ChargeHeld":
        return { account_id: id, key: event.data.charge };
      default:
        return row;
    }
  },
});

/** Accounts whose billing is stopped until an administrator has looked into it. */
export const parkedAccounts = readModel({
  table: "billing_parked",
  version: 1,
  mode: "following",
  purpose: "Shows administrators what contradicts itself",
  retention: "Until the account is released",
  events: billingEvents,
  key: { account_id: column.uuid("pseudonym", "Names the account") },
  columns: {
    reason: column.text("operational", "Which rule is broken"),
    since: column.instant("operational", "When it was found"),
  },
  evolve: (row, { event, occurredAt }) => {
    switch (event.type) {
      case "AccountParked":
        return { reason: event.data.reason, since: occurredAt };
      case "AccountReleased":
        return null;
      default:
        return row;
    }
  },
});

/** The plan that an account may use at a moment. */
export async function planOf(
  sql: Queryable,
  accountId: string,
  now: Instant,
): Promise<Plan["code"]> {
  const [row] = await sql<{ plan: string }[]>`
    select plan from ledger.billing_entitlement
     where account_id = ${accountId} and (until is null or until > ${now})`;
  return row === undefined ? "free" : PlanCode.parse(row.plan);
}

/** Whose the provider's payment or checkout is. */
export async function findReference(
  sql: Queryable,
  reference: string,
): Promise<{ accountId: string; key: string } | undefined> {
  const [row] = await sql<{ accountId: string; key: string }[]>`
    select account_id as "accountId", key from ledger.billing_reference where reference = ${reference}`;
  return row;
}

type ParkedRow = { accountId: string; reason: string; since: Date };

/** Those that have waited longest first. */
export async function listParked(sql: Queryable): Promise<readonly ParkedRow[]> {
  return await sql<ParkedRow[]>`
    select account_id as "accountId", reason, since from ledger.billing_parked order by since`;
}
