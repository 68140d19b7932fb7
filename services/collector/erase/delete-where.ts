import { storedTable } from "@pro-talent/platform/clickhouse/cluster";
import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";

export type ErasingStore = {
  readonly clickhouse: ClickHouseClient;
  readonly database: string;
  /** Name of the cluster on which the tables are replicated. */
  readonly cluster?: string | undefined;
};

/**
 * Deletes rows of a table on all replicas, and resolves once no part that is read has them. ClickHouse keeps
 * the text of the last mutation of each table, with its parameters: here it is one that names nothing.
 * @throws what ClickHouse throws
 */
export async function deleteWhere(
  store: ErasingStore,
  table: string,
  { condition, params }: { readonly condition: string; readonly params: Record<string, unknown> },
): Promise<void> {
  for (const [where, query_params] of [
    [condition, params],
    ["false", {}],
  ] as const) {
    await store.clickhouse.command({
      query: `ALTER TABLE ${storedTable(store, table)} DELETE WHERE ${where}`,
      query_params,
      // It rewrites the parts that hold such rows; it is waited for on all replicas.
      clickhouse_settings: { mutations_sync: "2" },
    });
  }
}
