import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { clusterStatements } from "./cluster.ts";
import type { ClickHouseClient } from "./connect.ts";

/**
 * How tables are stored. `single`: plain MergeTree engines with their own deduplication window.
 * `cluster`: the same tables on all nodes of a cluster, replicated within each shard (cluster.ts).
 */
export type ClickhouseTopology =
  | { kind: "single" }
  | { kind: "cluster"; cluster: string; shardingKeys: Readonly<Record<string, string>> };

/**
 * Applies `NNNN_name.sql` files in order, once each. Statements end with `;` at a line's end and
 * must be repeatable (`IF NOT EXISTS`): ClickHouse has no transactions, so a file whose run was
 * interrupted is run again from its start.
 *
 * Placeholders: `{database}`, `{on_cluster}`, and `{engine:SummingMergeTree(count)}`, which
 * becomes the plain or the Replicated engine; `{dedup_settings}` becomes the table settings under
 * which repeated inserts with one token are stored once.
 */
export async function migrateClickhouse(
  client: ClickHouseClient,
  options: { database: string; directory: string; topology: ClickhouseTopology },
): Promise<string[]> {
  const run = async (statement: string): Promise<void> => {
    for (const query of renderMigration(statement, options)) await client.command({ query });
  };
  await run("CREATE DATABASE IF NOT EXISTS {database} {on_cluster}");
  await run(`CREATE TABLE IF NOT EXISTS {database}.migration {on_cluster}
    (name String, hash String, applied_at DateTime64(3) DEFAULT now64(3))
    ENGINE = {engine:MergeTree()} ORDER BY name`);
  const result = await client.query({
    query: `SELECT name, hash FROM \`${options.database}\`.migration`,
    format: "JSONEachRow",
  });
  const known = new Map(
    (await result.json<{ name: string; hash: string }>()).map((row) => [row.name, row.hash]),
  );
  const applied: string[] = [];
  const names = (await readdir(options.directory))
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  for (const name of names) {
    const text = await readFile(join(options.directory, name), "utf8");
    const hash = createHash("sha256").update(text).digest("hex");
    const before = known.get(name);
    if (before === hash) continue;
    if (before !== undefined) throw new Error(`Migration ${name} was changed after it was applied`);
    for (const statement of splitStatements(text)) await run(statement);
    await client.insert({
      table: `${options.database}.migration`,
      values: [{ name, hash }],
      format: "JSONEachRow",
      // On a cluster: into the shard, not on its way there.
      clickhouse_settings: { distributed_foreground_insert: 1 },
    });
    applied.push(name);
  }
  return applied;
}

/** Statements of a migration file: separated by `;` at the end of a line, comments kept. */
export function splitStatements(text: string): string[] {
  return text
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/--.*$/gm, "").trim() !== "");
}

/** The statements that one of a migration becomes in a database of some topology. */
export function renderMigration(
  statement: string,
  { database, topology }: { database: string; topology: ClickhouseTopology },
): string[] {
  const isCluster = topology.kind === "cluster";
  const statements = isCluster
    ? clusterStatements(statement, { ...topology, name: topology.cluster })
    : [statement];
  const dedupSettings = isCluster
    ? // An insert is repeated until it succeeds. Of all collectors together these are some hours of inserts.
      "replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800"
    : "non_replicated_deduplication_window = 10000";
  return statements.map((text) =>
    text
      .replaceAll("{database}", `\`${database}\``)
      .replaceAll("{on_cluster}", isCluster ? `ON CLUSTER \`${topology.cluster}\`` : "")
      .replaceAll("{dedup_settings}", dedupSettings)
      .replaceAll(/\{engine:(\w+)\(([^}]*)\)\}/g, (_all, engine: string, args: string) =>
        isCluster ? `Replicated${engine}(${args})` : `${engine}(${args})`,
      ),
  );
}
