import { races, runRaces } from "@pro-talent/ledger/domains/privacy/testing/races";
import { readModels } from "@pro-talent/ledger/modules";
import { openPool } from "@pro-talent/platform/postgres/pool";

import type { Finding } from "./compare-stored.ts";
import type { PrivacyDrillStack } from "./privacy-drill-stack.ts";
import { seededRandom } from "./record-load.ts";

type Raced = Pick<PrivacyDrillStack, "context"> & { readonly report: (line: string) => void };

/** Two commands for one request at the same moment, on connections of their own. */
export async function privacyRaces(
  { context, report }: Raced,
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
    report(`${race}: ${Math.round((performance.now() - from) / 1000)} s ${broken[0] ?? ""}`);
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
