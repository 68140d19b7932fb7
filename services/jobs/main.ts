import { listen } from "@pro-talent/platform/http/listen";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";

import { buildJobsApp } from "./app.ts";
import { readServiceEnv } from "./env.ts";

const env = readServiceEnv();
const log = createLogger({ service: "jobs", level: env.LOG_LEVEL });
const sql = openPool(env.DATABASE_URL, { max: 4, applicationName: "jobs" });
const app = await buildJobsApp({ queueUrl: env.QUEUE_URL, sql, log });
const shutdown = new Shutdown(log);
shutdown.add("end jobs", () => app.close());
shutdown.add("postgres", () => sql.end());
shutdown.listen();
await listen(app, env);
log.info("jobs are run");
