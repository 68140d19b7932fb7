import { fileURLToPath } from "node:url";

import { ledgerConnectionsMin, type LedgerWork } from "@pro-talent/ledger/jobs";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { migratePostgres } from "@pro-talent/platform/postgres/migrate";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { asRole, createTestPostgres } from "@pro-talent/platform/testing/engines";
import type { FastifyInstance } from "fastify";

import { buildJobsApp } from "../app.ts";
import { migrateJobs } from "../migrate.ts";

/** What the jobs work on; the services themselves do not know each other. */
const migrationsOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const silent = createLogger({ service: "test", level: "silent" });

/** A ledger that wants nothing done. */
export const quiet = { handlers: {}, timers: {} };

/** Hosts of jobs on a database of their own. */
export async function openJobsUnderTest() {
  const postgres = await createTestPostgres();
  const { ownerUrl } = postgres;
  const queueUrl = asRole(ownerUrl, "jobs_app");
  await migrateJobs({ queueUrl, ownerUrl });
  const owner = connectPostgres(ownerUrl, { max: 1, applicationName: "test" });
  await migratePostgres(owner, {
    schema: "collector",
    directory: migrationsOf("collector/migrations/postgres"),
  });
  await migratePostgres(owner, { schema: "ledger", directory: migrationsOf("ledger/migrations") });
  const sql = openPool(queueUrl, { max: 2, applicationName: "jobs" });
  // Two hosts may share it.
  const ledgerSql = openPool(asRole(ownerUrl, "ledger_app"), {
    max: 2 * ledgerConnectionsMin,
    applicationName: "jobs-ledger",
  });
  const hosts: FastifyInstance[] = [];
  return {
    ownerUrl,
    queueUrl,
    owner,
    /** Pool of the role `jobs_app`. */
    sql,
    /** Pool of the role `ledger_app`. */
    ledgerSql,
    start: async (
      work: Omit<LedgerWork, "sql"> = quiet,
      pool: Sql = sql,
    ): Promise<FastifyInstance> => {
      const ledger = { sql: ledgerSql, ...work };
      const host = await buildJobsApp({ queueUrl, sql: pool, ledger, log: silent });
      hosts.push(host);
      return host;
    },
    /** Closes the hosts of one test: one that is left would take the next test's jobs. */
    rest: async () => {
      await Promise.all(hosts.splice(0).map((host) => host.close()));
    },
    close: async () => {
      await Promise.all([sql.end(), ledgerSql.end()]);
      await owner.end();
      await postgres.drop();
    },
  };
}
export type JobsUnderTest = Awaited<ReturnType<typeof openJobsUnderTest>>;
