import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { asRole, createTestPostgres } from "@pro-talent/platform/testing/engines";

import type { EventStore } from "../event-store/event-store.ts";
import { migrateLedger } from "../migrate.ts";
import { openSubjects, type SubjectKeys, type Subjects } from "../subjects/subjects.ts";

/** The keys of all test ledgers. */
export const testSubjectKeys: SubjectKeys = {
  wrappingKey: Buffer.alloc(32, "wrapping key of the tests"),
  lookupKey: Buffer.alloc(32, "lookup key of the tests"),
};

export type TestLedger = {
  ownerUrl: string;
  /** The owner's only connection, as operators and migrations use it. */
  owner: Sql;
  /** The service's pool: role `ledger_app`. */
  sql: Sql;
  store: EventStore;
  /** Under {@link testSubjectKeys}. */
  subjects: Subjects;
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
    subjects: openSubjects(sql, testSubjectKeys),
    collector,
    drop: async () => {
      await Promise.all([owner.end(), sql.end(), collector.end()]);
      await database.drop();
    },
  };
}
