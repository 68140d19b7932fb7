import { storedTable } from "@pro-talent/platform/clickhouse/cluster";
import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import { z } from "zod";

import type { ErasingStore } from "./delete-where.ts";

/** Copies of days that are over. Each has a table `_next` in which a day is while it is being stored. */
const storedTables = ["stored_sessions", "stored_page_views"] as const;
export type StoredTable = (typeof storedTables)[number];

/** As text in statements: partitions take no parameters. */
const Days = z.array(z.object({ day: z.iso.date() }));

/** The days that a query names. @throws what ClickHouse throws */
export async function daysOf(
  { clickhouse }: { readonly clickhouse: Pick<ClickHouseClient, "query"> },
  query: string,
  query_params: Record<string, unknown>,
): Promise<string[]> {
  const result = await clickhouse.query({ query, query_params, format: "JSONEachRow" });
  return Days.parse(await result.json()).map(({ day }) => day);
}

/**
 * Drops the stored days on which some visitors were here, until they are stored anew: after their events were deleted.
 * @throws what ClickHouse throws
 */
export async function dropDaysOf(
  store: ErasingStore,
  visitorIds: readonly string[],
): Promise<void> {
  const { clickhouse, database } = store;
  for (const table of storedTables.flatMap((name) => [name, `${name}_next`])) {
    const query = `SELECT DISTINCT toString(day) AS day FROM \`${database}\`.${table} WHERE visitor_id IN {ids:Array(UUID)}`;
    for (const day of await daysOf({ clickhouse }, query, { ids: visitorIds })) {
      await clickhouse.command({
        query: `ALTER TABLE ${storedTable(store, table)} DROP PARTITION '${day}'`,
        // It is waited for on all replicas.
        clickhouse_settings: { alter_sync: "2" },
      });
    }
  }
}
