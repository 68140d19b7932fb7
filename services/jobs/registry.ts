import { handlePruneClaims } from "@pro-talent/collector/jobs";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { RunnableJob } from "@pro-talent/platform/queue/define-job";

/** Every job that this host runs. What a job does is written where its domain lives. */
export function createRegistry({ sql }: { sql: Sql }): readonly RunnableJob[] {
  return [handlePruneClaims(sql)];
}
