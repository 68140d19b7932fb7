import { openPool } from "@pro-talent/platform/postgres/pool";
import { buildWorker } from "@pro-talent/platform/queue/build-worker";
import { scheduleJob } from "@pro-talent/platform/queue/connect-queue";
import { defineJob, handleJob } from "@pro-talent/platform/queue/define-job";
import { readClock } from "@pro-talent/platform/runtime/clock";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";
import { z } from "zod";

import { readWorkerEnv } from "./env.ts";
import { destroyRecognition } from "./links/visitors.ts";
import { pruneClaims } from "./ship/event-claims.ts";

/**
 * A session id opens for two days, so that no event arrives later than that after the first claim of
 * its session; one day more for segments that wait to be shipped.
 */
const claimHours = 72;
const everyMs = 10 * 60_000;

/** Forgets event ids that no client can send again; running it twice forgets nothing more. */
const pruneClaimsJob = defineJob({
  name: "collector.prune-claims",
  payload: z.strictObject({}),
  retry: { attempts: 3, backoffMs: 5000 },
});

/** Destroys what recognises visitors of links, once its time is over; repeating it changes nothing. */
const destroyRecognitionJob = defineJob({
  name: "collector.destroy-recognition",
  payload: z.strictObject({}),
  retry: { attempts: 3, backoffMs: 5000 },
});

/** Opens the collector's worker, which prunes claims of event ids, and what recognises visitors. */
export const openCollectorWorker: OpenService = async (source, log) => {
  const env = readWorkerEnv(source);
  const sql = openPool(env.DATABASE_URL, { max: 1, applicationName: "collector-worker" });
  const clock = readClock(source);
  const prune = async (): Promise<void> => void (await pruneClaims(sql, claimHours));
  const destroy = (): Promise<void> => destroyRecognition(sql, clock());
  const app = await buildWorker({
    name: "collector",
    queueUrl: env.QUEUE_URL,
    log,
    publicOrigin: env.PUBLIC_ORIGIN,
    concurrency: 1,
    prepare: () => ({
      jobs: [handleJob(pruneClaimsJob, prune), handleJob(destroyRecognitionJob, destroy)],
      schedules: [pruneClaimsJob, destroyRecognitionJob].map((job) =>
        scheduleJob(job, {}, everyMs),
      ),
      ready: [{ name: "postgres", check: async () => (await sql`select`).length === 1 }],
    }),
  });
  const closing = new Shutdown(log);
  closing.add("worker", () => app.close());
  closing.add("postgres", () => sql.end());
  return { app, close: () => closing.run() };
};
