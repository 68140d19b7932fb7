/** `time`: from left to right in every language. `list`: from top to bottom. */
export type CursorLayout = "time" | "list";

type Move = (index: number, last: number) => number;
const moves: Readonly<Record<string, Move>> = {
  next: (index, last) => Math.min(index + 1, last),
  previous: (index) => Math.max(index - 1, 0),
  first: () => 0,
  last: (_, last) => last,
};

const keys: Readonly<Record<CursorLayout, Readonly<Record<string, string>>>> = {
  time: { ArrowRight: "next", ArrowUp: "next", ArrowLeft: "previous", ArrowDown: "previous" },
  list: { ArrowDown: "next", ArrowUp: "previous" },
};
const ends: Readonly<Record<string, string>> = { Home: "first", End: "last" };

/**
 * The point that a key leads to: an index, `none` for Escape, undefined for keys that have no
 * meaning here. A first key of a chart without a cursor leads to its first point, End to its last.
 */
export function cursorAfter(
  key: string,
  index: number | undefined,
  count: number,
  layout: CursorLayout,
): number | "none" | undefined {
  if (key === "Escape") return index === undefined ? undefined : "none";
  const move = moves[keys[layout][key] ?? ends[key] ?? ""];
  if (move === undefined || count === 0) return undefined;
  if (index === undefined) return key === "End" ? count - 1 : 0;
  return move(index, count - 1);
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
