import { migrateCollector } from "@pro-talent/collector/migrate";
import { migrateJobs } from "@pro-talent/jobs/migrate";
import { migrateLedger } from "@pro-talent/ledger/migrate";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { createTestClickhouse, createTestPostgres } from "@pro-talent/platform/testing/engines";
import { expect, it } from "vitest";
import { z } from "zod";

import { compareRegister } from "./register.ts";

const Columns = z.array(z.object({ table: z.string(), column: z.string() }));

it("every column of the migrated databases is classified", async () => {
  const [postgres, clickhouse] = await Promise.all([createTestPostgres(), createTestClickhouse()]);
  const sql = connectPostgres(postgres.ownerUrl, { max: 1, applicationName: "test-register" });
  try {
    await migrateLedger(postgres.ownerUrl);
    await migrateJobs({ queueUrl: postgres.ownerUrl, ownerUrl: postgres.ownerUrl });
    const { client, database } = clickhouse;
    await migrateCollector({
      ownerUrl: postgres.ownerUrl,
      clickhouseUrl: clickhouse.url,
      database,
    });

    const inPostgres = await sql`
      select table_schema || '.' || table_name as "table", column_name as "column"
        from information_schema.columns
       where table_schema not in ('pg_catalog', 'information_schema')`;
    expect(compareRegister("postgres", Columns.parse(inPostgres))).toEqual({
      unclassified: [],
      gone: [],
    });

    // A materialized view keeps nothing itself: it writes a table, whose columns are looked at.
    const inClickhouse = await client.query({
      query: `
        SELECT c.table AS "table", c.name AS "column"
        FROM system.columns AS c
        INNER JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
        WHERE c.database = {database:String} AND t.engine != 'MaterializedView'`,
      query_params: { database },
      format: "JSONEachRow",
    });
    expect(compareRegister("clickhouse", Columns.parse(await inClickhouse.json()))).toEqual({
      unclassified: [],
      gone: [],
    });
  } finally {
    await sql.end();
    await Promise.all([postgres.drop(), clickhouse.drop()]);
  }
});
