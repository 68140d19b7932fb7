/** A query in a tab of the console. */
export type KeptQuery = {
  readonly id: string;
  readonly text: string;
  /** Values of its parameters, by their names. */
  readonly parameters: Readonly<Record<string, string>>;
};
export type KeptQueries = { readonly queries: readonly KeptQuery[]; readonly shown: string };

/** Prefix of the keys in local storage: texts of queries, by account. They may be private. */
const prefix = "analyst-queries:";
export const keptMax = 10;
const textCharsMax = 20_000;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

export const newQuery = (text = "", parameters: KeptQuery["parameters"] = {}): KeptQuery => ({
  id: crypto.randomUUID(),
  text,
  parameters,
});

function queryIn(value: unknown): readonly KeptQuery[] {
  if (!isRecord(value) || typeof value["text"] !== "string") return [];
  const given = isRecord(value["parameters"]) ? Object.entries(value["parameters"]) : [];
  const parameters = given.map(([name, one]) => [name, String(one)]);
  return [newQuery(value["text"].slice(0, textCharsMax), Object.fromEntries(parameters))];
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
  const kept = queries.map(({ text, parameters }) => ({ text, parameters }));
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

/** Keeps a query so that the console shows it when it is opened next. */
export function openInConsole(
  accountId: string,
  text: string,
  parameters: KeptQuery["parameters"] = {},
): void {
  keepQueries(accountId, withQuery(readQueries(accountId), newQuery(text, parameters)));
}

/** Forgets the queries of every account, at sign-out. */
export function forgetQueries(): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Storage is blocked: nothing is kept.
  }
}

/** What a tab is called: the view that the query reads first. */
export const nameOf = ({ text }: KeptQuery): string | undefined =>
  /\bfrom\s+(\w+)/iu.exec(text)?.[1];
