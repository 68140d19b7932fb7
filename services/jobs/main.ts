import { listen } from "@pro-talent/platform/http/listen";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";

import { buildJobsApp } from "./app.ts";
import { readServiceEnv } from "./env.ts";

const closeSeconds = 2;

const env = readServiceEnv();
const log = createLogger({ service: "jobs", level: env.LOG_LEVEL });
const sql = connectPostgres(env.DATABASE_URL, { max: 4, applicationName: "jobs" });
const app = await buildJobsApp({ queueUrl: env.QUEUE_URL, sql, log });
const shutdown = new Shutdown(log);
shutdown.add("end jobs", () => app.close());
// With a time limit: the driver never ends a pool of which the server closed a connection.
shutdown.add("postgres", () => sql.end({ timeout: closeSeconds }));
shutdown.listen();
await listen(app, env);
log.info("jobs are run");
