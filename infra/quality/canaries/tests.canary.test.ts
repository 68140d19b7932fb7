import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { enginesKind } from "../testing/engines-kind.ts";
import { plant, repository, type Plot } from "./plant.ts";

const head = `import { expect, it } from 'vitest';\n`;
const passes = `it('passes', () => { expect(1).toBe(1); });\n`;

/** Test files that must turn a run red, although an assertion in them may hold. */
const red: Record<string, string> = {
  "a failing assertion": `${head}it('fails', () => { expect(1).toBe(2); });`,
  "an undeclared console.error": `${head}it('is noisy', () => { console.error('oh'); expect(1).toBe(1); });`,
  "an undeclared console.warn": `${head}it('is noisy', () => { console.warn('oh'); expect(1).toBe(1); });`,
  "an unhandled rejection": `${head}it('leaks', async () => { void Promise.reject(new Error('leak')); await new Promise((done) => setTimeout(done, 20)); expect(1).toBe(1); });`,
  "a lone test that hides the others": `${head}it.only('alone', () => { expect(1).toBe(1); });`,
  "a skipped test": `${head}${passes}it.skip('skipped', () => { expect(1).toBe(1); });`,
  "a test that decides to be skipped": `${head}it('decides', (context) => { context.skip(); });`,
  "a file that does not load": `${head}${passes}import './missing.ts';`,
  "a file without a test": `export const a = 1;`,
};

const Tally = z.object({ passed: z.number(), failed: z.number() });

let plot: Plot;

function run(file: string): {
  status: number | null;
  output: string;
  tally: z.infer<typeof Tally>;
} {
  const tallyFile = join(plot.directory, `${file}.json`);
  const vitest = join(repository, "node_modules/vitest/vitest.mjs");
  const config = join(repository, "infra/quality/vitest.config.ts");
  const args = ["run", "--config", config, "--project", "unit", `canary-case/${file}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, ...args], {
    cwd: plot.directory,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      TEST_TALLY_FILE: tallyFile,
      TEST_ROOT: plot.directory,
    },
  });
  const tally = Tally.parse(JSON.parse(readFileSync(tallyFile, "utf8")));
  return { status, output: stdout + stderr, tally };
}

beforeAll(() => {
  const files = Object.values(red).map((code, n): [path: string, code: string] => [
    `canary-case/red-${n}.test.ts`,
    code,
  ]);
  plot = plant({
    ...Object.fromEntries(files),
    "canary-case/green.test.ts": `import { vi } from 'vitest';\n${head}it('declares its noise', () => { vi.spyOn(console, 'error').mockImplementation(() => {}); console.error('expected'); expect(1).toBe(1); });`,
  });
});

afterAll(() => plot.remove());

describe("a test run", () => {
  it("is green for a test that declares the noise it expects", () => {
    expect(run("green.test.ts")).toMatchObject({ status: 0, tally: { passed: 1, failed: 0 } });
  });

  it.each(Object.keys(red).map((what, n) => ({ what, file: `red-${n}.test.ts` })))(
    "is red for $what",
    ({ file }) => {
      const { status, tally } = run(file);
      expect(tally.failed).toBeGreaterThan(0);
      expect(status).not.toBe(0);
    },
  );

  it("refuses engines that it does not know", () => {
    expect(() => enginesKind("mock")).toThrow("TEST_ENGINES");
    expect([enginesKind(undefined), enginesKind("servers")]).toEqual(["embedded", "servers"]);
  });
});
