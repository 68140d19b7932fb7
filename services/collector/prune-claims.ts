import { openPool } from "@pro-talent/platform/postgres/pool";
import { buildWorker } from "@pro-talent/platform/queue/build-worker";
import { scheduleJob } from "@pro-talent/platform/queue/connect-queue";
import { defineJob, handleJob } from "@pro-talent/platform/queue/define-job";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";
import { z } from "zod";

import { readWorkerEnv } from "./env.ts";
import { pruneClaims } from "./ship/event-claims.ts";

/** Twice the age at which an event is refused as too late. */
const claimHours = 48;
const everyMs = 10 * 60_000;

/** Forgets event ids that no client can send again; running it twice forgets nothing more. */
const pruneClaimsJob = defineJob({
  name: "collector.prune-claims",
  payload: z.strictObject({}),
  retry: { attempts: 3, backoffMs: 5000 },
});

/** Opens the collector's worker, which prunes claims of event ids. */
export const openCollectorWorker: OpenService = async (source, log) => {
  const env = readWorkerEnv(source);
  const sql = openPool(env.DATABASE_URL, { max: 1, applicationName: "collector-worker" });
  const prune = async (): Promise<void> => void (await pruneClaims(sql, claimHours));
  const app = await buildWorker({
    name: "collector",
    queueUrl: env.QUEUE_URL,
    log,
    publicOrigin: env.PUBLIC_ORIGIN,
    concurrency: 1,
    prepare: () => ({
      jobs: [handleJob(pruneClaimsJob, prune)],
      schedules: [scheduleJob(pruneClaimsJob, {}, everyMs)],
      ready: [{ name: "postgres", check: async () => (await sql`select`).length === 1 }],
    }),
  });
  const closing = new Shutdown(log);
  closing.add("worker", () => app.close());
  closing.add("postgres", () => sql.end());
  return { app, close: () => closing.run() };
};
