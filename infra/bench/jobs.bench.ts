import { connectQueue } from "@pro-talent/platform/queue/connect-queue";
import { defineJob, handleJob } from "@pro-talent/platform/queue/define-job";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import { workOnQueue } from "@pro-talent/platform/queue/work-on-queue";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { until } from "@pro-talent/platform/testing/until";
import { z } from "zod";

import { startDatabase } from "../faults/drill-services.ts";
import { OWNER_ROLE } from "../postgres/roles.ts";
import type { BenchOptions } from "./figures.ts";

const jobs = 2_000;
const job = defineJob({
  name: "bench.job",
  payload: z.strictObject({ number: z.number() }),
  retry: { attempts: 1, backoffMs: 1 },
});

/** What one job costs a worker beside what it does: it is asked for, taken and ended, in the queue on Postgres. */
export async function benchJobs({ directory, record }: BenchOptions): Promise<void> {
  console.log(`\n${jobs} jobs that do nothing`);
  const database = await startDatabase(directory);
  const queueUrl = database.context.databaseUrl("jobs_app");
  const ownerUrl = database.context.databaseUrl(OWNER_ROLE);
  await migrateQueue({ queueUrl, ownerUrl, name: "bench", role: "jobs_app" });
  const log = createLogger({ service: "bench", level: "silent" });
  const queue = await connectQueue(queueUrl, { name: "bench", log });
  let done = 0;
  const counted = handleJob(job, async () => void (done += 1));
  const worker = await workOnQueue(queueUrl, { name: "bench", jobs: [counted], log });
  try {
    const [before, from] = [process.cpuUsage(), performance.now()];
    for (let number = 0; number < jobs; number += 1) await queue.add(job, { number });
    await until("every job is done", async () => done === jobs, 120_000);
    const { user, system } = process.cpuUsage(before);
    console.log(`  ${((jobs * 1000) / (performance.now() - from)).toFixed(0)} jobs/s`);
    record("jobCpuMs", (user + system) / 1000 / jobs);
  } finally {
    await worker.close();
    await queue.close();
    await database.stop();
  }
}
