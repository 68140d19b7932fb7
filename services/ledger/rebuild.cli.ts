import { parseArgs } from "node:util";

import { openPool } from "@pro-talent/platform/postgres/pool";

import { readOperatorEnv } from "./env.ts";
import { rebuildProjection, type RebuildResult } from "./event-store/rebuild.ts";
import { findOwnerUrl } from "./owner-url.ts";
import { projections } from "./projections.ts";

/**
 * `npm run ledger:rebuild -- <projection|all> [--accept]`: writes projections anew and compares
 * them with the live ones. Ends with 1 when they differ and `--accept` was not given.
 */
const write = (line: string): boolean => process.stdout.write(`${line}\n`);

function report(result: RebuildResult): void {
  write(`${result.projection}, compared at position ${result.position}:`);
  for (const table of result.tables) {
    write(`  live     ${table.table}  ${table.liveRows} rows  ${table.liveDigest}`);
    write(`  rebuilt  ${table.table}  ${table.rebuiltRows} rows  ${table.rebuiltDigest}`);
  }
  if (result.equal) write("  equal; the rebuilt tables are in place");
  else if (result.swapped) write("  DIFFERENT; the rebuilt tables are in place, as accepted");
  else write("  DIFFERENT; the live tables were left. Take the rebuilt ones with --accept.");
}

async function rebuild(name: string, accept: boolean): Promise<boolean> {
  const chosen = projections.filter((projection) => name === "all" || projection.name === name);
  if (chosen.length === 0) {
    const names = projections.map((projection) => projection.name).join(", ");
    write(`No projection is called "${name}". There are: ${names}, or all.`);
    return false;
  }
  const url = await findOwnerUrl(readOperatorEnv());
  const sql = openPool(url, {
    max: 1,
    applicationName: "ledger-rebuild",
    // A large ledger takes its time.
    statementSecondsMax: 3600,
  });
  try {
    let inPlace = true;
    for (const projection of chosen) {
      const result = await rebuildProjection(sql, projection, { accept });
      report(result);
      inPlace &&= result.swapped;
    }
    return inPlace;
  } finally {
    await sql.end();
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { accept: { type: "boolean", default: false } },
});
process.exitCode = (await rebuild(positionals[0] ?? "", values.accept)) ? 0 : 1;
