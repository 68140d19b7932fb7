import { globSync } from "node:fs";

import { cruise, type ICruiseResult } from "dependency-cruiser";

import { boundaryRules } from "./rules.ts";

export type Crossing = { rule: string; from: string; to: string };
export type Survey = { modules: number; sources: number; crossings: Crossing[] };

const ROOMS = ["schemas", "services", "web", "infra"];
const LEFT_OUT = String.raw`(^|/)(\.types|dist|build|node_modules)/`;

/**
 * Looks at every import below `directory` and says which ones cross a boundary.
 *
 * `sources` is the number of TypeScript files counted by ourselves: dependency-cruiser finds no
 * module and reports no violation when its TypeScript compiler is missing, and that must not pass.
 */
export async function cruiseBoundaries(directory: string): Promise<Survey> {
  const leftOut = new RegExp(LEFT_OUT, "u");
  const sources = globSync(`{${ROOMS.join(",")}}/**/*.{ts,tsx}`, { cwd: directory }).filter(
    (file) => !leftOut.test(file) && !file.endsWith(".d.ts"),
  );
  const { output } = await cruise(sources, {
    baseDir: directory,
    ruleSet: { forbidden: boundaryRules },
    validate: true,
    doNotFollow: { path: ["(^|/)node_modules/"] },
    exclude: { path: String.raw`(^|/)(\.types|dist)/` },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json", ".d.ts"],
    },
  });
  if (typeof output === "string") throw new Error(`dependency-cruiser answered: ${output}`);
  const result: ICruiseResult = output;
  return {
    modules: result.modules.filter((module) => sources.includes(module.source)).length,
    sources: sources.length,
    crossings: result.summary.violations.map((violation) => ({
      rule: violation.rule.name,
      from: violation.from,
      to: violation.to,
    })),
  };
}
