import { writeFileSync, writeSync } from "node:fs";

import type { Reporter, TestModule, TestRunEndReason, SerializedError } from "vitest/node";

/** How a run ended, in numbers. A file that did not load and an unhandled error count as failures. */
export type Tally = { passed: number; failed: number };

/**
 * Counts the results of a run. A skipped test is a failure here: nothing in this repository is
 * skipped, so one that did not run has not shown what its name says.
 */
export function tally(
  modules: readonly TestModule[],
  unhandledErrors: readonly unknown[],
  reason: TestRunEndReason,
): Tally {
  const total: Tally = { passed: 0, failed: unhandledErrors.length };
  for (const module of modules) {
    total.failed += module.errors().length;
    for (const test of module.children.allTests()) {
      if (test.result().state === "passed") total.passed += 1;
      else total.failed += 1;
    }
  }
  if (reason === "interrupted" || (reason === "failed" && total.failed === 0)) total.failed += 1;
  return total;
}

/**
 * Writes `N passed, N failed`, alone on its line, as the last thing that vitest prints. When
 * `TEST_TALLY_FILE` names a file, the numbers go there instead, for a caller that adds its own.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const { passed, failed } = tally(modules, unhandledErrors, reason);
    if (failed > 0) process.exitCode = 1;
    const file = process.env["TEST_TALLY_FILE"];
    if (file !== undefined) {
      writeFileSync(file, JSON.stringify({ passed, failed }));
      return;
    }
    process.once("exit", () => {
      writeSync(process.stdout.fd, `\n${passed} passed, ${failed} failed\n`);
    });
  }
}
