/** What one page load showed, as far as there is a goal for it. */
export type Measures = {
  accessibility: number;
  bestPractices: number;
  seo: number;
  performance: number;
  /** Seconds until the largest content is painted. */
  lcpSeconds: number;
  /** Layout shift. */
  cls: number;
  /** Milliseconds during which the page could not answer. */
  tbtMs: number;
};

/** A category is a score out of 100 to reach; the others are limits to stay under. */
const goals: Record<keyof Measures, { name: string; atLeast?: number; atMost?: number }> = {
  accessibility: { name: "a11y", atLeast: 100 },
  bestPractices: { name: "practice", atLeast: 100 },
  seo: { name: "SEO", atLeast: 100 },
  performance: { name: "perf", atLeast: 98 },
  lcpSeconds: { name: "LCP s", atMost: 1.5 },
  cls: { name: "CLS", atMost: 0 },
  tbtMs: { name: "TBT ms", atMost: 50 },
};

/** The measures in the order of the table. */
export const measureNames = [
  "accessibility",
  "bestPractices",
  "seo",
  "performance",
  "lcpSeconds",
  "cls",
  "tbtMs",
] as const satisfies readonly (keyof Measures)[];

/** The middle one; of an even number the larger of the two in the middle. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Each measure by its own median: no load is the typical one in everything. */
export function medianOf(runs: readonly Measures[]): Measures {
  const of = (name: keyof Measures): number => median(runs.map((run) => run[name]));
  return {
    accessibility: of("accessibility"),
    bestPractices: of("bestPractices"),
    seo: of("seo"),
    performance: of("performance"),
    lcpSeconds: of("lcpSeconds"),
    cls: of("cls"),
    tbtMs: of("tbtMs"),
  };
}

/** The goals that are missed, as `perf 97, not 98`. */
export function missedGoals(measures: Measures): string[] {
  return measureNames.flatMap((measure) => {
    const { name, atLeast = -Infinity, atMost = Infinity } = goals[measure];
    const value = measures[measure];
    // Not "less" and "more": what could not be measured has missed its goal.
    if (value >= atLeast && value <= atMost) return [];
    return [`${name} ${shown(measure, value)}, not ${value < atLeast ? atLeast : atMost}`];
  });
}

function shown(measure: keyof Measures, value: number): string {
  if (measure === "lcpSeconds") return value.toFixed(2);
  return measure === "cls" ? value.toFixed(3) : value.toFixed(0);
}

/** The head of the table. */
export function tableHead(): string {
  const names = measureNames.map((measure) => goals[measure].name.padStart(9)).join("");
  return `${"page".padEnd(32)}${names}${"host took".padStart(11)}  loads repeated for it`;
}

/** One line of the table. */
export function tableLine(page: string, measures: Measures): string {
  const values = measureNames.map((measure) => shown(measure, measures[measure]).padStart(9));
  return `${page.padEnd(32)}${values.join("")}`;
}

/** What the host took at most from the loads that count, and from those that were repeated for it. */
export function hostColumns(taken: readonly number[], repeated: readonly number[]): string {
  const most = `${Math.max(0, ...taken).toFixed(1)} %`.padStart(11);
  const shares = repeated.map((share) => share.toFixed(0)).join(", ");
  return most + (repeated.length === 0 ? "" : `  ${repeated.length} (${shares} %)`);
}
