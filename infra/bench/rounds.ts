import { median } from "./figures.ts";
import { load, type LoadResult, type NextRequest, warmUpSeconds } from "./load.ts";
import { processCpuSeconds } from "./machine.ts";

/** What is loaded, and whose processor time is measured. */
export type Target = { name: string; url: string; pid: number };

export type Round = LoadResult & { name: string; cpuMsPerEvent: number };

const connections = 50;
/** Odd, so that a median is one of them. */
const roundCount = 5;

/**
 * Loads several targets one after another in rounds, after a warm-up of each, in alternating order:
 * a shared machine changes its speed, so that only neighbours can be compared. Prints each round.
 * @returns the rounds in the order in which they were run, the warm-ups apart
 */
export async function interleavedRounds(
  targets: readonly Target[],
  next: NextRequest,
  seconds: number,
): Promise<{ rounds: Round[]; warmUps: Round[] }> {
  console.log(`  ${connections} connections, interleaved rounds of ${seconds} s`);
  const warmUps: Round[] = [];
  for (const target of targets) warmUps.push(await measure(target, next, warmUpSeconds));
  const rounds: Round[] = [];
  for (let n = 0; n < roundCount; n++) {
    for (const target of n % 2 === 0 ? targets : targets.toReversed()) {
      const round = await measure(target, next, seconds);
      rounds.push(round);
      const { name, perSecond, p50Ms, p99Ms, cpuMsPerEvent } = round;
      console.log(
        `  ${name.padEnd(10)} ${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50Ms} ms  p99 ${p99Ms} ms  ${cpuMsPerEvent.toFixed(3)} CPU ms/event`,
      );
    }
  }
  return { rounds, warmUps };
}

async function measure(target: Target, next: NextRequest, seconds: number): Promise<Round> {
  const { name, url, pid } = target;
  const before = await processCpuSeconds(pid);
  const result = await load({ url, connections, seconds, next });
  const used = (await processCpuSeconds(pid)) - before;
  return { name, ...result, cpuMsPerEvent: (used * 1000) / result.accepted };
}

/** Throughput of one target divided by that of another in the same round, over the rounds. */
export function throughputRatio(rounds: readonly Round[], name: string, beside: string): string {
  const perSecond = (of: string): number[] =>
    rounds.filter((round) => round.name === of).map((round) => round.perSecond);
  const others = perSecond(beside);
  const ratios = perSecond(name).map((value, n) => value / (others[n] ?? Number.NaN));
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  return `median ${median(ratios).toFixed(2)}, mean ${mean.toFixed(2)}, worst round ${Math.min(...ratios).toFixed(2)}`;
}
