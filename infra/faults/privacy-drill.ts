import { races, runRaces } from "@pro-talent/ledger/domains/privacy/testing/races";
import { modules, readModels } from "@pro-talent/ledger/modules";
import { definitionsOf } from "@pro-talent/ledger/verifier/definitions";
import { verifyLedger } from "@pro-talent/ledger/verifier/verify";
import { openPool } from "@pro-talent/platform/postgres/pool";

import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { workDeliveredAnyhow } from "./privacy-deliveries.ts";
import { disturbances, type Drill, secondsSince } from "./privacy-disturbances.ts";
import { startPrivacyDrillStack } from "./privacy-drill-stack.ts";
import { wrongRequests } from "./privacy-requests-check.ts";
import { seededRandom } from "./record-load.ts";

type Options = DrillOptions & {
  /** Of each kind. */
  readonly races: number;
  /** Names of parts; all of them when empty. */
  readonly only: readonly string[];
};

const onStack = [...Object.keys(disturbances), "races"];
const partNames = [...onStack, "deliveries"];

/**
 * Privacy requests on real services and engines while workers are killed in the middle of each record of
 * an erasure and of an export, clocks are wrong, the queue and ClickHouse are away; then races, and work that
 * is delivered several times or never.
 * @throws Error for a part that there is not
 */
export async function privacyDrill({ only, ...options }: Options): Promise<Finding[]> {
  const unknown = only.filter((name) => !partNames.includes(name));
  if (unknown.length > 0) throw new Error(`The drill has no part ${unknown.join(", ")}`);
  const chosen = only.length === 0 ? partNames : only;
  const findings = onStack.some((name) => chosen.includes(name))
    ? await disturbStack(chosen, options)
    : [];
  if (!chosen.includes("deliveries")) return findings;
  const from = performance.now();
  const delivered = await workDeliveredAnyhow(options);
  options.report(`deliveries: ${secondsSince(from)} s`);
  return [...findings, delivered];
}

async function disturbStack(
  chosen: readonly string[],
  options: Omit<Options, "only">,
): Promise<Finding[]> {
  const { directory, report } = options;
  const stack = await startPrivacyDrillStack(directory);
  const service = await stack.ledger();
  await service.start();
  const random = seededRandom(options.seed);
  const drill: Drill = { ...stack, service, report, random, deletions: [], copies: [] };
  const passing = stack.time.start();
  const findings: Finding[] = [];
  try {
    for (const [name, disturb] of Object.entries(disturbances)) {
      if (!chosen.includes(name)) continue;
      const from = performance.now();
      findings.push(await disturb(drill));
      report(`${name}: ${secondsSince(from)} s`);
    }
    if (drill.deletions.length > 0) findings.push(...(await requestsEnd(drill)));
    if (chosen.includes("races")) findings.push(...(await racesOf(drill, options)));
    return findings;
  } finally {
    await passing.stop();
    await service.stop();
    await stack.stop();
  }
}

async function requestsEnd({
  owner,
  deletions,
  copies,
  environment,
  time,
}: Drill): Promise<Finding[]> {
  const wrong = await wrongRequests(owner, { deletions, copies, environment });
  const { findingCount, findings } = await verifyLedger(owner, {
    definitions: definitionsOf(modules),
    clock: time.nowMs,
  });
  return [
    {
      statement: "every accepted request ended, and each of its steps is recorded once",
      holds: wrong.length === 0 && deletions.length > 0 && copies.length > 0,
      figures: `${deletions.length} erasures, ${copies.length} exports, ${wrong.length} wrong ${wrong[0] ?? ""}`,
    },
    {
      statement: "the ledger holds",
      holds: findingCount === 0,
      figures: `${findingCount} findings ${findings[0]?.why ?? ""}`.trim(),
    },
  ];
}

async function racesOf(
  { context, report }: Drill,
  { races: count, seed }: { readonly races: number; readonly seed: number },
): Promise<Finding[]> {
  const open = () =>
    openPool(context.databaseUrl("ledger_app"), { max: 12, applicationName: "drill-race" });
  const pools = [open(), open()] as const;
  const [first, second] = pools;
  const rivals = [
    { sql: first, readModels },
    { sql: second, readModels },
  ] as const;
  const findings: Finding[] = [];
  for (const race of races) {
    const from = performance.now();
    const { won, broken } = await runRaces({ rivals, race, count, random: seededRandom(seed) });
    report(`${race}: ${secondsSince(from)} s ${broken[0] ?? ""}`);
    const wins = Object.entries(won).map(([type, times]) => `${times} ${type}`);
    findings.push({
      statement: `of two commands at the same moment exactly one is accepted: ${race}`,
      holds: broken.length === 0,
      figures: `${count} races, ${wins.join(", ")}, ${broken.length} broken`,
    });
  }
  await Promise.all(pools.map((pool) => pool.end()));
  return findings;
}
