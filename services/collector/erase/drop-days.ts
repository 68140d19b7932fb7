import { storedTable } from "@pro-talent/platform/clickhouse/cluster";
import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import { z } from "zod";

import type { ErasingStore } from "./delete-where.ts";

/** Copies of rows of days that are over. Each has a table `_next` in which a day is while it is being stored. */
const storedRows = ["stored_sessions", "stored_page_views"] as const;
/** What is counted of them, without ids. */
export const storedCounts = "stored_visitors";
export type StoredTable = (typeof storedRows)[number] | typeof storedCounts;

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

/** Drops a day of a table, on all replicas. @throws what ClickHouse throws */
export async function dropDay(
  store: Pick<ErasingStore, "database" | "cluster"> & {
    readonly clickhouse: Pick<ErasingStore["clickhouse"], "command">;
  },
  table: string,
  day: string,
): Promise<void> {
  await store.clickhouse.command({
    query: `ALTER TABLE ${storedTable(store, table)} DROP PARTITION '${day}'`,
    clickhouse_settings: { alter_sync: "2" },
  });
}

/**
 * Drops the stored days on which some visitors were here, until they are stored anew: after their events were deleted.
 * @throws what ClickHouse throws
 */
export async function dropDaysOf(
  store: ErasingStore,
  visitorIds: readonly string[],
): Promise<void> {
  for (const table of storedRows.flatMap((name) => [name, `${name}_next`])) {
    const query = `SELECT DISTINCT toString(day) AS day FROM \`${store.database}\`.${table} WHERE visitor_id IN {ids:Array(UUID)}`;
    for (const day of await daysOf(store, query, { ids: visitorIds })) {
      // The numbers first: the rows say on which days they are to be dropped.
      await dropDay(store, storedCounts, day);
      await dropDay(store, table, day);
    }
  }
}
