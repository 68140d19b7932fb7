import { simulateYears } from "@pro-talent/ledger/domains/privacy/testing/years/simulate-years";

import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { seededRandom } from "./record-load.ts";

const years = 10;
const officersSay = "three officers, one after the other away for 14 days";

const quantile = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0).toFixed(1);

/**
 * Lets ten years of privacy requests pass in memory, with the rules, timers and rows of the product: office
 * hours, holidays and absences of officers, changes of the clock, leap days, holds, extensions,
 * cancellations, stores that are away and mails that are refused.
 */
export async function privacyYearsDrill({
  seed,
  report,
  requests,
}: Pick<DrillOptions, "seed" | "report"> & { requests: number }): Promise<Finding[]> {
  const lived = simulateYears({ requests, years, random: seededRandom(seed) });
  const { daysToDecision: days, broken, missed } = lived;
  report(`${lived.requests} requests, ${lived.events} events, ${lived.warnings} warnings`);
  for (const one of broken.slice(0, 10)) report(one);
  const fewer = Math.max(2000, Math.round(requests / 10));
  const blind = { requests: fewer, years, random: seededRandom(seed), warned: false };
  const unwarned = simulateYears(blind);
  return [
    {
      statement: `every decision and its notice are in time, with ${officersSay}`,
      holds: missed === 0 && days.length > 0,
      figures:
        `${missed} of ${days.length} missed; days to the notice: p50 ${quantile(days, 0.5)}, ` +
        `p99 ${quantile(days, 0.99)}, p100 ${quantile(days, 1)}`,
    },
    {
      statement:
        "nothing is erased early or under a hold, due dates equal an independent table, and every request ends",
      holds: broken.length === 0 && lived.erased > 0,
      figures: `${lived.erased} erased, ${broken.length} broken`,
    },
    {
      statement: "without the warnings of officers due dates would be missed",
      holds: unwarned.missed > 0 && unwarned.broken.length === 0,
      figures: `${unwarned.missed} of ${unwarned.daysToDecision.length} missed`,
    },
  ];
}
