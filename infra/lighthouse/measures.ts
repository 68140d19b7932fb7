import { median } from "../bench/figures.ts";

type Goal = { title: string; digits: number; atLeast?: number; atMost?: number };

/** What is measured on each load, in the order of the table, and its goal. */
const goals = [
  { measure: "accessibility", title: "a11y", digits: 0, atLeast: 100 },
  { measure: "bestPractices", title: "practice", digits: 0, atLeast: 100 },
  { measure: "seo", title: "SEO", digits: 0, atLeast: 100 },
  { measure: "performance", title: "perf", digits: 0, atLeast: 98 },
  // Until the largest content is painted.
  { measure: "lcpSeconds", title: "LCP s", digits: 2, atMost: 1.5 },
  { measure: "cls", title: "CLS", digits: 3, atMost: 0 },
  // During which the page could not answer.
  { measure: "tbtMs", title: "TBT ms", digits: 0, atMost: 50 },
] as const;

/** What one page load showed: scores out of 100, and figures in the unit of their name. */
export type Measures = Record<(typeof goals)[number]["measure"], number>;

/**
 * Each measure by its own median: no load is the typical one in everything.
 * @throws without any load
 */
export function medianOf(loads: readonly Measures[]): Measures {
  const [first] = loads;
  if (first === undefined) throw new Error("There is no load to take a median of");
  const medians = { ...first };
  for (const { measure } of goals) {
    medians[measure] = median(loads.map((load) => load[measure]));
  }
  return medians;
}

/** The goals that are missed, as `perf 97, not 98`. */
export function missedGoals(measures: Measures): string[] {
  return goals.flatMap(({ measure, ...goal }) => missed(goal, measures[measure]));
}

function missed({ title, digits, atLeast = -Infinity, atMost = Infinity }: Goal, value: number) {
  // Not "less" and "more": a measure without a value misses its goal.
  if (value >= atLeast && value <= atMost) return [];
  return [`${title} ${value.toFixed(digits)}, not ${value < atLeast ? atLeast : atMost}`];
}

/** The head of the table. */
export function tableHead(): string {
  return ["page".padEnd(32), ...goals.map(({ title }) => title.padStart(9))].join("");
}

/** One line of the table. */
export function tableLine(page: string, measures: Measures): string {
  const values = goals.map(({ measure, digits }) => measures[measure].toFixed(digits).padStart(9));
  return [page.padEnd(32), ...values].join("");
}
