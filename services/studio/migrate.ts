import { fileURLToPath } from "node:url";

import { parseEnv, postgresUrl, queueUrl } from "@pro-talent/platform/config/define-env";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { migratePostgres } from "@pro-talent/platform/postgres/migrate";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import { runMigrations } from "@pro-talent/platform/runtime/run-migrations";

const directory = fileURLToPath(new URL("migrations", import.meta.url));

/**
 * Brings schema `studio` up to date, as the database's owner, and the worker's queue, if it has an
 * address.
 * @returns the names of the migrations that were applied now
 * @throws when a role of the services does not exist, or an applied migration was changed
 */
export async function migrateStudio(ownerUrl: string, queue?: string): Promise<string[]> {
  if (queue !== undefined) {
    await migrateQueue({ queueUrl: queue, ownerUrl, name: "studio", role: "jobs_app" });
  }
  const sql = connectPostgres(ownerUrl, { max: 1, applicationName: "studio-migrate" });
  try {
    return await migratePostgres(sql, { schema: "studio", directory });
  } finally {
    await sql.end();
  }
}

/** What migrations need: the database as its owner, and where the worker's jobs wait. */
export function readMigrationEnv(source: Readonly<Record<string, string | undefined>>) {
  return parseEnv({ DATABASE_OWNER_URL: postgresUrl, QUEUE_URL: queueUrl.optional() }, source);
}

if (import.meta.main) {
  await runMigrations("studio", () => {
    const { DATABASE_OWNER_URL: ownerUrl, QUEUE_URL: queue } = readMigrationEnv(process.env);
    return { ownerUrl, apply: () => migrateStudio(ownerUrl, queue) };
  });
}
