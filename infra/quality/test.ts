import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

import { check } from "./check.ts";

/**
 * `npm test`: every gate, then every test. `npm test -- <vitest arguments>` runs only those tests.
 * The last line is `N passed, N failed`, counting gates and tests.
 */
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const Tally = z.object({ passed: z.number(), failed: z.number() });

function runVitest(args: readonly string[], tallyFile: string): Promise<number> {
  const vitest = at("../../node_modules/vitest/vitest.mjs");
  const whole = [vitest, "run", "--config", at("vitest.config.ts"), ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, whole, {
      cwd: at("../.."),
      env: { ...process.env, TEST_TALLY_FILE: tallyFile },
      stdio: "inherit",
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** What the closing-line reporter counted; a run that ended badly without a reason is a failure. */
function readTally(file: string, exitCode: number): z.infer<typeof Tally> {
  try {
    const { passed, failed } = Tally.parse(JSON.parse(readFileSync(file, "utf8")));
    return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed };
  } catch (error) {
    console.error(`vitest ended with ${exitCode} and left no result: ${String(error)}`);
    return { passed: 0, failed: 1 };
  }
}

const args = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "pro-talent-tally-"));
try {
  // These gates are vitest tests themselves and run with the others below.
  const gates =
    args.length === 0 ? await check(["canaries", "data-map"]) : { passed: 0, failed: 0 };
  const tallyFile = join(directory, "tally.json");
  const tests = readTally(tallyFile, await runVitest(args, tallyFile));
  const failed = gates.failed + tests.failed;
  console.log(`\n${gates.passed} gates and ${tests.passed} tests passed`);
  console.log(`${gates.passed + tests.passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
