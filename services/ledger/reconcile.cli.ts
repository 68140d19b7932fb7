import type { Sql } from "@pro-talent/platform/postgres/pool";
import { printLine } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import { withDatabaseAs } from "./kernel/operator.ts";
import { reconcileAll, type Reconciliation } from "./kernel/reconcile.ts";
import { streamKinds } from "./modules.ts";

/**
 * `npm run ledger:reconcile`: compares all timers and keys with what the events demand and repairs what
 * differs, as the worker does once a day. Ends with 1 when something is left that it cannot repair.
 */
const lines: Readonly<Record<Exclude<keyof Reconciliation, "streams">, string>> = {
  armed: "timers were missing or wrong, and are set",
  removed: "timers followed from no event, and are removed",
  rearmed: "erasures had fired without being recorded, and are due again",
  destroyed: "keys were left after a recorded erasure, and are destroyed",
  overdue: "erasures are more than an hour late: is the worker running?",
  skipped: "streams could not be read, or changed meanwhile: run it again",
};

// A large ledger takes its time.
const options = { applicationName: "ledger-reconcile", statementSecondsMax: 3600 };

async function reconcile(sql: Sql): Promise<number> {
  const { streams, ...found } = await reconcileAll({ sql, kinds: streamKinds });
  printLine(`${streams} streams with duties were compared.`);
  const differing = Object.entries(found).filter(([, count]) => count > 0);
  for (const [name, text] of Object.entries(lines)) {
    const [, count] = differing.find(([found]) => found === name) ?? [];
    if (count !== undefined) printLine(`${count} ${text}`);
  }
  if (differing.length === 0) printLine("Every timer and every key is as the events demand.");
  return found.overdue + found.skipped > 0 ? 1 : 0;
}

await runCommand(() => withDatabaseAs("ledger_operator", process.env, options, reconcile));
