/**
 * Nearest rank: the smallest value that is not below the share (0.5 for the median); NaN of no values.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
