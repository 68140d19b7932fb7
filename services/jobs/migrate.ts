import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";

import { readMigrationEnv } from "./env.ts";

/**
 * Brings schema `bullmq` up to date, as the database's owner, for the role `jobs_app`; nothing to do
 * when jobs wait in Redis.
 * @throws when the role `jobs_app` does not exist
 */
export async function migrateJobs(stores: {
  queueUrl: string;
  ownerUrl: string;
}): Promise<"nothing to do" | "up to date"> {
  return await migrateQueue({ ...stores, name: "jobs", role: "jobs_app" });
}

if (import.meta.main) {
  const env = readMigrationEnv();
  const outcome = await migrateJobs({ queueUrl: env.QUEUE_URL, ownerUrl: env.DATABASE_OWNER_URL });
  process.stdout.write(`jobs migrations: ${outcome}\n`);
}
