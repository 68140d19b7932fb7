import { existsSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { forgetParts, unfinishedParts } from "./deduplication-log.ts";
import type { EngineConnection } from "./engine.ts";
import { quotedIdentifier } from "./literals.ts";

const TABLES = `
  SELECT database, name, arrayJoin(data_paths) FROM system.tables
  WHERE engine LIKE '%MergeTree' AND database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema')`;
const Answer = z.object({ data: z.array(z.tuple([z.string(), z.string(), z.string()])) });

async function tablesWithLog(connection: EngineConnection) {
  const { bytes } = await connection.query(TABLES, "JSONCompact");
  const { data } = Answer.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
  return data
    .filter(([, , dir]) => existsSync(join(dir, "deduplication_logs")))
    .map(([database, name, dir]) => ({
      name: `${quotedIdentifier(database)}.${quotedIdentifier(name)}`,
      dir,
    }));
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
