import { type LedgerWork, deliveriesAtOnce, prepareLedgerJobs } from "@pro-talent/ledger/jobs";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { addHealthRoutes } from "@pro-talent/platform/http/health";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { connectQueue, type JobQueue } from "@pro-talent/platform/queue/connect-queue";
import { workOnQueue } from "@pro-talent/platform/queue/work-on-queue";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { FastifyInstance } from "fastify";

import { createJobMetrics } from "./metrics.ts";
import { createRegistry } from "./registry.ts";
import { schedules } from "./schedules.ts";

export type JobsDependencies = {
  readonly queueUrl: string;
  /** Pool of the role `jobs_app`. */
  readonly sql: Sql;
  readonly ledger: LedgerWork;
  readonly log: Logger;
};

/** Undoes what was begun, the last first. */
type Undo = (() => Promise<void>)[];

/**
 * Hosts that start at the same moment may leave a schedule without its next run (a race in the
 * queue's library, rare); keeping the schedules again puts it right.
 */
const keepEveryMs = 60_000;

/**
 * The host of all jobs: relays what the ledger wants done, keeps the schedules, runs what the queue
 * hands out, and tells over HTTP how it is. Closing the server begins nothing more, ends the jobs
 * that were begun, and lets go of the queue.
 * @throws when the queue does not answer, or its tables are missing
 */
export async function buildJobsApp(dependencies: JobsDependencies): Promise<FastifyInstance> {
  const undo: Undo = [];
  try {
    return await build(dependencies, undo);
  } catch (error) {
    await undoAll(undo, dependencies.log);
    throw error;
  }
}

async function build(dependencies: JobsDependencies, undo: Undo): Promise<FastifyInstance> {
  const { queueUrl, sql, log } = dependencies;
  const metrics = createJobMetrics();
  const queue = await connectQueue(queueUrl, { name: "jobs", log });
  undo.push(() => queue.close());
  const ledger = prepareLedgerJobs(dependencies.ledger, { queue, log, metrics: metrics.registry });
  undo.push(await keepSchedules(queue, log));
  const worker = await workOnQueue(queueUrl, {
    name: "jobs",
    jobs: createRegistry({ sql, ledger }),
    log,
    concurrency: deliveriesAtOnce,
    onEnd: metrics.onEnd,
  });
  undo.push(() => worker.close());
  const server = buildServer({ log });
  server.addHook("onClose", () => undoAll(undo, log));
  addHealthRoutes(server, {
    metrics: metrics.registry,
    ready: [
      { name: "queue", check: () => queue.reachable() },
      { name: "worker", check: async () => worker.running() },
      { name: "postgres", check: async () => (await sql`select`).length === 1 },
      ...ledger.ready,
    ],
  });
  undo.push(() => ledger.stop());
  ledger.start();
  return server;
}

/** Keeps the schedules, now and every minute. @returns what ends that */
async function keepSchedules(queue: JobQueue, log: Logger): Promise<() => Promise<void>> {
  await queue.keepSchedules(schedules);
  const keeping = setInterval(() => {
    queue
      .keepSchedules(schedules)
      .catch((error: unknown) => log.warn({ err: error }, "schedules could not be kept"));
  }, keepEveryMs);
  return async () => clearInterval(keeping);
}

/** A step that fails is told, and the others are taken nevertheless. */
async function undoAll(undo: Undo, log: Logger): Promise<void> {
  for (let next = undo.pop(); next !== undefined; next = undo.pop()) {
    await next().catch((error: unknown) => {
      log.error({ err: error }, "a part of the host did not close");
    });
  }
}
