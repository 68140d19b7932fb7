import { runService } from "@pro-talent/platform/runtime/run-service";

import { openInsights } from "./service.ts";

await runService("insights", openInsights);
