import { existsSync } from "node:fs";
import { join } from "node:path";

import { forgetParts, unfinishedParts } from "./deduplication-log.ts";
import type { EngineConnection } from "./engine.ts";
import { quotedIdentifier } from "./literals.ts";

type Table = { name: string; dir: string };

const TABLES = `
  SELECT database, name, arrayJoin(data_paths) FROM system.tables
  WHERE engine LIKE '%MergeTree' AND database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema')`;

function unescapeTsv(text: string): string {
  return text.replaceAll(
    /\\(.)/g,
    (_, escaped: string) => ({ t: "\t", n: "\n" })[escaped] ?? escaped,
  );
}

async function tablesWithLog(connection: EngineConnection): Promise<Table[]> {
  const { bytes } = await connection.query(TABLES, "TSV");
  const rows = Buffer.from(bytes)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  const tables = rows
    .map((row) => row.split("\t").map(unescapeTsv))
    .map(([database = "", name = "", dir = ""]) => ({
      name: `${quotedIdentifier(database)}.${quotedIdentifier(name)}`,
      dir,
    }));
  return tables.filter(({ dir }) => existsSync(join(dir, "deduplication_logs")));
}

/**
 * Makes insert deduplication exact again after a crash. A MergeTree table writes the tokens of an
 * insert into its log before it puts the part in place; killed in between, it would take the retry
 * for a duplicate and the rows would be lost, in the table or in the target of one of its views.
 * Records whose part never came are removed before a client can retry.
 * @returns a line for each repaired table
 */
export async function repairDeduplication(connection: EngineConnection): Promise<string[]> {
  const repaired: string[] = [];
  for (const { name, dir } of await tablesWithLog(connection)) {
    if (unfinishedParts(dir).length === 0) continue;
    // The table keeps its log in memory and reads it when it is attached.
    await connection.query(`DETACH TABLE ${name} SYNC`);
    const parts = unfinishedParts(dir);
    try {
      forgetParts(dir, parts);
    } finally {
      await connection.query(`ATTACH TABLE ${name}`);
    }
    repaired.push(`${name}: forgot the unfinished parts ${parts.join(", ")}`);
  }
  return repaired;
}
