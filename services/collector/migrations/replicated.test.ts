import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { renderMigration, splitStatements } from "@pro-talent/platform/clickhouse/migrate";
import { describe, expect, it } from "vitest";

const directory = fileURLToPath(new URL("clickhouse/", import.meta.url));

async function statements(
  topology: Parameters<typeof renderMigration>[1]["topology"],
): Promise<string[]> {
  const names = (await readdir(directory)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(`${directory}${name}`, "utf8")));
  return texts
    .flatMap(splitStatements)
    .map((statement) => renderMigration(statement, { database: "app", topology }))
    .map((statement) => statement.replaceAll(/^--.*$/gm, "").trim());
}

/** Copies of days, which are made again from what is stored: equal rows are stored again on purpose. */
const isDerived = (statement: string): boolean => /^CREATE TABLE .*\.stored_/u.test(statement);

describe("the ClickHouse migrations", () => {
  it("create every table on all nodes of a cluster, replicated, by one setting", async () => {
    const all = await statements({ kind: "replicated", cluster: "main" });
    expect(all.length).toBeGreaterThan(15);
    for (const statement of all) expect(statement).toContain("ON CLUSTER `main`");
    const engines = all.flatMap(
      (statement) => /^ENGINE = (\S+?)(?:\(.*)?$/m.exec(statement)?.[1] ?? [],
    );
    expect(engines.toSorted()).toEqual([
      "Null",
      "Null",
      "Null",
      "Null",
      "ReplicatedAggregatingMergeTree",
      "ReplicatedAggregatingMergeTree",
      "ReplicatedAggregatingMergeTree",
      "ReplicatedAggregatingMergeTree",
      ...Array.from({ length: 7 }, () => "ReplicatedMergeTree"),
      "ReplicatedSummingMergeTree",
    ]);
    const stored = all.filter(
      (statement) => statement.includes("ENGINE = Replicated") && !isDerived(statement),
    );
    for (const statement of stored) {
      expect(statement).toContain("replicated_deduplication_window = 10000");
      expect(statement).toContain("replicated_deduplication_window_seconds = 604800");
    }
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
    expect(rendered).not.toMatch(/[{}]|Replicated|ON CLUSTER/);
  });

  it("can be run again from the start after an interruption", async () => {
    for (const statement of await statements({ kind: "single" })) {
      expect(statement).toMatch(
        /IF NOT EXISTS|^CREATE OR REPLACE VIEW|^ALTER TABLE \S+\s+(?:MODIFY (?:COMMENT|QUERY|SETTING)|COMMENT COLUMN)/,
      );
    }
  });
});
