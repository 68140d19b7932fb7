import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { ClickHouseClient } from "./connect.ts";

/**
 * How tables are stored. `single`: plain MergeTree engines with their own deduplication window.
 * `replicated`: the same tables on a cluster, created ON CLUSTER with Replicated engines.
 */
export type ClickhouseTopology = { kind: "single" } | { kind: "replicated"; cluster: string };

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
  const render = (text: string): string => renderMigration(text, options);
  const run = (query: string): Promise<unknown> => client.command({ query: render(query) });
  await run("CREATE DATABASE IF NOT EXISTS {database} {on_cluster}");
  await run(`CREATE TABLE IF NOT EXISTS {database}.migration {on_cluster}
    (name String, hash String, applied_at DateTime64(3) DEFAULT now64(3))
    ENGINE = {engine:MergeTree()} ORDER BY name`);
  const result = await client.query({
    query: render("SELECT name, hash FROM {database}.migration"),
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

/** Replaces the placeholders of a migration for one database and topology. */
export function renderMigration(
  text: string,
  options: { database: string; topology: ClickhouseTopology },
): string {
  const { database, topology } = options;
  const replicated = topology.kind === "replicated";
  const dedupSettings = replicated
    ? // Tokens are otherwise forgotten after an hour, sooner than an outage may last.
      "replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800"
    : "non_replicated_deduplication_window = 10000";
  return text
    .replaceAll("{database}", `\`${database}\``)
    .replaceAll("{on_cluster}", replicated ? `ON CLUSTER \`${topology.cluster}\`` : "")
    .replaceAll("{dedup_settings}", dedupSettings)
    .replaceAll(/\{engine:(\w+)\(([^}]*)\)\}/g, (_all, engine: string, args: string) =>
      replicated ? `Replicated${engine}(${args})` : `${engine}(${args})`,
    );
}
