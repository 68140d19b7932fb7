import { parseArgs } from "node:util";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { alertsDrill } from "./alerts-drill.ts";
import { backupDrill } from "./backup-drill.ts";
import { billingDrill } from "./billing-drill.ts";
import { canaryDrill } from "./canary/canary-drill.ts";
import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { dutiesDrill } from "./duties-drill.ts";
import { erasureDrill } from "./erasure-drill.ts";
import { instancesDrill } from "./instances-drill.ts";
import { issueDrill } from "./issue-drill.ts";
import { opensDrill } from "./opens-drill.ts";
import { paymentsDrill } from "./payments-drill.ts";
import { privacyDrill } from "./privacy-drill.ts";
import { privacyModelDrill } from "./privacy-model-drill.ts";
import { privacyTracesDrill } from "./privacy-traces-drill.ts";
import { privacyYearsDrill } from "./privacy-years-drill.ts";
import { hasPrometheus } from "./prometheus-server.ts";
import { killDrill, outageDrill } from "./record-drills.ts";
import { hasRedis } from "./redis-server.ts";
import { replicaDrill } from "./replica-drill.ts";
import { scanDrill } from "./scan-drill.ts";
import { startsDrill } from "./starts-drill.ts";
import { studioDrill } from "./studio-drill.ts";
import { termsDrill } from "./terms-drill.ts";

/**
 * `npm run faults`: the drills against a stack of its own on loopback, one after another.
 *
 *     npm run faults                        all of them
 *     npm run faults -- kills --kills 50    one of them: kills, outage, scan, erasure, canary, issue, redis,
 *                                           duties, payments, billing, privacy, privacy-model,
 *                                           privacy-traces, privacy-years, starts, terms, opens, backup,
 *                                           studio, instances, replica, alerts
 *     npm run faults -- scan --events 100000 --opens 1000000
 *     npm run faults -- issue --subscribers 500
 *     npm run faults -- duties --lives 500
 *     npm run faults -- terms --recipients 2000
 *     npm run faults -- privacy --races 1000 --only borders,clocks,queue,clickhouse,races,deliveries
 *     npm run faults -- privacy-years --requests 10000
 *     npm run faults -- billing --sequences 1000 --seed 1
 *     npm run faults -- studio --runs 100
 *     npm run faults -- instances --rate 0.2 --kills 20
 *     npm run faults -- replica --rounds 20
 *
 * `redis` is the drill of issues with the queue in Redis, and needs redis-server. `alerts` needs Prometheus.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: "string", default: "200" },
    seconds: { type: "string", default: "60" },
    events: { type: "string", default: "1000000" },
    opens: { type: "string", default: "1000000" },
    subscribers: { type: "string", default: "5000" },
    holders: { type: "string", default: "40" },
    days: { type: "string", default: "70" },
    lives: { type: "string", default: "3000" },
    states: { type: "string", default: "1500000" },
    races: { type: "string", default: "10000" },
    only: { type: "string", default: "" },
    recipients: { type: "string", default: "100000" },
    requests: { type: "string", default: "100000" },
    sequences: { type: "string", default: "100000" },
    rounds: { type: "string", default: "20" },
    rate: { type: "string", default: "1" },
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const names = (list: string): string[] => list.split(",").filter((name) => name !== "");
const kills = Number(values.kills);
const subscribers = Number(values.subscribers);
// Up to 250 mails go out between two kills; each kill must find some that wait.
const issueSize = { subscribers, kills: Math.min(kills, Math.ceil(subscribers / 250)) };
const drills: Record<string, (options: DrillOptions) => Promise<Finding[]>> = {
  kills: (options) => killDrill({ ...options, kills }),
  outage: (options) => outageDrill({ ...options, seconds: Number(values.seconds) }),
  scan: (options) =>
    scanDrill({ ...options, events: Number(values.events), opens: Number(values.opens) }),
  erasure: erasureDrill,
  canary: canaryDrill,
  issue: (options) => issueDrill({ ...options, ...issueSize, queue: "postgres" }),
  redis: (options) => issueDrill({ ...options, ...issueSize, queue: "redis" }),
  duties: (options) =>
    dutiesDrill({ ...options, lives: Number(values.lives), kills: Math.min(kills, 15) }),
  payments: (options) =>
    paymentsDrill({
      ...options,
      holders: Number(values.holders),
      days: Number(values.days),
      kills: Math.min(kills, 15),
    }),
  billing: (options) => billingDrill({ ...options, sequences: Number(values.sequences) }),
  privacy: (options) =>
    privacyDrill({ ...options, races: Number(values.races), only: names(values.only) }),
  "privacy-model": (options) => privacyModelDrill({ ...options, states: Number(values.states) }),
  "privacy-traces": (options) => privacyTracesDrill({ ...options, states: 3000 }),
  "privacy-years": (options) =>
    privacyYearsDrill({ ...options, requests: Number(values.requests) }),
  starts: (options) => startsDrill({ ...options, kills: Math.min(kills, 30) }),
  terms: (options) => termsDrill({ ...options, recipients: Number(values.recipients) }),
  opens: (options) => opensDrill({ ...options, kills: Math.min(kills, 60) }),
  studio: (options) => studioDrill({ ...options, runs: Number(values.runs) }),
  instances: (options) =>
    instancesDrill({ ...options, rate: Number(values.rate), kills: Math.min(kills, 20) }),
  replica: (options) => replicaDrill({ ...options, rounds: Number(values.rounds) }),
  backup: (options) => backupDrill({ ...options, kills: Math.min(kills, 40) }),
  alerts: alertsDrill,
};
/** Programs that a machine may lack, and how they are installed. */
const needed: Record<string, { has: () => Promise<boolean>; program: string }> = {
  redis: { has: hasRedis, program: "redis-server" },
  alerts: { has: hasPrometheus, program: "prometheus" },
};
const unknown = positionals.filter((name) => !Object.hasOwn(drills, name));
if (unknown.length > 0) throw new Error(`There is no drill called ${unknown.join(", ")}`);
const seed = Number(values.seed);

console.log(`seed ${seed}`);
let failed = 0;
for (const [name, drill] of Object.entries(drills)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const { has, program } = needed[name] ?? {};
  if (has !== undefined && !(await has())) {
    console.log(`\n${name}\n  NOT RUN: ${program} is missing (apt-get install ${program})`);
    // Who asks for this drill wants its result.
    if (positionals.includes(name)) failed += 1;
    continue;
  }
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
