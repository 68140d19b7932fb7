import type { Sql } from "@pro-talent/platform/postgres/pool";
import { defineJob, handleJob, type RunnableJob } from "@pro-talent/platform/queue/define-job";
import { z } from "zod";

import { pruneClaims } from "./ship/event-claims.ts";

/** Twice the age at which an event is refused as too late. */
const claimHours = 48;

/** Forgets event ids that no client can send again; running it twice forgets nothing more. */
export const pruneClaimsJob = defineJob({
  name: "collector.prune-claims",
  payload: z.strictObject({}),
  retry: { attempts: 3, backoffMs: 5000 },
});

/** @param sql a role that may read and delete `collector.event_claim` */
export function handlePruneClaims(sql: Sql): RunnableJob {
  return handleJob(pruneClaimsJob, async () => {
    await pruneClaims(sql, claimHours);
  });
}
