import { runService } from "@pro-talent/platform/runtime/run-service";

import { openStudioService } from "./service.ts";

await runService("studio", openStudioService);
