import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { OperatorError } from "../runtime/operator-error.ts";
import type { Sql } from "./connect.ts";

/**
 * Applies `NNNN_name.sql` files of a directory in order, each in its own transaction, once.
 * An applied file must never change: its SHA-256 is kept and compared.
 * @returns the names that were applied now
 * @throws when a file differs from what was applied, or its SQL fails (nothing of it stays)
 */
export async function migratePostgres(
  sql: Sql,
  options: { schema: string; directory: string },
): Promise<string[]> {
  const files = (await readdir(options.directory))
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  const applied: string[] = [];
  const table = sql(`${options.schema}.migration`);
  const lock = `migrate ${options.schema}`;
  // Under the lock too: "if not exists" alone fails when two create the same thing at once.
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext(${lock}))`;
    await tx`create schema if not exists ${sql(options.schema)}`;
    await tx`create table if not exists ${table} (
      name text primary key, hash text not null, applied_at timestamptz not null default now())`;
  });
  for (const name of files) {
    const text = await readFile(join(options.directory, name), "utf8");
    const hash = createHash("sha256").update(text).digest("hex");
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext(${lock}))`;
      const [row] = await tx<{ hash: string }[]>`select hash from ${table} where name = ${name}`;
      if (row !== undefined) {
        if (row.hash !== hash)
          throw new OperatorError(`Migration ${name} was changed after it was applied`);
        return;
      }
      await tx.unsafe(text);
      await tx`insert into ${table} (name, hash) values (${name}, ${hash})`;
      applied.push(name);
    });
  }
  return applied;
}
