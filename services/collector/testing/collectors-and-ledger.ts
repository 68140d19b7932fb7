import { asRole, createTestPostgres } from "@pro-talent/platform/testing/engines";

import { migrateCollectorPostgres } from "../migrate.ts";
import {
  type CollectorSetting,
  type CollectorUnderTest,
  startCollector,
} from "./collector-under-test.ts";
import { migrateLedger, startLedger } from "./service-process.ts";

export type CollectorsAndLedger = {
  /** What another collector needs to join. */
  setting: CollectorSetting;
  collector: CollectorUnderTest;
  another(change?: Partial<CollectorSetting>): Promise<CollectorUnderTest>;
  stop(): Promise<void>;
};

/** A database with the tables of both. */
const collectorAndLedger = {
  name: "collector_and_ledger",
  migrate: async (ownerUrl: string) => {
    await migrateCollectorPostgres(ownerUrl);
    await migrateLedger(ownerUrl);
  },
};

/** Postgres with a database of its own, the real ledger on it, and a collector. */
export async function startCollectorsAndLedger(
  change: Partial<CollectorSetting> = {},
): Promise<CollectorsAndLedger> {
  const postgres = await createTestPostgres(collectorAndLedger);
  const ledger = await startLedger(postgres.ownerUrl);
  const setting: CollectorSetting = {
    databaseUrl: asRole(postgres.ownerUrl, "collector_app"),
    ledgerUrl: ledger.url,
    internalToken: ledger.internalToken,
    ...change,
  };
  const collectors = [await startCollector(setting)];
  const [collector] = collectors;
  if (collector === undefined) throw new Error("No collector was started");
  return {
    setting,
    collector,
    another: async (differently = {}) => {
      const next = await startCollector({ ...setting, ...differently });
      collectors.push(next);
      return next;
    },
    stop: async () => {
      for (const started of collectors) await started.close();
      await ledger.stop();
      await postgres.drop();
    },
  };
}
