import { isNumeric, isTime, type ResultColumn, type ResultValue, textOf } from "./result-rows.ts";

/** In the order in which they are offered. */
export const chartKinds = ["table", "line", "bar", "figure"] as const;

/** How a result is drawn; the names are those of its columns. */
export type ResultChart = {
  readonly kind: (typeof chartKinds)[number];
  /** What is compared, or when it was; null where there is nothing to compare. */
  readonly x: string | null;
  readonly y: readonly string[];
};

export const tableChart: ResultChart = { kind: "table", x: null, y: [] };

/** More rows are not drawn. */
export const pointsMax = 1_000;
/** As many lines differ by more than their colour. */
export const linesMax = 3;

/** The names of the columns that can be the two sides of a chart. */
export function sidesOf(columns: readonly ResultColumn[]) {
  const named = (list: readonly ResultColumn[]) => list.map(({ name }) => name);
  return {
    times: named(columns.filter(({ type }) => isTime(type))),
    words: named(columns.filter(({ type }) => !isNumeric(type))),
    numbers: named(columns.filter(({ type }) => isNumeric(type))),
  };
}

/** A chart as far as the columns allow it: one that names others gives way to the table. */
export function fittingChart(columns: readonly ResultColumn[], chart: ResultChart): ResultChart {
  const { times, words, numbers } = sidesOf(columns);
  const sides = chart.kind === "line" ? times : words;
  const isPossible =
    chart.y.length > 0 &&
    chart.y.every((name) => numbers.includes(name)) &&
    (chart.kind === "figure" || sides.some((name) => name === chart.x));
  return isPossible ? chart : tableChart;
}

/** The chart that suits a result best, from which a reader goes on. */
export function suggestedChart(columns: readonly ResultColumn[], count: number): ResultChart {
  const { times, words, numbers } = sidesOf(columns);
  const [number] = numbers;
  if (number === undefined || count === 0) return tableChart;
  if (count === 1) return { kind: "figure", x: null, y: [number] };
  const [time] = times;
  if (time !== undefined) return { kind: "line", x: time, y: numbers.slice(0, linesMax) };
  const [word] = words;
  return word === undefined ? tableChart : { kind: "bar", x: word, y: [number] };
}

type Rows = readonly (readonly ResultValue[])[];

/** The values of a column, in the order of the rows. */
export function valuesOf(columns: readonly ResultColumn[], rows: Rows, name: string | null) {
  const at = columns.findIndex((column) => column.name === name);
  return at === -1 ? undefined : rows.map((row) => row[at] ?? null);
}

/** A day or a time of ClickHouse in epoch milliseconds; times without a zone are in UTC. */
export function timeOf(value: ResultValue): number {
  const text = textOf(value);
  return Date.parse(text.length > 10 ? `${text.replace(" ", "T")}Z` : text);
}

/** Points of a line chart, the earliest first; rows without a time or a number are left out. */
export function pointsOf(columns: readonly ResultColumn[], rows: Rows, { x, y }: ResultChart) {
  const times = valuesOf(columns, rows, x)?.map(timeOf) ?? [];
  const series = y.slice(0, linesMax).flatMap((name) => {
    const values = valuesOf(columns, rows, name)?.map(Number);
    return values === undefined ? [] : [{ id: name, name, values }];
  });
  const order = times
    .map((_, at) => at)
    .filter((at) => Number.isFinite(times[at]))
    .toSorted((one, other) => (times[one] ?? 0) - (times[other] ?? 0));
  return {
    times: order.map((at) => times[at] ?? 0),
    series: series.map(({ values, ...rest }) => ({
      ...rest,
      values: order.map((at) => values[at] ?? 0),
    })),
  };
}
