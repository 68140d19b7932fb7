import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { routes } from "../app/routes.ts";
import { languages } from "../i18n/languages.ts";
import {
  Budget,
  modulesOfFirstVisit,
  modulesOfSignedInPage,
  overruns,
  rowsOf,
  signedInPages,
  type Weights,
} from "./budget.ts";
import { signedInManifest } from "./bundle.ts";
import { Manifest } from "./manifest.ts";

/**
 * Measures the JavaScript of a first visit to every page in `dist`, and fails when a page grew.
 * `--record` writes the sizes to budget.json.
 */
const zip = promisify(gzip);
const dist = join(import.meta.dirname, "../dist");
const budgetFile = join(import.meta.dirname, "budget.json");

const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, "utf8"));

const known = new Map<string, number>();
async function gzipped(module: string): Promise<number> {
  const before = known.get(module);
  if (before !== undefined) return before;
  const { length } = await zip(await readFile(join(dist, module)), { level: 9 });
  known.set(module, length);
  return length;
}

async function weightOf(modules: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const module of modules) bytes += await gzipped(module);
  return bytes;
}

type ModulesOf = (language: Locale) => readonly string[];

async function weigh(pages: ReadonlyMap<string, ModulesOf>): Promise<Weights> {
  const weights: Weights = {};
  for (const [path, modulesOf] of pages) {
    const perLanguage: Record<string, number> = {};
    for (const language of languages) perLanguage[language] = await weightOf(modulesOf(language));
    weights[path] = perLanguage;
  }
  return weights;
}

async function readPages(): Promise<Map<string, ModulesOf>> {
  const manifest = Manifest.parse(await read(join(dist, "manifest.json")));
  const signedIn = Manifest.parse(await read(join(dist, signedInManifest)));
  const pages = new Map<string, ModulesOf>();
  for (const route of routes) {
    pages.set(route.path, (language) => modulesOfFirstVisit(manifest, route, language));
  }
  for (const [path, source] of Object.entries(signedInPages)) {
    pages.set(path, (language) => modulesOfSignedInPage(signedIn, source, language));
  }
  return pages;
}

function table(budget: Budget, weights: Weights): string {
  const lines = rowsOf(weights).map(({ path, language, bytes }) => {
    const recorded = budget.recorded[path]?.[language];
    const change =
      recorded === undefined ? "new" : `${bytes < recorded ? "" : "+"}${bytes - recorded}`;
    return `${path.padEnd(28)} ${language}  ${String(bytes).padStart(7)}  ${change.padStart(7)}`;
  });
  return lines.join("\n");
}

const measured = await weigh(await readPages());
const budget = Budget.parse(await read(budgetFile));
process.stdout.write(`${table(budget, measured)}\n`);

if (process.argv.includes("--record")) {
  const next = { ...budget, recorded: measured } satisfies Budget;
  await writeFile(budgetFile, `${JSON.stringify(next, null, 2)}\n`);
} else {
  const problems = overruns(budget, measured);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    `${rowsOf(measured).length} first visits in gzipped bytes, ceiling ${budget.ceiling}, signed in ${budget.signedInCeiling}, ${problems.length} problems\n`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
