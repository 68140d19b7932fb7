import type { Files } from "./plant.ts";

const DECIDER = "services/ledger/consent/decider.ts";
const PAGE = "web/features/consent/page.tsx";
const TEST = "services/ledger/consent/page.test.ts";

const many = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join("\n");

/** Code that breaks one rule, at the path where that rule matters; the key is the rule as configured. */
const broken: Record<string, string | { at: string; code: string }> = {
  complexity: `export function f(n: number): number {\n${many(16, (n) => `if (n === ${n}) return ${n};`)}\nreturn n;\n}`,
  eqeqeq: `export const f = (a: number, b: number) => a == b;`,
  "max-depth": `export function f(a: boolean): number {\nif (a) { while (a) { for (;;) { if (a) { if (a) { return 1; } } } } }\nreturn 2;\n}`,
  "max-lines": many(301, (n) => `export const a${n} = ${n};`),
  "max-lines-per-function": `export function f(): number[] {\nconst a: number[] = [];\n${many(60, (n) => `a.push(${n});`)}\nreturn a;\n}`,
  "max-params": `export const f = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e;`,
  "no-console": `console.log('here');`,
  "no-debugger": `debugger;`,
  "no-eval": `eval('1');`,
  "no-param-reassign": `export function f(a: number): number { a = 2; return a; }`,
  "no-restricted-globals": { at: DECIDER, code: `export const now = () => new Date();` },
  "no-restricted-properties": { at: DECIDER, code: `export const id = () => Math.random();` },
  "no-unused-expressions": `export function f(a: number): void { a + 1; }`,
  "no-unused-vars": `const a = 1;`,
  "no-useless-assignment": `export function f(): number { let a = 1; a = 2; const b = a; a = 3; return b; }`,
  "no-var": `export var a = 1;`,
  "prefer-const": `export function f(): number { let a = 1; return a; }`,
  "preserve-caught-error": `export function f(g: () => void): void { try { g(); } catch (error) { throw new Error('no'); } }`,
  "import/no-cycle": `import type { B } from './no-cycle-b.ts';\nexport type A = { b: B };`,
  "import/no-default-export": `const a = 1;\nexport default a;`,
  "import/no-duplicates": `import { join } from 'node:path';\nimport { sep } from 'node:path';\nexport const a = [join, sep];`,
  "import/no-mutable-exports": `export let a = 1;\na += 1;`,
  "import/no-self-import": `import { a as b } from './no-self-import.ts';\nexport const a = 1;\nexport const c = b;`,
  "node/no-process-env": `export const a = process.env;`,
  "oxc/no-barrel-file": `export * from './no-barrel-file-b.ts';`,
  "promise/no-multiple-resolved": `export const f = (a: boolean) => new Promise((resolve) => { if (a) resolve(1); resolve(2); });`,
  "typescript/await-thenable": `export const f = async () => { await 1; };`,
  "typescript/ban-ts-comment": `// @ts-ignore\nexport const a: string = 1;`,
  "typescript/consistent-type-assertions": `type A = { b: number };\nexport const a = { b: 1 } as A;`,
  "typescript/consistent-type-imports": `import { Readable } from 'node:stream';\nexport const f = (a: Readable) => a.readable;`,
  "typescript/no-array-delete": `export function f(a: number[]): void { delete a[0]; }`,
  "typescript/no-base-to-string": `export const a = String({ b: 1 });`,
  "typescript/no-deprecated": `/** @deprecated use g */\nconst f = () => 1;\nexport const a = f();`,
  "typescript/no-dynamic-delete": `export function f(a: Record<string, number>, b: string): void { delete a[b]; }`,
  "typescript/no-empty-object-type": `export type A = {};`,
  "typescript/no-explicit-any": `export const f = (a: any) => a;`,
  "typescript/no-floating-promises": `const f = async () => 1;\nexport function g(): void { f(); }`,
  "typescript/no-for-in-array": `export function f(a: number[], g: (b: string) => void): void { for (const b in a) g(b); }`,
  "typescript/no-implied-eval": `setTimeout('1', 1);`,
  "typescript/no-invalid-void-type": `export type A = void | string;`,
  "typescript/no-meaningless-void-operator": `void (() => {})();`,
  "typescript/no-misused-promises": `const f = async () => true;\nexport const g = () => { if (f()) return 1; return 2; };`,
  "typescript/no-misused-spread": `const a = new Map([[1, 2]]);\nexport const b = { ...a };`,
  "typescript/no-namespace": `export namespace A { export const b = 1; }`,
  "typescript/no-non-null-assertion": `export const f = (a: string | null) => a!.length;`,
  "typescript/no-redundant-type-constituents": `export type A = unknown | string;`,
  "typescript/no-unnecessary-condition": `export const f = (a: string) => a ?? 'b';`,
  "typescript/no-unnecessary-type-assertion": `export const f = (a: string) => a as string;`,
  "typescript/no-unsafe-argument": `export const f = (g: (b: number) => void) => g(JSON.parse('1'));`,
  "typescript/no-unsafe-assignment": `const a = JSON.parse('1');\nexport const f = () => typeof a;`,
  "typescript/no-unsafe-call": `export const f = () => { JSON.parse('1')(); };`,
  "typescript/no-unsafe-function-type": `export const f = (a: Function) => a.name;`,
  "typescript/no-unsafe-member-access": `export const f = () => typeof JSON.parse('1').b;`,
  "typescript/no-unsafe-return": `export const f = () => JSON.parse('1');`,
  "typescript/no-unsafe-type-assertion": `export const f = (a: unknown) => a as string;`,
  "typescript/only-throw-error": `export const f = () => { throw 'no'; };`,
  "typescript/prefer-optional-chain": `export const f = (a: { b: string } | null) => a && a.b;`,
  "typescript/prefer-promise-reject-errors": `export const f = () => Promise.reject('no');`,
  "typescript/restrict-plus-operands": `export const f = (a: number, b: string) => a + b;`,
  "typescript/restrict-template-expressions": `export const f = (a: { b: number }) => \`\${a}\`;`,
  "typescript/return-await": `const g = async () => 1;\nexport async function f(): Promise<number> { try { return g(); } catch { return 2; } }`,
  "typescript/switch-exhaustiveness-check": `export function f(a: 'b' | 'c'): number { switch (a) { case 'b': return 1; }\nreturn 2; }`,
  "typescript/unbound-method": `class A { b(): this { return this; } }\nexport const { b } = new A();`,
  "typescript/use-unknown-in-catch-callback-variable": `export const f = (a: Promise<number>) => a.catch((error) => error);`,
  "unicorn/error-message": `export const f = () => { throw new Error(); };`,
  "unicorn/filename-case": {
    at: "services/ledger/consent/CamelCase.ts",
    code: `export const a = 1;`,
  },
  "unicorn/no-abusive-eslint-disable": `/* eslint-disable */\nexport const a = 1;`,
  "unicorn/no-array-sort": `export const f = (a: number[]) => a.sort();`,
  "unicorn/prefer-node-protocol": `import { join } from 'path';\nexport const a = join;`,
  "unicorn/throw-new-error": `export const f = () => { throw Error('no'); };`,
  "vitest/expect-expect": {
    at: TEST,
    code: `import { it } from 'vitest';\nit('does nothing', () => {});`,
  },
  "vitest/no-conditional-tests": {
    at: TEST,
    code: `import { describe, it, expect } from 'vitest';\ndescribe('a', () => { if (Number('1') > 0) { it('b', () => { expect(1).toBe(1); }); } });`,
  },
  "vitest/no-disabled-tests": {
    at: TEST,
    code: `import { it, expect } from 'vitest';\nit.skip('a', () => { expect(1).toBe(1); });`,
  },
  "vitest/no-focused-tests": {
    at: TEST,
    code: `import { it, expect } from 'vitest';\nit.only('a', () => { expect(1).toBe(1); });`,
  },
  "vitest/no-identical-title": {
    at: TEST,
    code: `import { it, expect } from 'vitest';\nit('a', () => { expect(1).toBe(1); });\nit('a', () => { expect(1).toBe(1); });`,
  },
  "vitest/valid-expect": {
    at: TEST,
    code: `import { it, expect } from 'vitest';\nit('a', () => { expect(1); });`,
  },
  "house/decider-is-synchronous": { at: DECIDER, code: `export const decide = async () => [];` },
  "house/disable-needs-reason": `// oxlint-disable-next-line no-console\nconsole.log('here');`,
  "house/no-literal-text": { at: PAGE, code: `export const Page = () => <p>Hello</p>;` },
  "react/button-has-type": { at: PAGE, code: `export const Page = () => <button />;` },
  "react/exhaustive-deps": {
    at: PAGE,
    code: `import { useEffect } from 'react';\nexport function Page({ a, f }: { a: number; f: (a: number) => void }) { useEffect(() => { f(a); }, []); return null; }`,
  },
  "react/hook-use-state": {
    at: PAGE,
    code: `import { useState } from 'react';\nexport function Page() { const [a, change] = useState(0); return <p onClick={() => change(1)}>{a}</p>; }`,
  },
  "react/jsx-no-target-blank": {
    at: PAGE,
    code: `export const Page = () => <a target="_blank" href="https://example.org">{1}</a>;`,
  },
  "react/no-array-index-key": {
    at: PAGE,
    code: `export const Page = ({ a }: { a: string[] }) => <>{a.map((b, n) => <p key={n}>{b}</p>)}</>;`,
  },
  "react/no-danger": {
    at: PAGE,
    code: `export const Page = () => <p dangerouslySetInnerHTML={{ __html: '1' }} />;`,
  },
  "react/no-unstable-nested-components": {
    at: PAGE,
    code: `export function Page() { const Inner = () => <p>{1}</p>; return <Inner />; }`,
  },
  "react/rules-of-hooks": {
    at: PAGE,
    code: `import { useId } from 'react';\nexport function Page({ a }: { a: boolean }) { if (a) return null; const b = useId(); return <p id={b} />; }`,
  },
};

const companions: Files = {
  "services/ledger/canaries/no-cycle-b.ts": `import type { A } from './no-cycle.ts';\nexport type B = { a: A };\n`,
  "services/ledger/canaries/no-barrel-file-b.ts": `export const a = 1;\n`,
};

export type LintCanary = { rule: string; path: string; code: string };

/** One file per rule, each in a folder of its own where the path matters. */
export const lintCanaries: LintCanary[] = Object.entries(broken).map(([rule, canary]) => {
  const word = rule.replace(/^.*\//u, "");
  if (typeof canary === "string") {
    return { rule, path: `services/ledger/canaries/${word}.ts`, code: canary };
  }
  const path = canary.at.replace(/[^/]+$/u, (file) => `${word}/${file}`);
  return { rule, path, code: canary.code };
});

/** All files to plant. */
export const lintFiles: Files = {
  ...companions,
  ...Object.fromEntries(lintCanaries.map(({ path, code }) => [path, `${code}\n`])),
};
