import { join } from "node:path";
import { parseArgs } from "node:util";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { printLine, testClockFile } from "@pro-talent/platform/runtime/operator";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import { readEnvironment } from "./env.ts";
import { readRuntime } from "./runtime-file.ts";
import { aheadMs, moveClock, type Step, targetOf } from "./test-clock.ts";

/** `npm run clock -- +15d`: moves the clock of every service of the running instance. */
const usage = `Usage: npm run clock -- +15d    also hours (+36h) and months (+2mo); forward only
       npm run clock -- --show`;

const shown = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

function describe({ untilMs, events, messages, accountMails }: Step): string {
  const counts = Object.entries({ ...events, ...messages, "mails of accounts": accountMails });
  const parts = counts.filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`);
  return `${shown(untilMs)}  ${parts.join(", ")}`;
}

await runCommand(async () => {
  if (process.env["NODE_ENV"] === "production") {
    throw new OperatorError("The clock is not moved in production.");
  }
  const options = { show: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const { dataDir } = readEnvironment();
  const runtime = await readRuntime(dataDir);
  if (runtime?.postgres === undefined) {
    throw new OperatorError(`Nothing is running on ${dataDir}. Start it with: npm start`);
  }
  const file = join(dataDir, testClockFile);
  const owner = openPool(runtime.postgres.ownerUrl, { max: 1, applicationName: "clock" });
  try {
    const nowMs = Date.now() + (await aheadMs(owner, file));
    const target = targetOf(positionals[0] ?? "", nowMs);
    if (target === undefined && !values.show) {
      printLine(usage);
      return 1;
    }
    if (target !== undefined) {
      const [lock] = await owner<{ held: boolean }[]>`
        select pg_try_advisory_lock(hashtext('test clock')) as held`;
      if (lock?.held !== true) throw new OperatorError("The clock is being moved already.");
      const report = (step: Step): void => printLine(describe(step));
      await moveClock({ owner, file, byMs: target - nowMs, report });
    }
    const ahead = await aheadMs(owner, file);
    const days = (ahead / 86_400_000).toFixed(1);
    printLine(`It is ${shown(Date.now() + ahead)} UTC, ${days} days ahead.`);
    return 0;
  } finally {
    await owner.end();
  }
});
