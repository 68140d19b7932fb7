import { runService } from "@pro-talent/platform/runtime/run-service";

import { openLedgerService } from "./service.ts";

await runService("ledger", openLedgerService);
