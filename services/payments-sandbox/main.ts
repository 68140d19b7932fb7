import { runService } from "@pro-talent/platform/runtime/run-service";

import { openPaymentsSandbox } from "./service.ts";

await runService("payments-sandbox", openPaymentsSandbox);
