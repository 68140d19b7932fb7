import type { ClickHouseError } from "@clickhouse/client";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { queryProblems } from "@pro-talent/schemas/analysts/calls";
import { analystViews } from "@pro-talent/schemas/analysts/views";

import { keyParameter } from "./policy.ts";

/** What went beyond a limit, by the engine's code. */
const limits: Readonly<Record<string, string>> = {
  "158": "It reads more rows than a query may.",
  "307": "It reads more than a query may.",
  "159": "It ran for longer than a query may.",
  "160": "It would run for longer than a query may.",
  "241": "It needs more memory than a query may.",
  "173": "It needs more memory than a query may.",
  "69": "It makes a longer array than a query may.",
  "396": "Its result is larger than a result may be.",
  "161": "It reads more columns than a query may.",
  "162": "Its subqueries are nested too deep.",
  "167": "It is nested too deep.",
  "168": "It has too many parts.",
  "191": "A set or a join in it has too many rows.",
  "306": "It is nested too deep.",
  "202": "Too many queries run at once. Try again shortly.",
};
/** Of what rights and settings refuse. */
const refusals = new Set(["164", "171", "291", "446", "452", "497"]);
const cancelled = "394";
const tableIsUnknown = "60";
const messageCharsMax = 400;

/** The answer to what the engine refuses, with the place in the text of the query as far as it is known. */
export function queryFault(error: ClickHouseError, text: string): ProblemError {
  const problem = faultOf(error, text);
  problem.cause = error;
  return problem;
}

function faultOf({ code, message }: ClickHouseError, text: string): ProblemError {
  if (code === cancelled) return new ProblemError(queryProblems.query_cancelled);
  const limit = limits[code];
  if (limit !== undefined) return queryProblem("query_limited", limit);
  if (message.includes("Multi-statements")) {
    return queryProblem("query_refused", "A query is one statement.");
  }
  if (refusals.has(code)) return queryProblem("query_refused", "This is not open to analysts.");
  if (code === tableIsUnknown) {
    const name = /'([^']*)'/u.exec(message)?.[1] ?? "";
    return queryProblem("query_refused", tableUnknown(name), placeOfName(text, name));
  }
  return queryProblem("query_wrong", plainMessage(message), placeIn(text, message));
}

/** What is answered to a name in `FROM` that stands for nothing. */
export const tableUnknown = (name: string): string =>
  `There is no view ${name} for analysts. There are: ${Object.keys(analystViews).join(", ")}.`;

/** @param place as {@link placeOfName} states it */
export const queryProblem = (
  code: "query_wrong" | "query_refused" | "query_limited",
  message: string,
  place = "",
): ProblemError =>
  new ProblemError(queryProblems[code], { errors: [{ pointer: `/text${place}`, message }] });

/** Without the text around the query, and without what no analyst may see. */
function plainMessage(message: string): string {
  return message
    .replace(/^Code: \d+\. DB::Exception: /u, "")
    .replace(/[.:,]?\s*(?:: )?\b[Ii]n scope [^]*$/u, "")
    .replace(/\.? Maybe you meant[:]? [^]*$/u, "")
    .replace(/ Expected one of: [^]*$/u, "")
    .replace(/: While (?:processing|executing)[^]*$/u, "")
    .replaceAll(/[0-9a-f]{64}/gu, "…")
    .replaceAll(keyParameter, "…")
    .replaceAll("analyst_", "")
    .replace(/ \([A-Z_]+\)\s*$/u, "")
    .trim()
    .slice(0, messageCharsMax);
}

/** Where in the text the engine's message points to. */
function placeIn(text: string, message: string): string {
  const position = /failed at position (\d+)/u.exec(message)?.[1];
  if (position !== undefined) {
    // The engine counts bytes, from 1.
    const before = Buffer.from(text, "utf8").subarray(0, Number(position) - 1);
    return placeAt(text, before.toString("utf8").length);
  }
  return placeOfName(text, /(?:identifier|name|function) [`']?(\w+)/iu.exec(message)?.[1]);
}

/** `/<line>:<column>` of a name, both from 1; empty when the text does not contain it as it is. */
export function placeOfName(text: string, name: string | undefined): string {
  const plain = name?.replaceAll(/[^\w]/gu, "") ?? "";
  const at = plain === "" ? -1 : text.search(new RegExp(`\\b${plain}\\b`, "u"));
  return at === -1 ? "" : placeAt(text, at);
}

function placeAt(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `/${before.length}:${(before.at(-1) ?? "").length + 1}`;
}
