import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
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

/** What the databases, spools and logs of one run may need. */
const SPACE_BYTES = 6 * 1024 ** 3;

/**
 * Where the tests write: in memory on a machine that has the space, because hundreds of small databases
 * wait for a disk most of the time. What a kill leaves is the same there. `TEST_DISK=1` keeps to the disk.
 */
function placeForTests(): string {
  const memory = "/dev/shm";
  const hasSpace = (): boolean => {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, freemem()) > SPACE_BYTES;
  };
  const isInMemory = process.env["TEST_DISK"] !== "1" && existsSync(memory) && hasSpace();
  const directory = mkdtempSync(join(isInMemory ? memory : tmpdir(), "pro-talent-tests-"));
  // Postgres refuses to run as root and then runs as another user, who must be able to enter.
  chmodSync(directory, 0o711);
  return directory;
}

function runVitest(args: readonly string[], tallyFile: string): Promise<number> {
  const vitest = at("../../node_modules/vitest/vitest.mjs");
  const whole = [vitest, "run", "--config", at("vitest.config.ts"), ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, whole, {
      cwd: at("../.."),
      env: { ...process.env, TEST_TALLY_FILE: tallyFile, TMPDIR: directory },
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
const directory = placeForTests();
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
