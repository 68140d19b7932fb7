import { fileURLToPath } from "node:url";

import { cruiseBoundaries } from "./cruise-boundaries.ts";

const survey = await cruiseBoundaries(fileURLToPath(new URL("../../..", import.meta.url)));
for (const { rule, from, to } of survey.crossings) console.log(`${rule}: ${from} → ${to}`);
if (survey.modules < survey.sources) {
  console.log(`only ${survey.modules} of ${survey.sources} source files were read`);
}
console.log(`${survey.modules} modules, ${survey.crossings.length} crossings`);
process.exitCode = survey.crossings.length === 0 && survey.modules === survey.sources ? 0 : 1;
