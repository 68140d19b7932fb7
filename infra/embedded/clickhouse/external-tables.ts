import { unlinkSync, writeFileSync } from "node:fs";

import { refusal } from "./engine-error.ts";
import type { EngineConnection } from "./engine.ts";
import { checkedFormat, quotedIdentifier } from "./literals.ts";
import type { Form } from "./request-body.ts";

/** Rows that came with a statement, as a table that only this statement sees. */
export type ExternalTable = { name: string; structure: string; format: string; file: string };

let fileCount = 0;

/**
 * Stores the files of a form. Columns are named by `<table>_structure` or, without names, `<table>_types`.
 * @throws {EngineError} 36 for a table without columns
 */
export function externalTables(files: Form["files"], query: URLSearchParams): ExternalTable[] {
  const described = files.map(({ name, rows }) => {
    const types = query.get(`${name}_types`)?.split(/,(?![^(]*\))/);
    const numbered = types?.map((type, index) => `_${index + 1} ${type}`).join(", ");
    const structure = query.get(`${name}_structure`) ?? numbered;
    const format = checkedFormat(query.get(`${name}_format`) ?? "TabSeparated");
    if (structure !== undefined) return { name, structure, format, rows };
    throw refusal("BAD_ARGUMENTS", "Neither structure nor types of an external table are stated.");
  });
  return described.map(({ rows, ...table }) => {
    fileCount += 1;
    const file = `${fileCount}.table`;
    writeFileSync(file, rows, { flag: "wx", mode: 0o600 });
    return { ...table, file };
  });
}

/** Creates the tables for one connection. */
export async function createExternalTables(
  connection: EngineConnection,
  tables: readonly ExternalTable[],
): Promise<void> {
  for (const { name, structure, format, file } of tables) {
    const table = quotedIdentifier(name);
    const create = `CREATE OR REPLACE TEMPORARY TABLE ${table} (${structure})`;
    if ((await connection.countStatements(create)) !== 1) {
      throw refusal("BAD_ARGUMENTS", "The structure of an external table can't be read.");
    }
    await connection.query(create);
    await connection.write(
      `INSERT INTO ${table} FROM INFILE '${file}' COMPRESSION 'none' FORMAT ${format}`,
    );
  }
}

/** Removes what was stored. */
export function forgetExternalTables(tables: readonly ExternalTable[]): void {
  for (const { file } of tables) unlinkSync(file);
}
