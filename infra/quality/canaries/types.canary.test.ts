import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { compilerConfiguration, plant, repository, type Files, type Plot } from "./plant.ts";

/** Code that the compiler must refuse, in the room whose rules it breaks, with the expected code. */
const canaries: Record<string, { path: string; code: string; error: string }> = {
  "an enum, which Node cannot run": {
    path: "services/ledger/enum.ts",
    code: "export enum A { B }",
    error: "TS1294",
  },
  "a parameter property, which Node cannot run": {
    path: "services/ledger/property.ts",
    code: "export class A { constructor(readonly b: number) {} }",
    error: "TS1294",
  },
  "an implicit any": {
    path: "services/ledger/implicit.ts",
    code: "export const f = (a) => a;",
    error: "TS7006",
  },
  "an array element taken for granted": {
    path: "services/ledger/element.ts",
    code: "export const f = (a: number[]): number => a[0];",
    error: "TS2322",
  },
  "undefined in place of an absent property": {
    path: "services/ledger/absent.ts",
    code: "export const a: { b?: number } = { b: undefined };",
    error: "TS2375",
  },
  "an index signature read as a property": {
    path: "services/ledger/index-read.ts",
    code: "export const f = (a: Record<string, number>) => a.b;",
    error: "TS4111",
  },
  "an override that does not say so": {
    path: "services/ledger/override.ts",
    code: "class A { b(): number { return 1; } }\nexport class C extends A { b(): number { return 2; } }",
    error: "TS4114",
  },
  "a path that forgets to return": {
    path: "services/ledger/forgets.ts",
    code: "export function f(a: boolean) { if (a) return 1; }",
    error: "TS7030",
  },
  "a case that falls through": {
    path: "services/ledger/falls.ts",
    code: "export function f(a: number): number { let b = 0; switch (a) { case 1: b = 1; case 2: return b; default: return 2; } }",
    error: "TS7029",
  },
  "a type imported as a value": {
    path: "services/ledger/type-import.ts",
    code: `import { A } from './type-only.ts';\nexport const b: A = 1;`,
    error: "TS1484",
  },
  "the browser in a service": {
    path: "services/ledger/browser.ts",
    code: "export const a = document.title;",
    error: "TS2584",
  },
  "the browser in a contract": {
    path: "schemas/primitives/browser.ts",
    code: "export const a = document.title;",
    error: "TS2584",
  },
  "Node in a contract": {
    path: "schemas/primitives/node.ts",
    code: `import { join } from 'node:path';\nexport const a = join('b');`,
    error: "TS2591",
  },
  "Node in the browser": {
    path: "web/app/node.ts",
    code: "export const a = process.pid;",
    error: "TS2591",
  },
};

let plot: Plot;
let output: string;

beforeAll(() => {
  const files: Files = {
    "services/ledger/type-only.ts": "export type A = number;\n",
    "infra/embedded/empty.ts": "export const a = 1;\n",
    "web/app/empty.test.ts": "export const a = 1;\n",
    ...Object.fromEntries(Object.values(canaries).map(({ path, code }) => [path, `${code}\n`])),
  };
  plot = plant(files, [...compilerConfiguration]);
  const tsc = join(repository, "node_modules/.bin/tsc");
  const run = spawnSync(tsc, ["-b", "--pretty", "false"], {
    cwd: plot.directory,
    encoding: "utf8",
  });
  output = run.stdout;
});

afterAll(() => plot.remove());

describe("the compiler", () => {
  it.each(Object.entries(canaries))("refuses %s", (_what, { path, error }) => {
    const lines = output.split("\n").filter((line) => line.startsWith(`${path}(`));
    expect(lines.join("\n")).toContain(error);
  });
});
