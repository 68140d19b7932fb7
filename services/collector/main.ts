import { runService } from "@pro-talent/platform/runtime/run-service";

import { openCollector } from "./service.ts";

await runService("collector", openCollector);
