import { readFileSync } from "node:fs";
import { join } from "node:path";

import stylelint from "stylelint";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { repository } from "./plant.ts";
import { allowedStyles, physicalStyles, styleCanaries } from "./styles.ts";

const configFile = join(repository, ".stylelintrc.json");

/** The names of the rules that a style sheet breaks. */
async function broken(code: string): Promise<string[]> {
  const codeFilename = join(repository, "web/styles/canary.css");
  const { results } = await stylelint.lint({ code, codeFilename, configFile });
  return results.flatMap(({ warnings }) => warnings.map(({ rule }) => rule));
}

describe("the style rules", () => {
  it("have a planted violation each", () => {
    const { rules } = z
      .object({ rules: z.record(z.string(), z.unknown()) })
      .parse(JSON.parse(readFileSync(configFile, "utf8")));
    expect(Object.keys(styleCanaries)).toEqual(Object.keys(rules));
  });

  it.each(Object.keys(styleCanaries))("report the planted violation: %s", async (rule) => {
    expect(await broken(styleCanaries[rule] ?? "")).toContain(rule);
  });

  it.each(physicalStyles)("refuse a physical side: %s", async (code) => {
    expect(await broken(code)).not.toEqual([]);
  });

  it("refuse a suppression without its reason", async () => {
    const code = "/* stylelint-disable-next-line selector-max-id */\n#a { color: #000; }";
    expect(await broken(code)).toContain("--report-descriptionless-disables");
  });

  it("leave modern logical CSS alone", async () => {
    expect(await broken(allowedStyles)).toEqual([]);
  });
});
