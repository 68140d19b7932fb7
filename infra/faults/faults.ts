import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import type { Finding } from "./compare-stored.ts";
import { issueDrill } from "./issue-drill.ts";
import { killDrill } from "./kill-drill.ts";
import { outageDrill } from "./outage-drill.ts";
import { scanDrill } from "./scan-drill.ts";

/**
 * `npm run faults`: the drills against a stack of its own on loopback, one after another.
 *
 *     npm run faults                        all of them
 *     npm run faults -- kills --kills 50    one of them: kills, outage, scan or issue
 */
const drills = ["kills", "outage", "scan", "issue"] as const;
type Drill = (typeof drills)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: "string", default: "200" },
    seconds: { type: "string", default: "60" },
    events: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const unknown = positionals.filter((name) => !drills.some((drill) => drill === name));
if (unknown.length > 0) throw new Error(`There is no drill called ${unknown.join(", ")}`);
const chosen = drills.filter((drill) => positionals.length === 0 || positionals.includes(drill));
const seed = Number(values.seed);

function run(drill: Drill, directory: string, say: (line: string) => void): Promise<Finding[]> {
  switch (drill) {
    case "kills":
      return killDrill({ directory, kills: Number(values.kills), seed, say });
    case "outage":
      return outageDrill({ directory, seconds: Number(values.seconds), seed, say });
    case "scan":
      return scanDrill({ directory, events: Number(values.events), say });
    case "issue":
      return issueDrill({ directory, readers: 5000, kills: 20, seed, say });
  }
}

console.log(`seed ${seed}`);
let failed = 0;
for (const drill of chosen) {
  const root = await mkdtemp(join(tmpdir(), "pro-talent-drill-"));
  // Postgres may run as another user, who must be able to enter.
  await chmod(root, 0o711);
  const directory = join(root, drill);
  await mkdir(directory, { mode: 0o711 });
  console.log(`\n${drill}`);
  const from = performance.now();
  const findings = await run(drill, directory, (line) => console.log(`  ${line}`));
  for (const { statement, holds, figures } of findings) {
    console.log(`  ${holds ? "holds" : "FAILS"}  ${statement}: ${figures}`);
    if (!holds) failed += 1;
  }
  console.log(`  ${Math.round((performance.now() - from) / 1000)} s`);
  await rm(root, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
