import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { readCatalogue } from "./catalogue.ts";
import { baseOf, compareCatalogues } from "./translation-rules.ts";
import { unusedKeys } from "./unused-keys.ts";

const web = fileURLToPath(new URL("../../../web", import.meta.url));
/** The plan table names the texts of the plans. */
const plans = fileURLToPath(new URL("../../../schemas/subscription", import.meta.url));
const [en, he] = [readCatalogue(join(web, "i18n/en")), readCatalogue(join(web, "i18n/he"))];
// A text for the time after the launch is asked for by the key that it replaces.
const keys = new Set([...en.keys()].map((key) => baseOf(key).replace(/_open$/u, "")));
const unused = unusedKeys(keys, web, plans).map((key) => `no source uses ${key}`);
const problems = [...compareCatalogues(en, he), ...unused];
for (const problem of problems) console.log(problem);
console.log(`${keys.size} keys in two languages, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
