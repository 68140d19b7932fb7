import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { lintCanaries, lintFiles } from "./lint.ts";
import { compilerConfiguration, plant, repository, type Plot } from "./plant.ts";

const Report = z.object({
  diagnostics: z.array(z.object({ code: z.string().optional(), filename: z.string() })),
});
const Rules = z.record(z.string(), z.unknown());
const Configuration = z.object({
  rules: Rules,
  overrides: z.array(z.object({ rules: Rules })),
});

/** On by category rather than by name; a canary each shows that the category is on. */
const BY_CATEGORY = ["no-debugger", "no-unused-vars"];

let plot: Plot;
let found: Set<string>;

/** The configured name of a rule from the reported one: `typescript(no-explicit-any)`. */
function ruleName(code: string): string {
  const [, plugin = "", rule = ""] = /^([^(]+)\(([^)]+)\)$/u.exec(code) ?? [];
  const scope = plugin.replace("react-hooks", "react");
  return scope === "eslint" ? rule : `${scope}/${rule}`;
}

function lint(directory: string): Set<string> {
  const oxlint = join(repository, "node_modules/.bin/oxlint");
  const run = spawnSync(oxlint, ["--format=json"], { cwd: directory, encoding: "utf8" });
  const { diagnostics } = Report.parse(JSON.parse(run.stdout));
  return new Set(diagnostics.map(({ code = "", filename }) => `${ruleName(code)} ${filename}`));
}

/** Every rule that the configuration switches on by name. */
function configuredRules(): string[] {
  const text = readFileSync(join(repository, ".oxlintrc.json"), "utf8");
  const configuration = Configuration.parse(JSON.parse(text));
  const tables = [configuration.rules, ...configuration.overrides.map(({ rules }) => rules)];
  const on = tables.flatMap((rules) => Object.keys(rules).filter((name) => rules[name] !== "off"));
  return [...new Set(on)].toSorted();
}

beforeAll(() => {
  plot = plant(lintFiles, [".oxlintrc.json", ...compilerConfiguration, "infra/quality/lint-rules"]);
  found = lint(plot.directory);
});

afterAll(() => plot.remove());

describe("the lint rules", () => {
  it("have a planted violation each", () => {
    const known = lintCanaries.map(({ rule }) => rule);
    expect(known.filter((rule) => !BY_CATEGORY.includes(rule)).toSorted()).toEqual(
      configuredRules(),
    );
  });

  it.each(lintCanaries)("report the planted violation: $rule", ({ rule, path }) => {
    const here = [...found].filter((finding) => finding.endsWith(` ${path}`));
    expect(here).toContain(`${rule} ${path}`);
  });
});
