import { runService } from "@pro-talent/platform/runtime/run-service";

import { openSite } from "./service.ts";

await runService("site", openSite);
