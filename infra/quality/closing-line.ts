import { writeFileSync, writeSync } from "node:fs";

import type { Reporter, TestModule, TestRunEndReason, SerializedError } from "vitest/node";

/**
 * Writes `N passed, N failed`, alone on its line, as the last thing that vitest prints. When
 * `TEST_TALLY_FILE` names a file, the numbers go there instead, for a caller that adds its own.
 *
 * A skipped test is a failure, since it has not shown what its name says; so are a file that did not
 * load and an unhandled error.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const broken = modules.flatMap((module) => module.errors()).length + unhandledErrors.length;
    let failed = tests.length - passed + broken;
    if (reason === "interrupted" || (reason === "failed" && failed === 0)) failed += 1;
    if (failed > 0) process.exitCode = 1;
    const file = process.env["TEST_TALLY_FILE"];
    if (file !== undefined) writeFileSync(file, JSON.stringify({ passed, failed }));
    else process.once("exit", () => writeSync(1, `\n${passed} passed, ${failed} failed\n`));
  }
}
