import { buffer } from "node:stream/consumers";

import { systemClock } from "@pro-talent/platform/runtime/clock";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { mailboxKeyLabel, openMailboxes } from "../../kernel/mailboxes.ts";
import { findKeyring, operatorCause, printLine, withOwnerDatabase } from "../../kernel/operator.ts";
import { openSubjects } from "../../kernel/subjects.ts";
import { recordMailReport } from "./mail-reports.ts";
import { newsletterSubscribers } from "./subscriber.read-model.ts";

/**
 * `npm run mail:report < <file>`: records what a bounce or complaint message says, as it arrived. Ends
 * with 1 when it is no such message, or about no mail of ours.
 */
async function report(): Promise<number> {
  const raw = await buffer(process.stdin);
  return withOwnerDatabase(process.env, { applicationName: "mail-report" }, async (sql) => {
    const keyring = await findKeyring(process.env, sql);
    const stores = {
      ledger: { sql, readModels: [newsletterSubscribers] },
      subjects: openSubjects(sql, keyring),
      mailboxes: openMailboxes(sql, keyring.deriveKeys(mailboxKeyLabel)),
    };
    const context = { now: instantFromMs(systemClock()), cause: operatorCause() };
    const result = await recordMailReport(stores, raw, context);
    const recorded = result === "recorded";
    printLine(recorded ? "It is recorded." : "It is no report about a mail of ours.");
    return recorded ? 0 : 1;
  });
}

await runCommand(report);
