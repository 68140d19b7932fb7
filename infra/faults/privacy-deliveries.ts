import { join } from "node:path";

import { deliverAnyhow } from "@pro-talent/ledger/domains/privacy/testing/traces/deliveries";

import { OWNER_ROLE } from "../postgres/roles.ts";
import type { Finding } from "./compare-stored.ts";
import { migrate, startDatabase } from "./drill-services.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { seededRandom } from "./record-load.ts";

/** A ledger alone, on a Postgres of its own. */
export async function ledgerAlone(directory: string) {
  const { context, stop } = await startDatabase(directory);
  await migrate(context, "ledger");
  const { databaseUrl: urlOf } = context;
  return { ownerUrl: urlOf(OWNER_ROLE), urlOf, drop: stop };
}

/** Work on many requests is delivered several times, at once, in any order, or never. */
export async function workDeliveredAnyhow({ directory, seed }: DrillOptions): Promise<Finding> {
  const database = await ledgerAlone(join(directory, "deliveries"));
  const random = seededRandom(seed);
  const delivered = await deliverAnyhow({ requests: 40, random, database });
  const { requests, deliveries, lost, wrong } = delivered;
  return {
    statement:
      "work that is delivered one to five times, in any order, or lost, is done once, and every request ends",
    holds: wrong.length === 0 && deliveries > 0 && lost > 0,
    figures: `${requests} requests, ${deliveries} deliveries, ${lost} lost, ${wrong.length} wrong ${wrong[0] ?? ""}`,
  };
}
