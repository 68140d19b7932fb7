import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { asRole, createTestPostgres } from "@pro-talent/platform/testing/engines";

import type { EventStore } from "../event-store/event-store.ts";
import { migrateLedger } from "../migrate.ts";

export type TestLedger = {
  ownerUrl: string;
  /** The owner's only connection, as operators and migrations use it. */
  owner: Sql;
  /** The service's pool: role `ledger_app`. */
  sql: Sql;
  store: EventStore;
  /** The collector's view of the ledger: role `collector_app`. */
  collector: Sql;
  drop: () => Promise<void>;
};

/** An empty, migrated ledger in a database of its own. */
export async function createTestLedger(options: { max?: number } = {}): Promise<TestLedger> {
  const database = await createTestPostgres();
  const { ownerUrl } = database;
  await migrateLedger(ownerUrl);
  const owner = openPool(ownerUrl, { max: 1, applicationName: "test-owner" });
  const sql = openPool(asRole(ownerUrl, "ledger_app"), {
    max: options.max ?? 8,
    applicationName: "test-ledger",
  });
  const collector = openPool(asRole(ownerUrl, "collector_app"), {
    max: 1,
    applicationName: "test-collector",
  });
  return {
    ownerUrl,
    owner,
    sql,
    store: { sql },
    collector,
    drop: async () => {
      await Promise.all([owner.end(), sql.end(), collector.end()]);
      await database.drop();
    },
  };
}
