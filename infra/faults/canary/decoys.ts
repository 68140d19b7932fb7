import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import type { Instance } from "./instance.ts";
import type { WordSearch } from "./stores.ts";

/** A word, and where a search has to find it before its result counts. */
export type Decoys = {
  readonly word: string;
  readonly places: readonly string[];
  readonly remove: () => Promise<void>;
};

const table = "drill_decoy";

/**
 * Plants a word in every store: in a row of each engine, which is in their files too, and in each
 * directory as a plain and as a compressed file.
 */
export async function plantDecoys(instance: Instance, word: string): Promise<Decoys> {
  const { dataDir, sql, clickhouse } = instance;
  await sql`create table ${sql(table)} as select ${word}::text as word`;
  await sql`checkpoint`;
  const database = "pro_talent";
  await clickhouse.command({
    query: `CREATE TABLE ${database}.${table} (word String CODEC(ZSTD(1))) ENGINE = MergeTree ORDER BY tuple()`,
  });
  await clickhouse.insert({
    table: `${database}.${table}`,
    values: [{ word: `${word} ${"packed ".repeat(50)}` }],
    format: "JSONEachRow",
  });
  const entries = await readdir(dataDir, { withFileTypes: true });
  const directories = entries.filter((one) => one.isDirectory()).map(({ name }) => name);
  const files = directories
    .filter((name) => !["postgres", "clickhouse"].includes(name))
    .flatMap((name) => [`${name}/decoy.txt`, `${name}/decoy.gz`]);
  for (const file of files) {
    await mkdir(join(dataDir, file, ".."), { recursive: true });
    const content = file.endsWith(".gz") ? gzipSync(word.repeat(3)) : word;
    await writeFile(join(dataDir, file), content);
  }
  return {
    word,
    places: [
      `rows of public.${table}`,
      "postgres/cluster",
      `rows of \`${database}\`.\`${table}\``,
      "clickhouse/engine",
      ...files,
    ],
    remove: async () => {
      await sql`drop table ${sql(table)}`;
      await clickhouse.command({ query: `DROP TABLE ${database}.${table} SYNC` });
      for (const file of files) await rm(join(dataDir, file));
    },
  };
}

/** Places in which the search has not found the decoy: of those it says nothing. */
export function blindPlaces({ word, places }: Decoys, { found }: WordSearch): string[] {
  const seen = found.get(word) ?? new Set();
  return places.filter((place) => !seen.has(place));
}
