import type { Sql } from "@pro-talent/platform/postgres/pool";
import { defineJob, handleJob, type RunnableJob } from "@pro-talent/platform/queue/define-job";
import { z } from "zod";

/** Forgets subjects for whom nothing was ever sealed; running it twice forgets nothing more. */
export const forgetOrphansJob = defineJob({
  name: "ledger.forget-orphans",
  payload: z.strictObject({}),
  retry: { attempts: 3, backoffMs: 5000 },
});

/** @returns how many were forgotten */
export async function forgetOrphans(sql: Sql): Promise<number> {
  const [row] = await sql<{ forgotten: number }[]>`select ledger.forget_orphans() as forgotten`;
  return row?.forgotten ?? 0;
}

/** @param sql a pool of the role `ledger_app` */
export function handleForgetOrphans(sql: Sql): RunnableJob {
  return handleJob(forgetOrphansJob, async () => {
    await forgetOrphans(sql);
  });
}
