import { parseArgs } from "node:util";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { erasureDrill } from "./erasure-drill.ts";
import { issueDrill } from "./issue-drill.ts";
import { killDrill, outageDrill } from "./record-drills.ts";
import { scanDrill } from "./scan-drill.ts";

/**
 * `npm run faults`: the drills against a stack of its own on loopback, one after another.
 *
 *     npm run faults                        all of them
 *     npm run faults -- kills --kills 50    one of them: kills, outage, scan, issue or erasure
 *     npm run faults -- issue --subscribers 500
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: "string", default: "200" },
    seconds: { type: "string", default: "60" },
    events: { type: "string", default: "1000000" },
    subscribers: { type: "string", default: "5000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const kills = Number(values.kills);
const subscribers = Number(values.subscribers);
const drills: Record<string, (options: DrillOptions) => Promise<Finding[]>> = {
  kills: (options) => killDrill({ ...options, kills }),
  outage: (options) => outageDrill({ ...options, seconds: Number(values.seconds) }),
  scan: (options) => scanDrill({ ...options, events: Number(values.events) }),
  erasure: erasureDrill,
  // Up to 250 mails go out between two kills; each kill must find some that wait.
  issue: (options) =>
    issueDrill({ ...options, subscribers, kills: Math.min(kills, Math.ceil(subscribers / 250)) }),
};
const unknown = positionals.filter((name) => !Object.hasOwn(drills, name));
if (unknown.length > 0) throw new Error(`There is no drill called ${unknown.join(", ")}`);
const seed = Number(values.seed);

console.log(`seed ${seed}`);
let failed = 0;
for (const [name, drill] of Object.entries(drills)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const directory = await temporaryDirectory();
  console.log(`\n${name}`);
  const from = performance.now();
  const report = (line: string): void => console.log(`  ${line}`);
  const findings = await drill({ directory: directory.path, seed, report });
  for (const { statement, holds, figures } of findings) {
    console.log(`  ${holds ? "holds" : "FAILS"}  ${statement}: ${figures}`);
    if (!holds) failed += 1;
  }
  console.log(`  ${Math.round((performance.now() - from) / 1000)} s`);
  await directory.remove();
}
process.exitCode = failed === 0 ? 0 : 1;
