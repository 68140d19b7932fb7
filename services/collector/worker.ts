import { constants, setPriority } from "node:os";

import { runService } from "@pro-talent/platform/runtime/run-service";

import { openCollectorWorker } from "./prune-claims.ts";

// Requests are served first: jobs can wait.
setPriority(constants.priority.PRIORITY_LOW);
await runService("collector-worker", openCollectorWorker);
