import { collectorJobs } from "@pro-talent/collector/jobs";
import type { LedgerJobs } from "@pro-talent/ledger/jobs";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { RunnableJob } from "@pro-talent/platform/queue/define-job";

/** Every job that this host runs. What a job does is written where its domain lives. */
export function createRegistry(of: {
  sql: Sql;
  ledger: Pick<LedgerJobs, "jobs">;
}): readonly RunnableJob[] {
  return [...collectorJobs(of.sql), ...of.ledger.jobs];
}
