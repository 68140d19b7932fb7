import type { FigureName } from "../capacity/measured.ts";

/** What every bench receives. */
export type BenchOptions = {
  /** Its own and empty; removed when all benches have ended. */
  directory: string;
  /** Of one round of load. */
  seconds: number;
  /** Events that queries are run on. */
  rows: number;
  /** Where generated events stay for the next run; in `directory` when left out. */
  data?: string | undefined;
  /** Opens of share links that owners' questions are run on. */
  opens: number;
  /** Prints a figure on which the capacity page rests, and keeps it where `--write` was given. */
  record: (name: FigureName, value: number) => void;
};

/** Nearest rank: the smallest value that is not below the share (0.5: the median); NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** `p50 7.1 ms  p95 9.9 ms` */
export function latencies(times: readonly number[]): string {
  return `p50 ${quantile(times, 0.5).toFixed(1)} ms  p95 ${quantile(times, 0.95).toFixed(1)} ms`;
}

/**
 * The statistic z of the Mann-Whitney U test with its normal approximation; beyond 1.96 in either direction
 * two samples differ at the level of 5 %.
 */
export function rankTest(one: readonly number[], other: readonly number[]): number {
  let u = 0;
  for (const left of one) {
    for (const right of other) u += left > right ? 1 : left === right ? 0.5 : 0;
  }
  const [n, m] = [one.length, other.length];
  return (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}
