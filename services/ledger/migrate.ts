import { fileURLToPath } from "node:url";

import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { migratePostgres } from "@pro-talent/platform/postgres/migrate";

import { readMigrationEnv } from "./env.ts";

const directory = fileURLToPath(new URL("migrations", import.meta.url));

/**
 * Brings schema `ledger` up to date, as the database's owner.
 * @returns the names of the migrations that were applied now
 * @throws when a role of the services does not exist, or an applied migration was changed
 */
export async function migrateLedger(ownerUrl: string): Promise<string[]> {
  const sql = connectPostgres(ownerUrl, { max: 1, applicationName: "ledger-migrate" });
  try {
    return await migratePostgres(sql, { schema: "ledger", directory });
  } finally {
    await sql.end();
  }
}

if (import.meta.main) {
  const applied = await migrateLedger(readMigrationEnv().DATABASE_OWNER_URL);
  const names = applied.length === 0 ? "nothing to do" : applied.join(", ");
  process.stdout.write(`ledger migrations: ${names}\n`);
}
