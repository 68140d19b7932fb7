import { z } from "zod";

import { openLedgerKeys } from "../keys/open-keys.ts";
import { messageModule, startTestWorker } from "./ledger-workers.ts";

/**
 * A worker as a process of its own, to be killed in the middle:
 * `start-delivering.ts <ledger> <queue> <first wait> <deliveries before it hangs> <keys>`,
 * the keys of the ledger as JSON of their variables.
 * Its handler does what a mail would do (a row that outlives it); after a number of deliveries it
 * hangs and notifies its parent.
 */
const [, , ledgerUrl = "", queueUrl = "", firstWaitMs = "", hangsAfter = "", keys = ""] =
  process.argv;
const never = Promise.withResolvers<undefined>();
let deliveries = 0;

await startTestWorker({
  ledgerUrl,
  queueUrl,
  keys: openLedgerKeys(z.record(z.string(), z.string()).parse(JSON.parse(keys))),
  changeOn: (sql) => ({
    firstWaitMs: Number(firstWaitMs),
    modules: [
      messageModule({
        "test.post": async (payload) => {
          await sql`insert into delivered (payload) values (${JSON.stringify(payload)}::text::jsonb)`;
          deliveries += 1;
          if (deliveries <= Number(hangsAfter)) return;
          process.send?.("hangs");
          await never.promise;
        },
      }),
    ],
  }),
});
