import { join } from "node:path";

import { migrateLedger } from "@pro-talent/ledger/migrate";
import {
  asRole,
  postgresUrlFor,
  testRolePassword as password,
} from "@pro-talent/platform/testing/engines";
import { migrateStudio } from "@pro-talent/studio/migrate";

import { startPostgres } from "../embedded/postgres/start-postgres.ts";
import { provisionPostgres } from "../postgres/provision.ts";
import { DATABASE, OWNER_ROLE } from "../postgres/roles.ts";
import { askAs } from "../postgres/testing/ask-as.ts";
import { startStandby } from "../postgres/testing/start-standby.ts";

export type ReplicatedPostgres = Awaited<ReturnType<typeof startReplicatedPostgres>>;

/** The product's database with the tables of ledger and studio, and a standby that follows it. */
export async function startReplicatedPostgres(directory: string) {
  const primary = await startPostgres({ dataDir: join(directory, "primary"), password });
  await provisionPostgres({
    adminUrl: primary.url,
    ownerPassword: password,
    servicePasswords: {
      ledger_app: password,
      ledger_keeper: password,
      collector_app: password,
      accounts_app: password,
      insights_app: password,
      studio_app: password,
      jobs_app: password,
    },
  });
  const ownerUrl = postgresUrlFor(primary.url, { database: DATABASE, user: OWNER_ROLE, password });
  await migrateLedger(ownerUrl);
  await migrateStudio(ownerUrl);
  await askAs(primary.url, "admin", `create role standby login replication password '${password}'`);
  await askAs(primary.url, "admin", "select pg_create_physical_replication_slot('standby', true)");
  const standby = await startStandby(primary, join(directory, "standby"));
  const replicaUrl = postgresUrlFor(standby.url, { database: DATABASE });
  return {
    ownerUrl,
    urlOf: (role: Parameters<typeof asRole>[1]): string => asRole(ownerUrl, role),
    replicaUrlOf: (role: Parameters<typeof asRole>[1]): string => asRole(replicaUrl, role),
    primary,
    standby,
    /** Runs a statement on the standby as its administrator. */
    onStandby: (text: string) => askAs(standby.url, "admin", text),
    stop: async (): Promise<void> => {
      await standby.stop();
      await primary.stop();
    },
  };
}
