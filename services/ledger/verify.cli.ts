import { openPool } from "@pro-talent/platform/postgres/pool";

import { readOperatorEnv } from "./env.ts";
import { verifyLedger } from "./event-store/verify.ts";
import { findOwnerUrl } from "./owner-url.ts";

/** `npm run ledger:verify`: checks the whole chain; ends with 1 when it is broken. */
const explanations = {
  missing: "there is no event at this position",
  prev: "it does not follow the event before it",
  hash: "a field is not what was recorded",
  sealed: "its sealed part was exchanged",
  head: "the head does not name the last event",
  stream: "a stream does not end where its record says",
} as const;

const url = await findOwnerUrl(readOperatorEnv());
const sql = openPool(url, {
  max: 1,
  applicationName: "ledger-verify",
  // A large ledger takes its time.
  statementSecondsMax: 3600,
});
const write = (line: string): boolean => process.stdout.write(`${line}\n`);
try {
  const started = performance.now();
  const checking = verifyLedger(sql);
  let findings = 0;
  let step = await checking.next();
  while (step.done !== true) {
    findings += 1;
    const { position, why } = step.value;
    write(`position ${position}: ${why} (${explanations[why]})`);
    step = await checking.next();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  const { events, lastPosition } = step.value;
  write(`${events} events up to position ${lastPosition} checked in ${seconds} s`);
  write(findings === 0 ? "The chain holds." : `The chain is broken: ${findings} finding(s).`);
  process.exitCode = findings === 0 ? 0 : 1;
} finally {
  await sql.end();
}
