import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { openFileKeyStore } from "@pro-talent/platform/keys/file-key-store";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { asRole, createTestPostgres } from "@pro-talent/platform/testing/engines";

import type { Ledger } from "../kernel/commands.ts";
import type { LedgerKeys } from "../kernel/keys/check-keys.ts";
import { type Keyring, openKeyring } from "../kernel/keys/keyring.ts";
import { ledgerStoreNames } from "../kernel/keys/open-keys.ts";
import { mailboxKeyLabel, openMailboxes } from "../kernel/mailboxes.ts";
import type { LedgerContext, WorkerContext } from "../kernel/module.ts";
import { openSubjects } from "../kernel/subjects.ts";
import type { Cause } from "../kernel/types.ts";
import { migrateLedger } from "../migrate.ts";
import { readModels } from "../modules.ts";

/** Authenticates the services in tests. */
export const internalToken = "internal-token-of-the-tests-0123456789";

/** The secrets of all test ledgers; each has a key store of its own. */
export const testSecrets = {
  wrappingKey: Buffer.alloc(32, "wrapping key of the tests"),
  lookupKey: Buffer.alloc(32, "lookup key of the tests"),
};

/** A key store in a directory of its own, under {@link testSecrets}. */
export async function createTestKeys(): Promise<TestKeys> {
  const directory = await mkdtemp(join(tmpdir(), "ledger-keys-"));
  const file = join(directory, "keys.json");
  const { wrappingKey, lookupKey } = testSecrets;
  return {
    file,
    keys: {
      store: openFileKeyStore(file, [wrappingKey], ledgerStoreNames),
      wrappingKeys: [wrappingKey],
      lookupKeys: [lookupKey],
    },
    environment: {
      LEDGER_WRAPPING_KEY: wrappingKey.toString("hex"),
      LEDGER_LOOKUP_KEY: lookupKey.toString("hex"),
      LEDGER_KEY_STORE: pathToFileURL(file).href,
    },
    remove: () => rm(directory, { recursive: true }),
  };
}

export type TestKeys = {
  readonly file: string;
  readonly keys: LedgerKeys;
  /** The same keys, for a process of its own. */
  readonly environment: Readonly<Record<string, string>>;
  readonly remove: () => Promise<void>;
};

/** The cause of a command in a test. */
export function testCause(actor = "visitor"): Cause {
  const id = randomUUID();
  return { actor, causationId: id, correlationId: id };
}

export type TestLedger = LedgerContext &
  Pick<WorkerContext, "insights"> & {
    testKeys: TestKeys;
    keyring: Keyring;
    /** As operators and workers open it: role `ledger_keeper`. */
    keeper: Sql;
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

/** Where a ledger is, for its owner and by role. */
export type TestDatabase = {
  readonly ownerUrl: string;
  readonly urlOf: (role: "ledger_app" | "collector_app" | "ledger_keeper") => string;
  readonly drop: () => Promise<void>;
};

async function ownDatabase(): Promise<TestDatabase> {
  const database = await createTestPostgres({ name: "ledger", migrate: migrateLedger });
  return { ...database, urlOf: (role) => asRole(database.ownerUrl, role) };
}

type Options = { readonly max?: number; readonly database?: TestDatabase | undefined };

/** An empty, migrated ledger in a database of its own unless one is given, under {@link testSecrets}. */
export async function createTestLedger(options: Options = {}): Promise<TestLedger> {
  const database = options.database ?? (await ownDatabase());
  const { ownerUrl, urlOf } = database;
  const owner = openPool(ownerUrl, { max: 1, applicationName: "test-owner" });
  const sql = openPool(urlOf("ledger_app"), {
    max: options.max ?? 8,
    applicationName: "test-ledger",
  });
  const collector = openPool(urlOf("collector_app"), {
    max: 1,
    applicationName: "test-collector",
  });
  const keeper = openPool(urlOf("ledger_keeper"), {
    max: 2,
    applicationName: "test-keeper",
  });
  const ledger: Ledger = { sql, readModels };
  const testKeys = await createTestKeys();
  const log = createLogger({ service: "test", level: "silent" });
  const keyring = openKeyring({ sql, keys: testKeys.keys, log });
  return {
    ownerUrl,
    owner,
    sql,
    ledger,
    testKeys,
    keyring,
    keeper,
    subjects: openSubjects(sql, keyring),
    mailboxes: openMailboxes(sql, keyring.deriveKeys(mailboxKeyLabel)),
    clock: () => Date.now(),
    log,
    publicOrigin: "https://talent.example",
    // No service answers there; tests that need one state its address.
    accounts: { url: "http://127.0.0.1:9", internalToken },
    insights: { url: "http://127.0.0.1:9", internalToken },
    deriveKey: keyring.deriveKey,
    deriveKeys: keyring.deriveKeys,
    collector,
    destroyKey: async (subjectId) => {
      await owner`
        with gone as (delete from ledger.subject where subject_id = ${subjectId})
        update ledger.event set sealed = null where key_id = ${subjectId} and sealed is not null`;
    },
    drop: async () => {
      await Promise.all([owner.end(), sql.end(), keeper.end(), collector.end()]);
      await Promise.all([database.drop(), testKeys.remove()]);
    },
  };
}
