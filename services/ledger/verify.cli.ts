import type { Sql } from "@pro-talent/platform/postgres/pool";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import { printLine, withOwnerDatabase } from "./kernel/operator.ts";
import { verifyLedger } from "./kernel/verify.ts";

/** `npm run ledger:verify`: checks the whole chain; ends with 1 when it is broken. */
const explanations = {
  missing: "there is no event at this position",
  prev: "it does not follow the event before it",
  hash: "a field is not what was recorded",
  sealed: "its sealed part was exchanged",
  head: "the head does not name the last event",
  stream: "a stream does not end where its record says",
} as const;

// A large ledger takes its time.
const options = { applicationName: "ledger-verify", statementSecondsMax: 3600 };

async function verify(sql: Sql): Promise<number> {
  const started = performance.now();
  const checking = verifyLedger(sql);
  let findings = 0;
  let step = await checking.next();
  while (step.done !== true) {
    findings += 1;
    const { position, why } = step.value;
    printLine(`position ${position}: ${why} (${explanations[why]})`);
    step = await checking.next();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  const { events, lastPosition } = step.value;
  printLine(`${events} events up to position ${lastPosition} checked in ${seconds} s`);
  printLine(findings === 0 ? "The chain holds." : `The chain is broken: ${findings} finding(s).`);
  return findings === 0 ? 0 : 1;
}

await runCommand(() => withOwnerDatabase(process.env, options, verify));
