import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { analystViews } from "@pro-talent/schemas/analysts/views";
import { workProblems } from "@pro-talent/schemas/analysts/work-calls";

import { type Admitted, depthOf, tokensOf } from "../gate.ts";
import { isScalarFunction } from "../policy.ts";

/**
 * What a column of a result is: `visitors` counts different visitors of a group, `count` counts visits or events, `mean`
 * is the mean of a measurement, `key` names the group.
 */
export type WithheldColumn = "visitors" | "count" | "mean" | "key";

/** By view; only there are visitors known one by one. */
const countedViews: readonly string[] = ["sessions", "events"];
/** Measurements of which no group can be told from the mean: neither yes or no, nor counts of what few do. */
const measurements: readonly string[] = [
  "duration_seconds",
  "engaged_seconds",
  "scroll_depth",
  "page_views",
];

/** Words that would make groups overlap, leave some out, or read anything else than the rows of the view. */
const closedWords = new Set(
  `WITH UNION INTERSECT EXCEPT DISTINCT JOIN ARRAY PREWHERE GROUPING ROLLUP CUBE TOTALS SETS ALL HAVING QUALIFY WINDOW
  OVER LIMIT OFFSET FETCH SAMPLE FINAL INTERPOLATE`.split(/\s+/u),
);

/**
 * The columns of a query whose small groups can be withheld: it groups the rows of `sessions` or `events`, so that each row
 * is in one group, counts the different visitors of each group, and says of a group nothing that a smaller part of it
 * would change alone. This is found in the engine's own list of the parts that will be executed.
 * @throws ProblemError `query_not_withheld` with the rule that is broken
 */
export function withheldShape({ sql, views, parts }: Admitted): readonly WithheldColumn[] {
  const tokens = tokensOf(sql).filter(({ kind }) => kind === "other");
  const closed = tokens.find(({ text }) => closedWords.has(text));
  if (closed !== undefined) throw refusal(`It must not use ${closed.text}.`);
  const selects = tokens.filter(({ text }) => text === "SELECT").length;
  const [view = ""] = views;
  if (selects !== 1 || views.length !== 1 || !countedViews.includes(view))
    throw refusal(`It must be one SELECT from ${countedViews.join(" or ")}, without subqueries.`);
  return columnsOf(selectIn(treeOf(parts)), view);
}

const refusal = (message: string): ProblemError =>
  new ProblemError(workProblems.query_not_withheld, { errors: [{ pointer: "/text", message }] });

type Node = {
  readonly kind: string;
  readonly name: string;
  readonly alias: string | undefined;
  readonly children: Node[];
};

/** The engine lists parts one a line, each a space deeper than the part that it belongs to. */
function treeOf(lines: readonly string[]): Node {
  const root: Node = { kind: "", name: "", alias: undefined, children: [] };
  const path: { depth: number; node: Node }[] = [{ depth: -1, node: root }];
  for (const line of lines) {
    if (line.trim() === "") continue;
    const depth = depthOf(line);
    while ((path.at(-1)?.depth ?? -1) >= depth) path.pop();
    const node = nodeOf(line);
    path.at(-1)?.node.children.push(node);
    path.push({ depth, node });
  }
  return root;
}

function nodeOf(line: string): Node {
  const own = line.trim().replace(/ \(children \d+\)$/u, "");
  const [, before = own, alias] = /^(.*) \(alias ([^()]*)\)$/su.exec(own) ?? [];
  const [, kind = "", name = ""] = /^(\w+) ?(.*)$/su.exec(before) ?? [];
  return { kind, name, alias, children: [] };
}

/** The query itself, within the one that it is executed in. */
function selectIn(root: Node): Node {
  const subquery = found(root, "Subquery")[0];
  const [select, ...others] = subquery === undefined ? [] : found(subquery, "SelectQuery");
  if (select === undefined || others.length > 0) throw refusal("It must be one SELECT.");
  return select;
}

const found = (node: Node, kind: string): readonly Node[] => [
  ...(node.kind === kind ? [node] : []),
  ...node.children.flatMap((child) => found(child, kind)),
];

const argumentsOf = ({ children }: Node): readonly Node[] => children[0]?.children ?? [];
const aliasesIn = (node: Node): readonly string[] => [
  ...(node.alias === undefined ? [] : [node.alias]),
  ...node.children.flatMap(aliasesIn),
];
/** Whether nothing in it is a function of many rows. */
const isOfOneRow = (node: Node): boolean =>
  (node.kind !== "Function" || isScalarFunction(node.name)) && node.children.every(isOfOneRow);

/** @param view that the query reads */
function columnsOf({ children }: Node, view: string): readonly WithheldColumn[] {
  const known = new Set(Object.keys(columnsIn(view)));
  const [selected, tables, ...rest] = children;
  if (selected?.kind !== "ExpressionList" || tables?.kind !== "TablesInSelectQuery")
    throw refusal("It must be one SELECT.");
  const shadow = [selected, ...rest].flatMap(aliasesIn).find((alias) => known.has(alias));
  if (shadow !== undefined) throw refusal(`It must not give another meaning to ${shadow}.`);
  const keys = new Set([...known, ...selected.children.filter(isOfOneRow).flatMap(aliasesIn)]);
  const named = new Set([...keys, ...aliasesIn(selected)]);
  const columns = selected.children.map((node) => columnOf(node, known, keys));
  if (columns.filter((column) => column === "visitors").length !== 1)
    throw refusal("It must have one column uniqExact(visitor_id): the visitors of each group.");
  for (const part of rest) {
    const isOrder = part.children.some(({ kind }) => kind === "OrderByElement");
    requireOfOneRow(part, isOrder ? named : keys);
  }
  return columns;
}

const columnsIn = (view: string) =>
  Object.entries(analystViews).find(([name]) => name === view)?.[1].columns ?? {};

function columnOf(
  node: Node,
  known: ReadonlySet<string>,
  keys: ReadonlySet<string>,
): WithheldColumn {
  const { kind, name } = node;
  const given = argumentsOf(node);
  const [only] = given;
  const isOf = (...names: readonly string[]): boolean =>
    given.length === 1 &&
    only?.kind === "Identifier" &&
    names.includes(only.name) &&
    known.has(only.name);
  if (kind === "Function" && (name === "uniqExact" || name === "uniq")) {
    if (isOf("visitor_id")) return "visitors";
    if (isOf("session_id")) return "count";
  }
  if (kind === "Function" && name === "count" && given.length === 0) return "count";
  if (kind === "Function" && name === "avg" && isOf(...measurements)) return "mean";
  requireOfOneRow(node, keys);
  return "key";
}

/** @param names of columns, and of what the query names itself */
function requireOfOneRow({ kind, name, children }: Node, names: ReadonlySet<string>): void {
  switch (kind) {
    case "Function":
      if (isScalarFunction(name)) break;
      throw refusal(
        `${name} must not be used like that. Beside the visitors a column may be count(), uniqExact(session_id), or the mean of ${measurements.join(", ")}.`,
      );
    case "Identifier":
      if (names.has(name)) break;
      throw refusal(`${name} is no column that groups or conditions may use.`);
    case "Literal":
    case "ExpressionList":
    case "OrderByElement":
      break;
    default:
      throw refusal(`It must not contain ${kind}.`);
  }
  for (const child of children) requireOfOneRow(child, names);
}
