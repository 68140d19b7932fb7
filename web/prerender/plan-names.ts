import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { plans } from "@pro-talent/schemas/subscription/plans";
import { z } from "zod";

import { webRoot } from "./bundle.ts";

const PlanWords = z.record(z.string(), z.unknown());
const Named = z.object({ name: z.string().min(1) });

/** What the plans are called in a language, by code: the very words of the plan table. */
export async function planNamesIn(language: Locale): Promise<Record<string, string>> {
  const text = await readFile(join(webRoot, `i18n/${language}/plans.json`), "utf8");
  const words = PlanWords.parse(JSON.parse(text));
  return Object.fromEntries(plans.map(({ code }) => [code, Named.parse(words[code]).name]));
}
