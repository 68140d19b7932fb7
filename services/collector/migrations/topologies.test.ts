import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { renderMigration, splitStatements } from "@pro-talent/platform/clickhouse/migrate";
import { describe, expect, it } from "vitest";

import { shardingKeys } from "../sharding-keys.ts";

const directory = fileURLToPath(new URL("clickhouse/", import.meta.url));
const cluster = { kind: "cluster", cluster: "main", shardingKeys } as const;

async function statements(
  topology: Parameters<typeof renderMigration>[1]["topology"],
): Promise<string[]> {
  const names = (await readdir(directory)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(`${directory}${name}`, "utf8")));
  return texts
    .flatMap(splitStatements)
    .flatMap((statement) => renderMigration(statement, { database: "app", topology }))
    .map((statement) => statement.replaceAll(/^--.*$/gm, "").trim());
}

/** Copies of days, which are made again from what is stored: equal rows are stored again on purpose. */
const isDerived = (statement: string): boolean => /^CREATE TABLE .*\.stored_/u.test(statement);

describe("the ClickHouse migrations", () => {
  it("make every table on all nodes of a cluster, stored replicated and read over all shards", async () => {
    const all = await statements(cluster);
    for (const statement of all) expect(statement).toContain("ON CLUSTER `main`");
    const engines = all.flatMap(
      (statement) => /^ENGINE = (\S+?)(?:\(.*)?$/m.exec(statement)?.[1] ?? [],
    );
    const count = (engine: string): number => engines.filter((one) => one === engine).length;
    expect(count("Null")).toBe(4);
    expect(count("ReplicatedAggregatingMergeTree")).toBe(4);
    expect(count("ReplicatedMergeTree")).toBe(9);
    expect(count("ReplicatedSummingMergeTree")).toBe(1);
    expect(count("Distributed")).toBe(18);
    expect(engines).toHaveLength(36);
    const stored = all.filter(
      (statement) => statement.includes("ENGINE = Replicated") && !isDerived(statement),
    );
    for (const statement of stored) {
      expect(statement).toContain("replicated_deduplication_window = 100000");
      expect(statement).toMatch(/CREATE TABLE IF NOT EXISTS `app`\.\w+_local /);
    }
  });

  it("insert and make aggregates within a shard, and read all of them in views", async () => {
    const all = await statements(cluster);
    const views = all.filter((statement) => /^CREATE (?:OR REPLACE )?VIEW/.test(statement));
    expect(views.length).toBeGreaterThan(30);
    expect(views.filter((statement) => statement.includes("_local"))).toEqual([]);
    const within = all.filter((statement) => /MATERIALIZED VIEW|MODIFY QUERY/.test(statement));
    expect(within.length).toBeGreaterThan(10);
    for (const statement of within) {
      const sources = [...statement.matchAll(/(?:FROM|TO) `app`\.(\w+)/g)].map(([, name]) => name);
      expect(sources.filter((name) => name?.endsWith("_local") !== true)).toEqual([]);
    }
  });

  it("change both tables where a table is changed, and what is stored where it is stored", async () => {
    const changes = (await statements(cluster)).filter((statement) =>
      /^ALTER TABLE `app`\.(?:events|events_local) /.test(statement),
    );
    const ofStored = changes.filter((statement) => statement.includes("MODIFY SETTING"));
    expect(ofStored.length).toBeGreaterThan(0);
    for (const statement of ofStored) expect(statement).toContain("events_local");
    const others = changes.filter((statement) => !statement.includes("MODIFY SETTING"));
    const plain = others.filter((statement) => statement.includes("`app`.events "));
    expect(others).toHaveLength(plain.length * 2);
  });

  it("refuse a table that has no sharding key", () => {
    const statement = "CREATE TABLE IF NOT EXISTS {database}.unknown {on_cluster} (a Int8)";
    expect(() => renderMigration(statement, { database: "app", topology: cluster })).toThrow(
      "The table unknown has no sharding key",
    );
  });

  it("give every stored table a deduplication window and fsync on one machine", async () => {
    const all = await statements({ kind: "single" });
    const stored = all.filter(
      (statement) => /^ENGINE = \w*MergeTree/m.test(statement) && !isDerived(statement),
    );
    expect(stored).toHaveLength(8);
    for (const statement of stored) {
      expect(statement).toContain("non_replicated_deduplication_window = 10000");
      expect(statement).toContain("fsync_after_insert = 1");
    }
    // Parameters of views are stated by each question.
    const rendered = all.join("\n").replaceAll(/\{\w+:[^}]+\}/g, "");
    expect(rendered).not.toMatch(/[{}]|Replicated|ON CLUSTER|_local/);
  });

  it("can be run again from the start after an interruption", async () => {
    for (const statement of await statements({ kind: "single" })) {
      expect(statement).toMatch(
        /IF NOT EXISTS|^CREATE OR REPLACE VIEW|^ALTER TABLE \S+\s+(?:MODIFY (?:COMMENT|QUERY|SETTING)|COMMENT COLUMN)/,
      );
    }
  });
});
