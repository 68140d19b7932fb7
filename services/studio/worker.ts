import { constants, setPriority } from "node:os";

import { runService } from "@pro-talent/platform/runtime/run-service";

import { openStudioWorker } from "./service.ts";

// Requests are served first: jobs can wait.
setPriority(constants.priority.PRIORITY_LOW);
await runService("studio-worker", openStudioWorker);
