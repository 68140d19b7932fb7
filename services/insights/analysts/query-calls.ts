import { type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import {
  type analystCalls,
  type analyticsApiCalls,
  type Query,
  queryProblems,
  type QueryResult,
} from "@pro-talent/schemas/analysts/calls";
import type { QueryFacts } from "@pro-talent/schemas/analysts/events";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { analystViews } from "@pro-talent/schemas/analysts/views";

import {
  type AnalystsContext,
  type AskedQuery,
  type Asker,
  askAsAnalyst,
} from "./ask-as-analyst.ts";
import { canonical } from "./gate.ts";
import { allowedFunctions } from "./policy.ts";
import { answerQuestion } from "./questions/answer.ts";
import { tableOf } from "./run-query.ts";

/** What analysts see of the views. */
const described = {
  views: Object.entries(analystViews).map(([name, { summary, columns }]) => ({
    name,
    summary,
    columns: Object.entries(columns).map(([column, about]) => ({ name: column, ...about })),
  })),
  functions: [...allowedFunctions],
  limits: { ...analystLimits },
};

const types = {
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  parquet: "application/vnd.apache.parquet",
} as const;

/** What people and programs ask in the same way. */
function queriesOf(context: AnalystsContext, channel: QueryFacts["channel"]) {
  const ask = (accountId: string, query: AskedQuery) =>
    askAsAnalyst(context, { analystId: accountId, channel } satisfies Asker, query);
  return {
    rows: async (accountId: string, query: Query): Promise<QueryResult> => {
      const { bytes, milliseconds } = await ask(accountId, { ...query, format: "json" });
      const { meta, data, statistics } = tableOf(bytes);
      const { rows_read: rowsRead, bytes_read: bytesRead } = statistics;
      return {
        queryId: query.queryId,
        columns: meta,
        rows: data,
        statistics: { rowsRead, bytesRead, milliseconds },
      };
    },
    /** Complete before its first byte is sent: the ledger states its size first. */
    file: async (accountId: string, query: Query, format: keyof typeof types) => {
      const { bytes } = await ask(accountId, { ...query, format });
      return new FileAnswer(bytes, types[format], `query ${query.queryId}.${format}`);
    },
    cancel: (accountId: string, queryId: string) => {
      if (context.running.cancel(accountId, queryId)) return { status: "cancelled" as const };
      throw new ProblemError(queryProblems.query_not_running);
    },
  };
}

/** Analysts in the product's pages. */
export function analystHandlers(context: AnalystsContext): CallHandlers<typeof analystCalls> {
  const { rows, file, cancel } = queriesOf(context, "console");
  const base = "/api/console/analyst";
  return {
    [`GET ${base}/views` as const]: async () => described,
    [`POST ${base}/queries` as const]: ({ body }, { account }) => rows(account.accountId, body),
    [`POST ${base}/queries.csv` as const]: ({ body }, { account }) =>
      file(account.accountId, body, "csv"),
    [`POST ${base}/queries.ndjson` as const]: ({ body }, { account }) =>
      file(account.accountId, body, "ndjson"),
    [`POST ${base}/queries.parquet` as const]: ({ body }, { account }) =>
      file(account.accountId, body, "parquet"),
    [`DELETE ${base}/queries/:queryId` as const]: async ({ params }, { account }) =>
      cancel(account.accountId, params.queryId),
    [`POST ${base}/format` as const]: async ({ body }, { account: { accountId } }) => ({
      text: await canonical(context.engineOf(accountId).parser, body.text, "formatQuery"),
    }),
    [`POST ${base}/questions/:question` as const]: ({ params, body }, { account }) =>
      answerQuestion(
        context,
        { analystId: account.accountId, channel: "console" },
        { ...params, ...body },
      ),
  };
}

/** Programs of analysts, with an access token. */
export function analyticsApiHandlers(
  context: AnalystsContext,
): CallHandlers<typeof analyticsApiCalls> {
  const { rows, file, cancel } = queriesOf(context, "program");
  const base = "/api/v1/analytics";
  return {
    [`GET ${base}/views` as const]: async () => described,
    [`POST ${base}/queries` as const]: ({ body }, { account }) => rows(account.accountId, body),
    [`POST ${base}/queries.csv` as const]: ({ body }, { account }) =>
      file(account.accountId, body, "csv"),
    [`POST ${base}/queries.ndjson` as const]: ({ body }, { account }) =>
      file(account.accountId, body, "ndjson"),
    [`POST ${base}/queries.parquet` as const]: ({ body }, { account }) =>
      file(account.accountId, body, "parquet"),
    [`DELETE ${base}/queries/:queryId` as const]: async ({ params }, { account }) =>
      cancel(account.accountId, params.queryId),
  };
}
