import type { Sql } from "@pro-talent/platform/postgres/pool";
import { type Schedule, scheduleJob } from "@pro-talent/platform/queue/connect-queue";
import { defineJob, handleJob, type RunnableJob } from "@pro-talent/platform/queue/define-job";
import { z } from "zod";

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

/** What the collector's worker does again and again, however many workers there are. */
export const collectorSchedules: readonly Schedule[] = [scheduleJob(pruneClaimsJob, {}, everyMs)];

/**
 * The jobs of the collector's worker.
 * @param sql a role that may read and delete `collector.event_claim`
 */
export function collectorJobs(sql: Sql): readonly RunnableJob[] {
  const prune = async (): Promise<void> => void (await pruneClaims(sql, claimHours));
  return [handleJob(pruneClaimsJob, prune)];
}
