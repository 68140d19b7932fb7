import type { Sql } from "@pro-talent/platform/postgres/pool";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import { printLine, withOwnerDatabase } from "../kernel/operator.ts";
import { modules } from "../modules.ts";
import { definitionsOf } from "./derived.ts";
import { explanations, type Finding } from "./findings.ts";
import { verifyLedger } from "./verify.ts";

/** `npm run ledger:verify`: verifies the whole ledger; ends with 1 when there is a finding. */
const definitions = definitionsOf(modules);

// A large ledger takes its time.
const options = { applicationName: "ledger-verify", statementSecondsMax: 3600 };
const printedMax = 100;

function describe({ why, position, what }: Finding): string {
  const place = position === null ? "" : `position ${position}: `;
  return `${place}${why} (${explanations[why]})${what === undefined ? "" : `: ${what}`}`;
}

async function verify(sql: Sql): Promise<number> {
  const started = performance.now();
  const { findings, findingCount, events, end } = await verifyLedger(sql, { definitions });
  for (const finding of findings.slice(0, printedMax)) printLine(describe(finding));
  if (findingCount > printedMax) printLine(`and ${findingCount - printedMax} more`);
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  printLine(`${events} events up to position ${end.position} checked in ${seconds} s`);
  printLine(
    findingCount === 0 ? "The ledger holds." : `The ledger is broken: ${findingCount} finding(s).`,
  );
  return findingCount === 0 ? 0 : 1;
}

await runCommand(() => withOwnerDatabase(process.env, options, verify));
