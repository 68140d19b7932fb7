import { runService } from "@pro-talent/platform/runtime/run-service";

import { openAccountsService } from "./service.ts";

await runService("accounts", openAccountsService);
