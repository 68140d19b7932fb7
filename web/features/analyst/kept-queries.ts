import { queriesPrefix as prefix } from "./forget-queries.ts";
import { chartKinds, type ResultChart, tableChart } from "./result/chart-of.ts";
import type { Origin } from "./work/work-queries.ts";

/** A query in a tab of the console. */
export type KeptQuery = {
  readonly id: string;
  readonly text: string;
  /** Values of its parameters, by their names. */
  readonly parameters: Readonly<Record<string, string>>;
  /** How its result is drawn, where that has been chosen. */
  readonly chart: ResultChart;
  /** What it is saved as, and the version from which it began. */
  readonly origin?: Origin | undefined;
};
export type KeptQueries = { readonly queries: readonly KeptQuery[]; readonly shown: string };

export const keptMax = 10;
const textCharsMax = 20_000;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

export const newQuery = (given: Partial<KeptQuery> = {}): KeptQuery => ({
  text: "",
  parameters: {},
  chart: tableChart,
  ...given,
  id: crypto.randomUUID(),
});

const isText = (value: unknown): value is string => typeof value === "string";

function chartIn(value: unknown): ResultChart {
  const { kind, x, y } = isRecord(value) ? value : {};
  const known = chartKinds.find((one) => one === kind);
  if (known === undefined || !Array.isArray(y)) return tableChart;
  return { kind: known, x: isText(x) ? x : null, y: y.filter(isText) };
}

function originIn(value: unknown): Origin | undefined {
  const { workId, version } = isRecord(value) ? value : {};
  return isText(workId) && typeof version === "number" ? { workId, version } : undefined;
}

function queryIn(value: unknown): readonly KeptQuery[] {
  if (!isRecord(value) || !isText(value["text"])) return [];
  const given = isRecord(value["parameters"]) ? Object.entries(value["parameters"]) : [];
  const parameters: Record<string, string> = {};
  for (const [name, one] of given) if (isText(one)) parameters[name] = one;
  const text = value["text"].slice(0, textCharsMax);
  const [chart, origin] = [chartIn(value["chart"]), originIn(value["origin"])];
  return [newQuery({ text, parameters, chart, origin })];
}

/** The queries that this browser keeps for the account; one without a text where there are none. */
export function readQueries(accountId: string): KeptQueries {
  let kept: unknown;
  try {
    kept = JSON.parse(localStorage.getItem(prefix + accountId) ?? "{}");
  } catch {
    // Storage is blocked, or another value is stored.
  }
  const { queries, shown } = isRecord(kept) ? kept : {};
  const found = (Array.isArray(queries) ? queries.slice(0, keptMax) : []).flatMap(queryIn);
  const [first = newQuery()] = found;
  const chosen = found[Number(shown)] ?? first;
  return { queries: found.length === 0 ? [first] : found, shown: chosen.id };
}

export function keepQueries(accountId: string, { queries, shown }: KeptQueries): void {
  const kept = queries.map((query) => ({ ...query, id: undefined }));
  const at = queries.findIndex(({ id }) => id === shown);
  try {
    localStorage.setItem(prefix + accountId, JSON.stringify({ queries: kept, shown: at }));
  } catch {
    // Storage is blocked or full: the queries are in this page only.
  }
}

/** The queries with one more, which is shown; the oldest gives way where there are as many as are kept. */
export function withQuery({ queries }: KeptQueries, added: KeptQuery): KeptQueries {
  const blank = queries.filter(({ text }) => text.trim() !== "");
  return { queries: [...blank.slice(-(keptMax - 1)), added], shown: added.id };
}

/** What a tab is called: the view that the query reads first. */
export const nameOf = ({ text }: KeptQuery): string | undefined =>
  /\bfrom\s+(\w+)/iu.exec(text)?.[1];
