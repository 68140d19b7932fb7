import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { check } from "./check.ts";
import type { Tally } from "./testing/closing-line.ts";

/**
 * `npm test`: every gate, then every test. `npm test -- <vitest arguments>` runs only those tests.
 * The last line is `N passed, N failed`, counting gates and tests.
 */
const root = fileURLToPath(new URL("../..", import.meta.url));

function runVitest(args: readonly string[], tallyFile: string): Promise<number> {
  const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
  const config = fileURLToPath(new URL("vitest.config.ts", import.meta.url));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, "run", "--config", config, ...args], {
      cwd: root,
      env: { ...process.env, TEST_TALLY_FILE: tallyFile },
      stdio: "inherit",
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** The tally that the closing-line reporter left, or a failure when the run left none. */
function readTally(file: string, exitCode: number): Tally {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (
      typeof parsed === "object" &&
      parsed !== null &&
      "passed" in parsed &&
      typeof parsed.passed === "number" &&
      "failed" in parsed &&
      typeof parsed.failed === "number"
    ) {
      const unexplained = exitCode !== 0 && parsed.failed === 0 ? 1 : 0;
      return { passed: parsed.passed, failed: parsed.failed + unexplained };
    }
  } catch (error) {
    console.error(`vitest ended with ${exitCode} and left no result: ${String(error)}`);
  }
  return { passed: 0, failed: 1 };
}

const args = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "pro-talent-tally-"));
try {
  // The canaries are vitest tests themselves and run with the others below.
  const gates = args.length === 0 ? await check(["canaries"]) : { passed: 0, failed: 0 };
  const tallyFile = join(directory, "tally.json");
  const tests = readTally(tallyFile, await runVitest(args, tallyFile));
  const failed = gates.failed + tests.failed;
  console.log(`\n${gates.passed} gates and ${tests.passed} tests passed`);
  console.log(`${gates.passed + tests.passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
