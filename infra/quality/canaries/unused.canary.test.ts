import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { repository } from "./plant.ts";

/** A small copy of the workspaces with one thing wrong of each kind. */
const files: Record<string, string> = {
  "package.json": JSON.stringify({
    name: "canary",
    private: true,
    workspaces: ["schemas", "services/*", "web", "infra"],
  }),
  "schemas/package.json": JSON.stringify({ name: "@pro-talent/schemas", type: "module" }),
  "services/ledger/package.json": JSON.stringify({
    name: "@pro-talent/ledger",
    type: "module",
    dependencies: { zod: "4.6.7", isbot: "5.2.3" },
  }),
  "services/ledger/main.ts": `import { z } from 'zod';\nimport { a } from './used.ts';\nimport fastify from 'fastify';\nimport './missing.ts';\nconsole.log(z, a, fastify);\n`,
  "services/ledger/used.ts": `export const a = 1;\nexport const neverAsked = 2;\nexport type NeverAskedType = number;\nexport const onlyTested = 3;\n`,
  "services/ledger/used.test.ts": `import { onlyTested } from './used.ts';\nimport { it } from 'vitest';\nit('runs', () => onlyTested);\n`,
  "services/ledger/forgotten.ts": `export const b = 1;\n`,
};

let directory: string;

function knip(...args: string[]): string {
  const binary = join(repository, "node_modules/.bin/knip");
  const run = spawnSync(binary, ["--config", "infra/quality/knip.json", ...args], {
    cwd: directory,
    encoding: "utf8",
  });
  expect(run.status).toBe(1);
  return run.stdout;
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "canary-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  mkdirSync(join(directory, "infra/quality"), { recursive: true });
  cpSync(join(repository, "infra/quality/knip.json"), join(directory, "infra/quality/knip.json"));
  symlinkSync(join(repository, "node_modules"), join(directory, "node_modules"));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("unused code and dependencies", () => {
  it.each([
    ["a file that nothing imports", /Unused files[\s\S]*services\/ledger\/forgotten\.ts/u],
    ["a dependency that nothing imports", /Unused dependencies[\s\S]*isbot/u],
    ["an import that package.json does not list", /Unlisted dependencies[\s\S]*fastify/u],
    ["an import that leads nowhere", /Unresolved imports[\s\S]*\.\/missing\.ts/u],
    ["an export that nobody asks for", /Unused exports[\s\S]*neverAsked/u],
    ["a type that nobody asks for", /Unused exported types[\s\S]*NeverAskedType/u],
  ])("report %s", (_what, pattern) => {
    expect(knip()).toMatch(pattern);
  });

  it("report what only a test uses, in production", () => {
    expect(knip("--production")).toMatch(/Unused exports[\s\S]*onlyTested/u);
    expect(knip()).not.toMatch(/onlyTested/u);
  });
});

it("the gate of the repository uses this configuration", () => {
  const scripts = readFileSync(join(repository, "package.json"), "utf8");
  expect(scripts).toContain('"knip --config infra/quality/knip.json"');
  expect(scripts).toContain('"knip --config infra/quality/knip.json --production"');
});
