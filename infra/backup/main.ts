import { runService } from "@pro-talent/platform/runtime/run-service";

import { openBackups } from "./open-backups.ts";

/** The process that takes, purges and verifies backups at their times. */
await runService("backups", openBackups);
