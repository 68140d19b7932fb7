import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";

import { operatorClock, printLine } from "@pro-talent/platform/runtime/operator";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { recordMailReport } from "./domains/newsletter/mail-reports.ts";
import {
  commandSubscriber,
  newsletterSubscriber,
  readSubscriberState,
  type SubscriberStores,
} from "./domains/newsletter/subscribers.ts";
import type { CommandContext } from "./kernel/commands.ts";
import { mailboxKeyLabel, openMailboxes } from "./kernel/mailboxes.ts";
import { mailReturnsOf } from "./kernel/module.ts";
import { findKeyring, operatorCause, withDatabaseAs } from "./kernel/operator.ts";
import { openSubjects } from "./kernel/subjects.ts";
import { modules, readModels } from "./modules.ts";

/**
 * `npm run mail:report < <file>`: records what a bounce or complaint message says, as it arrived. Ends
 * with 1 when it is no such message, or about no mail of ours.
 *
 * `npm run mail:report -- --withdraw <address>`: the bounce of this subscriber was wrong. Ends with 1
 * when there is none.
 */
async function run(): Promise<number> {
  const { values } = parseArgs({ options: { withdraw: { type: "string" } } });
  const options = { applicationName: "mail-report" };
  return withDatabaseAs("ledger_operator", process.env, options, async (sql) => {
    const keyring = await findKeyring(process.env, sql);
    const ledger = { sql, readModels };
    const stores = {
      ledger,
      subjects: openSubjects(sql, keyring),
      mailboxes: openMailboxes(sql, keyring.deriveKeys(mailboxKeyLabel)),
      recordReturn: mailReturnsOf(modules, ledger),
    };
    const context = { now: instantFromMs(operatorClock(process.env)()), cause: operatorCause() };
    if (values.withdraw !== undefined) return await withdraw(stores, values.withdraw, context);
    const result = await recordMailReport(stores, await buffer(process.stdin), context);
    const recorded = result === "recorded";
    printLine(recorded ? "It is recorded." : "It is no report about a mail of ours.");
    return recorded ? 0 : 1;
  });
}

async function withdraw(
  stores: SubscriberStores,
  address: string,
  context: CommandContext,
): Promise<number> {
  const id = await stores.subjects.idOfAddress(newsletterSubscriber, address);
  const state = id === undefined ? undefined : await readSubscriberState(stores.ledger, id);
  if (id === undefined || state?.status !== "bounced") {
    printLine("There is no bounce of this address.");
    return 1;
  }
  const command = { type: "WithdrawBounce" } as const;
  const result = await commandSubscriber(stores.ledger, id, command, context);
  if (result.kind === "refusal") throw new OperatorError(`It was not withdrawn: ${result.code}`);
  printLine(`The bounce is withdrawn; the subscriber is ${result.status} again.`);
  return 0;
}

await runCommand(run);
