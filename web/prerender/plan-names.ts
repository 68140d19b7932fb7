import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { plans } from "@pro-talent/schemas/subscription/plans";
import { z } from "zod";

import { webRoot } from "./bundle.ts";

const PlanTexts = z.record(z.string(), z.unknown());
const Named = z.object({ name: z.string().min(1) });

/** The plan names of the plan table in a language, by code. */
export async function planNamesIn(language: Locale): Promise<Record<string, string>> {
  const text = await readFile(join(webRoot, `i18n/${language}/plans.json`), "utf8");
  const texts = PlanTexts.parse(JSON.parse(text));
  return Object.fromEntries(plans.map(({ code }) => [code, Named.parse(texts[code]).name]));
}
