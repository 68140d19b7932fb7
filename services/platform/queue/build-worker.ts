import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

import { buildServer } from "../http/build-server.ts";
import { addHealthRoutes, type ReadinessCheck } from "../http/health.ts";
import { unavailableOr } from "../postgres/unavailable.ts";
import { untilPostgresAnswers } from "../postgres/until-answering.ts";
import type { Logger } from "../runtime/logger.ts";
import { backendKind } from "./backend.ts";
import { connectQueue, type JobQueue, jobStates, type Schedule } from "./connect-queue.ts";
import type { RunnableJob } from "./define-job.ts";
import { QueueUnavailable } from "./job-failures.ts";
import { type AttemptEnd, workOnQueue } from "./work-on-queue.ts";

/** What a service's worker does beside health routes and metrics. */
export type WorkerParts = {
  readonly jobs: readonly RunnableJob[];
  readonly schedules: readonly Schedule[];
  readonly ready: readonly ReadinessCheck[];
  /** Begins work that the queue does not hand out, once the worker takes jobs. */
  readonly start?: () => void;
  /** Ends that work after what is under way. */
  readonly stop?: () => Promise<void>;
};

export type WorkerOptions = {
  /** Of the queue: the service's name. */
  readonly name: string;
  readonly queueUrl: string;
  readonly log: Logger;
  /** Of the site, as in `https://example.com`. */
  readonly publicOrigin: string;
  /** Jobs under way at once. */
  readonly concurrency?: number;
  readonly prepare: (host: { queue: JobQueue; metrics: Registry }) => WorkerParts;
};

/** Closes what was opened, the last first. */
type Cleanup = (() => Promise<void>)[];

/**
 * Workers that start at the same moment may leave a schedule without its next run (a race in the
 * queue's library, rare); keeping the schedules again repairs it.
 */
const keepEveryMs = 60_000;

/**
 * The worker of one service: keeps its schedules, runs its jobs, and serves health and metrics over
 * HTTP. Closing the server begins nothing more, ends the jobs under way and leaves the queue.
 * A store that does not answer yet is waited for.
 * @throws QueueUnavailable when the queue goes out of reach meanwhile; its refusal when its tables are missing
 */
export async function buildWorker(options: WorkerOptions): Promise<FastifyInstance> {
  const cleanup: Cleanup = [];
  try {
    return await build(options, cleanup);
  } catch (error) {
    await runCleanup(cleanup, options.log);
    throw error;
  }
}

async function build(options: WorkerOptions, cleanup: Cleanup): Promise<FastifyInstance> {
  const { name, queueUrl, log, publicOrigin, concurrency = 4 } = options;
  const { registry, onEnd, begin } = createJobMetrics();
  if (backendKind(queueUrl) === "postgres") await untilPostgresAnswers(queueUrl, { log });
  const queue = await connectQueue(queueUrl, { name, log }).catch(refuse);
  cleanup.push(() => queue.close());
  gaugeQueue(registry, queue);
  const parts = options.prepare({ queue, metrics: registry });
  begin(parts.jobs.map((job) => job.name));
  cleanup.push(await keepSchedules(queue, parts.schedules, log).catch(refuse));
  const working = { name, jobs: parts.jobs, log, concurrency, onEnd };
  const worker = await workOnQueue(queueUrl, working).catch(refuse);
  cleanup.push(() => worker.close());
  const server = buildServer({ log, publicOrigin });
  server.addHook("onClose", () => runCleanup(cleanup, log));
  addHealthRoutes(server, {
    metrics: registry,
    ready: [
      { name: "queue", check: () => queue.reachable() },
      { name: "worker", check: async () => worker.running() },
      ...parts.ready,
    ],
  });
  cleanup.push(async () => parts.stop?.());
  parts.start?.();
  return server;
}

/** @throws what the queue answered; QueueUnavailable when it did not */
function refuse(error: unknown): never {
  const isAnswer = error instanceof Error && error.name === "ReplyError";
  if (isAnswer || unavailableOr(error) === error) throw error;
  throw new QueueUnavailable("no connection", { cause: error });
}

/** Keeps the schedules, now and every minute. @returns what ends that */
async function keepSchedules(
  queue: JobQueue,
  schedules: readonly Schedule[],
  log: Logger,
): Promise<() => Promise<void>> {
  await queue.keepSchedules(schedules);
  const timer = setInterval(() => {
    queue
      .keepSchedules(schedules)
      .catch((error: unknown) => log.warn({ err: error }, "schedules could not be kept"));
  }, keepEveryMs);
  return async () => clearInterval(timer);
}

/** A step that fails is logged; the others run nevertheless. */
async function runCleanup(cleanup: Cleanup, log: Logger): Promise<void> {
  for (let next = cleanup.pop(); next !== undefined; next = cleanup.pop()) {
    await next().catch((error: unknown) => {
      log.error({ err: error }, "a part of the worker did not close");
    });
  }
}

/** Metrics of one worker, in a registry of its own. Labels are closed sets, never input. */
function createJobMetrics() {
  const registry = new Registry();
  const attempts = new Counter({
    name: "jobs_attempts_total",
    help: "Attempts at jobs, by job and outcome (completed, failed)",
    labelNames: ["job", "outcome"] as const,
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "jobs_attempt_seconds",
    help: "Duration of an attempt, by job",
    labelNames: ["job"] as const,
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
    registers: [registry],
  });
  return {
    registry,
    /** A count that begins at its first failures rises from nothing, which no rule sees. */
    begin: (names: readonly string[]): void => {
      for (const job of names) {
        for (const outcome of ["completed", "failed"]) attempts.inc({ job, outcome }, 0);
      }
    },
    onEnd: ({ name, outcome, seconds: duration }: AttemptEnd): void => {
      attempts.inc({ job: name, outcome });
      seconds.observe({ job: name }, duration);
    },
  };
}

/** What is in the queue, asked when metrics are read. */
function gaugeQueue(registry: Registry, queue: JobQueue): void {
  const jobs: Gauge<"state"> = new Gauge({
    name: "jobs_in_queue",
    help: "Jobs of the service's queue, by state",
    labelNames: ["state"],
    registers: [registry],
    collect: async () => {
      const counts = await queue.counts().catch(() => undefined);
      for (const state of jobStates) {
        if (counts !== undefined) jobs.set({ state }, counts[state]);
      }
    },
  });
}
