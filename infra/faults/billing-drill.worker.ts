import { parentPort, workerData } from "node:worker_threads";

import { simulate } from "@pro-talent/ledger/domains/billing/testing/simulate";
import { z } from "zod";

/** Seeds from the first to the one before the last. */
const { first, last } = z.object({ first: z.int(), last: z.int() }).parse(workerData);

for (let seed = first; seed < last; seed += 1) parentPort?.postMessage(await simulate(seed));
