import { buildServer } from "@pro-talent/platform/http/build-server";
import { addHealthRoutes } from "@pro-talent/platform/http/health";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { connectQueue } from "@pro-talent/platform/queue/connect-queue";
import { workOnQueue } from "@pro-talent/platform/queue/work-on-queue";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { FastifyInstance } from "fastify";

import { createJobMetrics } from "./metrics.ts";
import { createRegistry } from "./registry.ts";
import { schedules } from "./schedules.ts";

export type JobsDependencies = {
  queueUrl: string;
  /** Pool of the role `jobs_app`. */
  sql: Sql;
  log: Logger;
};

/**
 * Hosts that start at the same moment may leave a schedule without its next run (a race in the
 * queue's library, rare); keeping the schedules again puts it right.
 */
const keepEveryMs = 60_000;

/**
 * The host of all jobs: keeps the schedules, runs what the queue hands out, and tells over HTTP how
 * it is. Closing the server ends the jobs that were begun and takes no others.
 * @throws when the queue does not answer, or its tables are missing
 */
export async function buildJobsApp(dependencies: JobsDependencies): Promise<FastifyInstance> {
  const { queueUrl, sql, log } = dependencies;
  const metrics = createJobMetrics();
  const queue = await connectQueue(queueUrl, { log });
  try {
    await queue.keepSchedules(schedules);
    const keeping = setInterval(() => {
      queue
        .keepSchedules(schedules)
        .catch((error: unknown) => log.warn({ err: error }, "schedules could not be kept"));
    }, keepEveryMs);
    const jobs = createRegistry({ sql });
    const worker = await workOnQueue(queueUrl, { jobs, log, onEnd: metrics.onEnd });
    const server = buildServer({ log });
    server.addHook("onClose", async () => {
      clearInterval(keeping);
      await worker.close();
      await queue.close();
    });
    addHealthRoutes(server, {
      metrics: metrics.registry,
      ready: [
        { name: "queue", check: () => queue.reachable() },
        { name: "worker", check: async () => worker.running() },
        { name: "postgres", check: async () => (await sql`select`).length === 1 },
      ],
    });
    return server;
  } catch (error) {
    await queue.close();
    throw error;
  }
}
