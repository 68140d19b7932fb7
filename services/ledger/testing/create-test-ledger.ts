import { randomUUID } from "node:crypto";

import { deriveKey } from "@pro-talent/platform/crypto/secrets";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { asRole, createTestPostgres } from "@pro-talent/platform/testing/engines";

import type { Ledger } from "../kernel/commands.ts";
import { mailboxKeyLabel, openMailboxes } from "../kernel/mailboxes.ts";
import type { LedgerContext } from "../kernel/module.ts";
import { openSubjects, type SubjectKeys } from "../kernel/subjects.ts";
import type { Cause } from "../kernel/types.ts";
import { migrateLedger } from "../migrate.ts";
import { readModels } from "../modules.ts";

/** The keys of all test ledgers. */
export const testSubjectKeys: SubjectKeys = {
  wrappingKey: Buffer.alloc(32, "wrapping key of the tests"),
  lookupKey: Buffer.alloc(32, "lookup key of the tests"),
};

/** The cause of a command in a test. */
export function testCause(actor = "visitor"): Cause {
  const id = randomUUID();
  return { actor, causationId: id, correlationId: id };
}

export type TestLedger = LedgerContext & {
  ownerUrl: string;
  /** The owner's only connection, as operators and migrations use it. */
  owner: Sql;
  /** The service's pool: role `ledger_app`. */
  sql: Sql;
  /** The collector's view of the ledger: role `collector_app`. */
  collector: Sql;
  /** Destroys a key without the fact that the services need for it, as the owner can. */
  destroyKey: (subjectId: string) => Promise<void>;
  drop: () => Promise<void>;
};

/** An empty, migrated ledger in a database of its own, under {@link testSubjectKeys}. */
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
  const ledger: Ledger = { sql, readModels };
  return {
    ownerUrl,
    owner,
    sql,
    ledger,
    subjects: openSubjects(sql, testSubjectKeys),
    mailboxes: openMailboxes(sql, deriveKey(testSubjectKeys.lookupKey, mailboxKeyLabel)),
    clock: () => Date.now(),
    publicOrigin: "https://talent.example",
    deriveKey: (label) => deriveKey(testSubjectKeys.lookupKey, label),
    collector,
    destroyKey: async (subjectId) => {
      await owner`
        with gone as (delete from ledger.subject where subject_id = ${subjectId})
        update ledger.event set sealed = null where key_id = ${subjectId} and sealed is not null`;
    },
    drop: async () => {
      await Promise.all([owner.end(), sql.end(), collector.end()]);
      await database.drop();
    },
  };
}
