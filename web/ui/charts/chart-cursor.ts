/** `time`: from left to right in every language. `list`: from top to bottom. */
export type CursorLayout = "time" | "list";

const steps: Readonly<Record<CursorLayout, Readonly<Record<string, number>>>> = {
  time: { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 },
  list: { ArrowDown: 1, ArrowUp: -1 },
};

/**
 * The point that a key leads to: an index, `none` for Escape, undefined for keys that have no
 * meaning here. A first arrow of a chart without a cursor leads to its first point.
 */
export function cursorAfter(
  key: string,
  index: number | undefined,
  count: number,
  layout: CursorLayout,
): number | "none" | undefined {
  if (key === "Escape") return index === undefined ? undefined : "none";
  const step = steps[layout][key];
  const target = key === "Home" ? 0 : key === "End" ? count - 1 : step && (index ?? -step) + step;
  if (target === undefined || count === 0) return undefined;
  return Math.min(Math.max(target, 0), count - 1);
}

/** The index of the value nearest to `at`; undefined where there is none. */
export function nearest(values: readonly number[], at: number): number | undefined {
  let best: number | undefined;
  for (const [index, value] of values.entries()) {
    const before = best === undefined ? undefined : values[best];
    if (before === undefined || Math.abs(value - at) < Math.abs(before - at)) best = index;
  }
  return best;
}
