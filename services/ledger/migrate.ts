import { fileURLToPath } from "node:url";

import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { migratePostgres } from "@pro-talent/platform/postgres/migrate";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import { runMigrations } from "@pro-talent/platform/runtime/run-migrations";

import { readMigrationEnv } from "./env.ts";
import { registerProcesses } from "./kernel/processes.ts";
import { synchroniseReadModels } from "./kernel/rebuild.ts";
import { registerErasures } from "./kernel/stream-kinds.ts";
import { modules, readModels, streamKinds } from "./modules.ts";

const directory = fileURLToPath(new URL("migrations", import.meta.url));

/**
 * Brings schema `ledger` up to date, as the database's owner: migrations, then the tables of read
 * models whose definition is new, built from the events; and the worker's queue, if it has an address.
 * @returns the names of the migrations and read models that were applied now
 * @throws when a role of the services does not exist, or an applied migration was changed
 */
export async function migrateLedger(ownerUrl: string, queueUrl?: string): Promise<string[]> {
  const sql = connectPostgres(ownerUrl, { max: 1, applicationName: "ledger-migrate" });
  let applied: string[];
  try {
    applied = await migratePostgres(sql, { schema: "ledger", directory });
  } finally {
    await sql.end();
  }
  const owner = openPool(ownerUrl, {
    max: 1,
    applicationName: "ledger-migrate",
    // A large ledger takes its time.
    statementSecondsMax: 3600,
  });
  try {
    const built = await synchroniseReadModels(owner, readModels);
    await registerProcesses(
      owner,
      modules.flatMap((module) => module.processes),
    );
    await registerErasures(owner, streamKinds);
    applied.push(...built);
  } finally {
    await owner.end();
  }
  if (queueUrl !== undefined) {
    await migrateQueue({ queueUrl, ownerUrl, name: "ledger", role: "jobs_app" });
  }
  return applied;
}

if (import.meta.main) {
  await runMigrations("ledger", () => {
    const { DATABASE_OWNER_URL: ownerUrl, QUEUE_URL: queueUrl } = readMigrationEnv(process.env);
    return { ownerUrl, apply: () => migrateLedger(ownerUrl, queueUrl) };
  });
}
