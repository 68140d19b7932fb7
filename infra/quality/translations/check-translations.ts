import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { readCatalogue } from "./catalogue.ts";
import { compareCatalogues } from "./compare.ts";
import { compareUsage, readUsage } from "./used-keys.ts";

const web = fileURLToPath(new URL("../../../web", import.meta.url));
const en = readCatalogue(join(web, "i18n/en"));
const he = readCatalogue(join(web, "i18n/he"));
const keys = new Set(en.entries.map((entry) => entry.key));
const problems = [...compareCatalogues(en, he), ...compareUsage(keys, readUsage(web))];
for (const problem of problems) console.log(problem);
console.log(`${keys.size} keys in two languages, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
