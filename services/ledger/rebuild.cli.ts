import { parseArgs } from "node:util";

import { printLine, withOwnerDatabase } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import { rebuildReadModel, type RebuildResult } from "./kernel/rebuild.ts";
import { reconcileAll } from "./kernel/reconcile.ts";
import { readModels, streamKinds } from "./modules.ts";

/**
 * `npm run ledger:rebuild -- <read model|timers|all> [--accept]`: writes read models anew and compares
 * them with the live ones; sets the timers that the events demand. Ends with 1 when read models differ
 * and `--accept` was not given.
 */
function report({ model, position, live, rebuilt, equal, swapped }: RebuildResult): void {
  printLine(`${model}, compared at position ${position}:`);
  if (live !== undefined) printLine(`  live     ${live.rows} rows  ${live.digest}`);
  printLine(`  rebuilt  ${rebuilt.rows} rows  ${rebuilt.digest}`);
  if (equal) printLine("  equal; the rebuilt table is in place");
  else if (swapped) printLine("  DIFFERENT; the rebuilt table is in place, as accepted");
  else printLine("  DIFFERENT; the live table was left. Take the rebuilt one with --accept.");
}

async function rebuild(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { accept: { type: "boolean", default: false } },
  });
  const [name = ""] = positionals;
  const chosen = readModels.filter(({ table }) => name === "all" || table === name);
  const timers = name === "all" || name === "timers";
  if (chosen.length === 0 && !timers) {
    const names = readModels.map(({ table }) => table).join(", ");
    printLine(`No read model is called "${name}". There are: ${names}, timers, or all.`);
    return 1;
  }
  // A large ledger takes its time.
  const options = { applicationName: "ledger-rebuild", statementSecondsMax: 3600 };
  return withOwnerDatabase(process.env, options, async (sql) => {
    // States that were kept are derived too: commands write them again.
    if (name === "all") await sql`delete from ledger.snapshot`;
    let code = 0;
    for (const model of chosen) {
      const result = await rebuildReadModel(sql, model, { accept: values.accept });
      report(result);
      if (!result.swapped) code = 1;
    }
    if (timers) {
      const { armed, removed, rearmed } = await reconcileAll({ sql, kinds: streamKinds });
      printLine(`timers: ${armed + rearmed} set, ${removed} removed`);
    }
    return code;
  });
}

await runCommand(rebuild);
