import { UnrecoverableError } from "bullmq";

import type { Logger } from "../runtime/logger.ts";
import { callerIn, inSpan } from "../tracing/spans.ts";
import { backendOf } from "./backend.ts";
import type { RunnableJob } from "./define-job.ts";
import { JobFailed, PayloadRefused, UnknownJob } from "./job-failures.ts";

export type AttemptEnd = { name: string; outcome: "completed" | "failed"; seconds: number };

export type QueueWorker = {
  /** Whether it takes jobs. */
  running(): boolean;
  /** Takes no more jobs and waits for those that it has begun. */
  close(): Promise<void>;
};

export type WorkOptions = {
  /** Name of the queue. */
  name: string;
  jobs: readonly RunnableJob[];
  log: Logger;
  /** Jobs under way at once in this process. */
  concurrency?: number;
  /** Receives the end of every attempt; the name is one of the given jobs. */
  onEnd?: (end: AttemptEnd) => void;
};

/**
 * Runs the jobs of the queue until it is closed. A job may run twice (a worker that dies is taken
 * over), so its handler must bear that. A failed attempt is repeated as its definition says; a
 * payload that is refused, or a job that no handler is known for, is kept as failed at once.
 * @throws when the queue does not answer, or its tables are missing
 */
export async function workOnQueue(url: string, options: WorkOptions): Promise<QueueWorker> {
  const { log, concurrency = 4 } = options;
  const handlers = new Map(options.jobs.map((job) => [job.name, job]));
  const worker = backendOf(url, options.name).openWorker(
    async ({ name, data, attemptsMade, opts }) => {
      const job = handlers.get(name);
      if (job === undefined) {
        const error = new UnknownJob("no handler");
        log.error({ err: error }, "a job is not known here");
        throw new UnrecoverableError(error.name);
      }
      const number = attemptsMade + 1;
      const after = callerIn(opts.telemetry?.metadata);
      const fields = { job: name, attempt: number };
      await inSpan(`job ${name}`, { kind: "consumer", fields, ...(after && { after }) }, () =>
        attempt(job, { payload: data, number, options }),
      );
    },
    { concurrency },
  );
  worker.on("error", (error) => log.error({ err: error }, "queue worker failed"));
  try {
    await worker.waitUntilReady();
  } catch (error) {
    await worker.close();
    throw error;
  }
  return { running: () => worker.isRunning(), close: () => worker.close() };
}

type Attempt = { payload: unknown; number: number; options: WorkOptions };

async function attempt(job: RunnableJob, { payload, number, options }: Attempt): Promise<void> {
  const from = performance.now();
  const end = (outcome: AttemptEnd["outcome"]): void =>
    options.onEnd?.({ name: job.name, outcome, seconds: (performance.now() - from) / 1000 });
  try {
    await job.run(payload);
  } catch (error) {
    end("failed");
    options.log.error({ err: error, job: job.name, attempt: number }, "a job failed");
    if (error instanceof PayloadRefused) throw new UnrecoverableError(error.message);
    throw new JobFailed(error);
  }
  end("completed");
}
