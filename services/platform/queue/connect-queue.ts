import { retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";
import { ErrorCode, type JobsOptions } from "bullmq";
import type { z } from "zod";

import type { Logger } from "../runtime/logger.ts";
import { fulfilledInTime } from "../runtime/wait.ts";
import { traceHeaders } from "../tracing/spans.ts";
import { backendOf, type BullQueue } from "./backend.ts";
import { type JobDefinition, parsePayload, type PayloadSchema } from "./define-job.ts";

export type Schedule = {
  readonly name: string;
  readonly payload: Record<string, unknown>;
  readonly options: JobsOptions;
  readonly everyMs: number;
};

/** `waiting` for a worker, `active`, `delayed` until later, `failed` for good. */
export const jobStates = ["waiting", "active", "delayed", "failed"] as const;
type JobState = (typeof jobStates)[number];

export type JobQueue = {
  /**
   * Asks for a job. With an `id` it is asked for once, also when it is added again within the time
   * for which jobs are kept; an id has no colon and is no number.
   * @throws {PayloadRefused} when the payload is not what the job takes
   */
  add<Schema extends PayloadSchema>(
    definition: JobDefinition<Schema>,
    payload: z.input<Schema>,
    options?: { id?: string; delayMs?: number },
  ): Promise<void>;
  /** Makes these schedules, and no others, the ones that the queue keeps. May be repeated. */
  keepSchedules(schedules: readonly Schedule[]): Promise<void>;
  /** How many jobs there are, by state. */
  counts(): Promise<Readonly<Record<JobState, number>>>;
  /** Whether the queue answers within two seconds. */
  reachable(): Promise<boolean>;
  close(): Promise<void>;
};

const daySeconds = 24 * 60 * 60;
/** As long as the id of a job that is done keeps it from being done again. */
const completedDays = 3;
const { count: failedDays } = retentionPeriods.jobs;

/**
 * Opens the queue for adding jobs. The queue only wakes workers: what must happen is known elsewhere
 * and is asked for again when the queue was lost.
 * @param url `postgres://` (tables made by `migrateQueue`) or `redis://`
 * @throws when the queue does not answer, or its tables are missing
 */
export async function connectQueue(
  url: string,
  options: { name: string; log: Logger },
): Promise<JobQueue> {
  const queue = backendOf(url, options.name).openQueue({});
  queue.on("error", (error) => options.log.error({ err: error }, "queue failed"));
  try {
    await queue.waitUntilReady();
  } catch (error) {
    await queue.close();
    throw error;
  }
  return {
    add: async (definition, payload, { id, delayMs } = {}) => {
      const parsed = parsePayload(definition, payload);
      await queue.add(definition.name, parsed, {
        ...optionsOf(definition),
        ...(id === undefined ? {} : { jobId: id }),
        ...(delayMs === undefined ? {} : { delay: delayMs }),
        ...traceOfJob(),
      });
    },
    keepSchedules: (schedules) => keepSchedules(queue, schedules),
    counts: async () => {
      const counts = await queue.getJobCounts(...jobStates);
      const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
      return { waiting, active, delayed, failed };
    },
    reachable: () => fulfilledInTime(queue.getJobCounts("active")),
    close: () => queue.close(),
  };
}

/** A job that is asked for again and again; at most one of its kind waits at any time. */
export function scheduleJob<Schema extends PayloadSchema>(
  definition: JobDefinition<Schema>,
  payload: z.input<Schema>,
  everyMs: number,
): Schedule {
  return {
    name: definition.name,
    payload: parsePayload(definition, payload),
    options: optionsOf(definition),
    everyMs,
  };
}

/** Where a job was asked for, in the field that the library keeps for it. */
function traceOfJob(): JobsOptions {
  const { traceparent: metadata } = traceHeaders();
  return metadata === undefined ? {} : { telemetry: { metadata } };
}

function optionsOf({ retry }: JobDefinition<PayloadSchema>): JobsOptions {
  return {
    attempts: retry.attempts,
    backoff: { type: "exponential", delay: retry.backoffMs },
    removeOnComplete: { age: completedDays * daySeconds },
    removeOnFail: { age: failedDays * daySeconds },
    stackTraceLimit: retry.attempts,
  };
}

/** Makes these schedules, and no others, the ones that the queue keeps. */
export async function keepSchedules(
  queue: BullQueue,
  schedules: readonly Schedule[],
): Promise<void> {
  for (const { name, payload, options, everyMs } of schedules) {
    await queue
      .upsertJobScheduler(name, { every: everyMs }, { name, data: payload, opts: options })
      .catch(acceptAnothersJobs);
  }
  const wanted = new Set(schedules.map(({ name }) => name));
  for (const { key } of await queue.getJobSchedulers()) {
    if (!wanted.has(key)) await queue.removeJobScheduler(key);
  }
}

/** Another host that keeps the same schedule at this moment has asked for its next jobs already. */
function acceptAnothersJobs(error: unknown): void {
  if (error instanceof Error && "code" in error && error.code === ErrorCode.SchedulerJobSlotsBusy)
    return;
  throw error;
}
