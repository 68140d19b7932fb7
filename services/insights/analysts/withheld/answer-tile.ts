import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Query, QueryResult } from "@pro-talent/schemas/analysts/calls";
import type { RunnableTile } from "@pro-talent/schemas/analysts/internal-work-calls";
import type { QueryContent } from "@pro-talent/schemas/analysts/saved-work";
import type { TileAnswer } from "@pro-talent/schemas/analysts/work-calls";

import { type AnalystsContext, type Asker, askAsAnalyst } from "../ask-as-analyst.ts";
import { admit } from "../gate.ts";
import { answerQuestion, requireRange } from "../questions/answer.ts";
import { inTens } from "../questions/withholding.ts";
import { tableOf } from "../run-query.ts";
import { withholdRows } from "./rows.ts";
import { type WithheldColumn, withheldShape } from "./shape.ts";

type Withheld = QueryResult & { readonly isWithheld: boolean };

/** Runs a query like any other, and leaves small groups out. @throws ProblemError, also `query_not_withheld` */
export async function answerWithheld(
  context: AnalystsContext,
  asker: Asker,
  query: Query,
): Promise<Withheld> {
  let shape: readonly WithheldColumn[] = [];
  const { bytes, milliseconds } = await askAsAnalyst(context, asker, {
    ...query,
    format: "json",
    requires: (admitted) => void (shape = withheldShape(admitted)),
  });
  const { meta, data, statistics } = tableOf(bytes);
  const { rows_read: rowsRead, bytes_read: bytesRead } = statistics;
  return {
    queryId: query.queryId,
    columns: meta,
    ...withholdRows(shape, data),
    statistics: { rowsRead, bytesRead, milliseconds },
  };
}

type Run = { readonly queryId: string; readonly from: string; readonly to: string };

/** Answers a tile of a dashboard, or what a delivery is about, for a range of days. @throws ProblemError */
export async function answerTile(
  context: AnalystsContext,
  asker: Asker,
  tile: RunnableTile,
  { queryId, from, to }: Run,
): Promise<TileAnswer> {
  requireRange({ from, to });
  if (tile.kind === "question") {
    const { question, chart } = tile;
    const answer = await answerQuestion(context, asker, { question, from, to, queryId }, inTens);
    return { kind: "question", question, chart, answer };
  }
  const { text, chart, parameters } = tile.content;
  const values = { ...valuesOf(parameters), from, to };
  const result = await answerWithheld(context, asker, { queryId, text, parameters: values });
  return { kind: "query", title: tile.title, chart, result };
}

const valuesOf = (parameters: QueryContent["parameters"]): Record<string, string> =>
  Object.fromEntries(parameters.map(({ name, value }) => [name, value]));

/** What stands against withholding small groups of a query; nothing is run. */
export async function refusalOf(
  context: AnalystsContext,
  { text, parameters }: QueryContent,
): Promise<{ pointer: string; message: string } | null> {
  const day = new Date(context.clock()).toISOString().slice(0, 10);
  const asked = { text, parameters: { ...valuesOf(parameters), from: day, to: day } };
  try {
    withheldShape(await admit(context.engineOf(checker).parser, asked));
    return null;
  } catch (error) {
    const [first] = error instanceof ProblemError ? (error.errors ?? []) : [];
    if (first === undefined) throw error;
    return first;
  }
}

/** The parser is the same for all. */
const checker = "00000000-0000-0000-0000-000000000000";
