import { runService } from "@pro-talent/platform/runtime/run-service";

import { openMailCatcher } from "./mail-catcher.ts";

/** The mail catcher as a process of its own: in containers. */
await runService("mail", openMailCatcher);
