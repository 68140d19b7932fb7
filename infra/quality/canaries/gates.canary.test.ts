import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, expect, it } from "vitest";

import boundaries from "../boundaries.config.ts";
import { readGates, runGate } from "../check.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
/** These build the site, run these very tests, or need the databases and plant violations themselves. */
const UNTRIED = ["budget", "canaries", "data-map"];

type Planted = [gate: string, path: string, text: string, report: RegExp];

/** Imports that a boundary forbids, and some that all allow. */
const imports = `
services-are-islands: services/collector/part/a.ts → @pro-talent/ledger/kernel/o
deciders-are-pure: services/ledger/domains/x/decider.ts → node:crypto
the-kernel-knows-no-domain: services/ledger/kernel/b.ts → services/ledger/domains/x/b.ts
the-kernel-knows-no-domain: services/platform/http/b.ts → schemas/newsletter/b.ts
domains-do-not-import-domains: services/ledger/domains/x/c.ts → services/ledger/domains/y/c.ts
parts-do-not-import-parts: web/features/contact/d.ts → web/features/consent/d.ts
web-imports-contracts-only: web/features/consent/e.ts → services/collector/e.ts
pages-compose-features: web/features/pricing/f.ts → web/app/f.ts
the-design-system-knows-no-domain: web/ui/button/g.ts → web/i18n/g.ts
schemas-import-only-zod: schemas/analytics/h.ts → fastify
infra-imports-services-to-try-them: infra/postgres/i.ts → services/site/i.ts
the-embedded-platform-starts-services: infra/embedded/j.ts → services/ledger/kernel/j.ts
the-product-does-not-import-infra: services/platform/k.ts → infra/embedded/k.ts
production-does-not-import-tests: services/ledger/l.ts → services/platform/testing/l.ts
a-process-is-not-a-library: services/ledger/m.ts → services/ledger/worker.ts
no-cycles: services/ledger/egg.ts → services/ledger/hen.ts
allowed: services/ledger/domains/z/routes.ts → services/ledger/kernel/o.ts
allowed: services/ledger/domains/z/rules.decider.ts → services/ledger/kernel/types.ts
allowed: services/ledger/modules.ts → services/ledger/domains/z/module.ts
allowed: infra/embedded/start.ts → services/ledger/service.ts
allowed: web/app/page.ts → web/features/contact/p.ts
`;
const edges = [...imports.matchAll(/^(\S+): (\S+) → (\S+)$/gmu)].map(
  ({ 1: rule = "", 2: from = "", 3: to = "" }) => ({ rule, from, to }),
);

const one = "export const a = 1;\n";
const late = "export const f = (a: Promise<1>) => { a; };\n";
const trying = 'import { a } from "./tried.ts";\nvoid a;\n';
const planted: Planted[] = [
  ["types", "services/ledger/any.ts", "export const f = (a) => a;\n", /any\.ts.*TS7006/u],
  // By a rule that needs types, and by our own.
  ["lint", "schemas/late.ts", late, /no-floating-promises/u],
  ["lint", "web/ui/text.tsx", "export const A = () => <p>Hello</p>;\n", /no-literal-text/u],
  ["format", "schemas/wide.ts", "export const a  = 1\n", /schemas\/wide\.ts/u],
  ["styles", "web/styles/side.css", "a { margin-left: 1px; }\n", /csstools\/use-logical/u],
  ["unused", "schemas/forgotten.ts", one, /forgotten\.ts/u],
  // Used by a test alone.
  ["unused-production", "schemas/tried.ts", one, /schemas\/tried\.ts/u],
  ["unused", "schemas/tried.test.ts", trying, /^(?![^]*tried\.ts)/u],
  ["translations", "web/i18n/en/site.json", '{ "a": "Yes" }\n', /he site:a/u],
  ["translations", "web/i18n/he/site.json", '{ "b": "כן" }\n', /en site:b/u],
  ["text", "services/ledger/utils.ts", one, /ledger\/utils\.ts: "utils\.ts"/u],
  ["boundaries", "services/ledger/hen.ts", 'import "./egg.ts";\n', /no-cycles/u],
  ...edges.map(({ rule, from, to }): Planted => {
    const path = to.endsWith(".ts") ? `./${relative(dirname(from), to)}` : to;
    const report = rule === "allowed" ? `^(?![^]*${from})` : `error ${rule}: ${from} `;
    return ["boundaries", from, `import "${path}";\n`, new RegExp(report, "u")];
  }),
];

let directory: string;

function plant(path: string, text: string): void {
  fs.mkdirSync(dirname(join(directory, path)), { recursive: true });
  fs.writeFileSync(join(directory, path), text);
}

/** A small tree with the configuration of the repository, its packages and what is planted. */
beforeAll(() => {
  directory = fs.mkdtempSync(join(tmpdir(), "canary-"));
  execFileSync("git", ["init", "-q", directory]);
  const configuration = ["*.json", ".*.json", ".gitignore", "infra/docs/glossary.md"];
  const manifests = "{schemas,services,web,infra}/**/{package,tsconfig*}.json";
  const copied = fs.globSync([...configuration, manifests, "infra/quality/**/*.{ts,json}"], {
    cwd: repository,
    exclude: ["**/{node_modules,dist,canaries,testing}/**", "**/*.{test,spec}.ts"],
  });
  for (const path of copied) fs.cpSync(join(repository, path), join(directory, path));
  const packages = join(directory, "node_modules");
  fs.mkdirSync(join(packages, "@pro-talent"), { recursive: true });
  for (const name of fs.readdirSync(join(repository, "node_modules")))
    if (name !== "@pro-talent")
      fs.symlinkSync(join(repository, "node_modules", name), join(packages, name));
  for (const workspace of fs.globSync("{schemas,web,infra,services/*}/", { cwd: directory }))
    fs.symlinkSync(join(directory, workspace), join(packages, "@pro-talent", basename(workspace)));
  for (const { to } of edges) if (to.endsWith(".ts")) plant(to, one);
  for (const [, path, text] of planted) plant(path, text);
});

afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

const gates = readGates().filter(({ name }) => !UNTRIED.includes(name));

it.each(gates)("the gate $name reports what is planted", async (gate) => {
  const { passed, output } = await runGate(gate, directory);
  const reports = planted.filter(([name]) => name === gate.name).map(([, , , report]) => report);
  expect(passed).toBe(false);
  expect(reports).not.toEqual([]);
  for (const report of reports) expect(output).toMatch(report);
});

it("every boundary has a planted crossing", () => {
  const rules = boundaries.forbidden.map(({ name }) => name);
  expect(edges.map(({ rule }) => rule)).toEqual(expect.arrayContaining(rules));
});

it("a gate fails when its command is killed or does not exist", async () => {
  const commands = ["true", "kill -9 $$", "no-such-command-here"];
  const runs = commands.map((command) => runGate({ name: "a", command }, tmpdir()));
  expect((await Promise.all(runs)).map(({ passed }) => passed)).toEqual([true, false, false]);
});
