import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const holds = "expect(1).toBe(1);";

/** Test files of which each must count as one failure, although an assertion in it may hold. */
const red = [
  "it('fails', () => { expect(1).toBe(2); });",
  `it('is noisy', () => { console.warn('oh'); ${holds} });`,
  `it('leaks', async () => { void Promise.reject(new Error('leak')); await new Promise((done) => setTimeout(done, 20)); ${holds} });`,
  `it.only('hides others', () => { ${holds} });`,
  `it.skip('is skipped', () => { ${holds} });`,
  "it('skips itself', (context) => { context.skip(); });",
  `import './missing.ts'; it('does not load', () => { ${holds} });`,
  "export const noTest = 1;",
];
/** It declares the noise that it expects. */
const green = `it('is green', () => { vi.spyOn(console, 'error').mockImplementation(() => {}); console.error('expected'); ${holds} });`;

it("a run is red for each way in which a test shows nothing, and for nothing else", () => {
  const directory = mkdtempSync(join(tmpdir(), "canary-"));
  try {
    symlinkSync(join(repository, "node_modules"), join(directory, "node_modules"));
    mkdirSync(join(directory, "case"));
    for (const [n, code] of [green, ...red].entries()) {
      const text = `import { expect, it, vi } from 'vitest';\n${code}\n`;
      writeFileSync(join(directory, `case/${n}.test.ts`), text);
    }
    const vitest = join(repository, "node_modules/vitest/vitest.mjs");
    const config = join(repository, "infra/quality/vitest.config.ts");
    const tallyFile = join(directory, "tally.json");
    const args = [vitest, "run", "--config", config, "--project", "unit"];
    const env = { ...process.env, TEST_TALLY_FILE: tallyFile, TEST_ROOT: directory };
    expect(spawnSync(process.execPath, args, { cwd: directory, env }).status).not.toBe(0);
    // Besides the green test, the one with the leak passes; the leak itself is the failure.
    expect(JSON.parse(readFileSync(tallyFile, "utf8"))).toEqual({ passed: 2, failed: red.length });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
