import { z } from "zod";

import { type Access } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { defineProblems } from "../primitives/problem.ts";
import { analystLimits as limit } from "./limits.ts";
import { QuestionName } from "./questions.ts";
import { columnClasses, Described } from "./view-columns.ts";

/** Each states in `errors` what was wrong: `pointer` is `/text/<line>:<column>`, as far as it is known. */
export const queryProblems = defineProblems({
  query_wrong: [422, "The query cannot be understood."],
  query_refused: [403, "The query asks for something that is not open to analysts."],
  query_limited: [422, "The query went beyond a limit."],
  query_cancelled: [409, "The query was cancelled."],
  queries_running: [429, "As many queries as may run at once are running already."],
  query_quota_used: [429, "The queries of this hour are used up."],
  query_id_used: [409, "Another query has this id already."],
  query_not_running: [404, "No query with this id is running."],
  range_too_long: [422, "The range has too many days, or ends before it begins."],
});
const { range_too_long, query_not_running, ...ofQueries } = queryProblems;
const problems = Object.values(ofQueries);

/** Names and values of parameters, which the text contains as `{name:Type}`. */
const Parameters = z
  .record(z.string().regex(/^[a-z]\w{0,40}$/i), z.string().max(limit.parameterCharsMax))
  .refine((given) => Object.keys(given).length <= limit.parametersMax);

/** `queryId`: made by the client, so that it can cancel before there is an answer. */
export const Query = z.object({
  queryId: Uuid,
  text: z.string().min(1).max(limit.textCharsMax),
  parameters: Parameters.default({}),
});
export type Query = z.infer<typeof Query>;

const Count = z.int().nonnegative();

/** Values are as ClickHouse writes them in JSON. */
export const QueryResult = z.object({
  queryId: Uuid,
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.json())),
  statistics: z.object({ rowsRead: Count, bytesRead: Count, milliseconds: Count }),
});
export type QueryResult = z.infer<typeof QueryResult>;

/** Of a query that runs. `rowsToRead`: as far as the engine knows; `resultBytes`: sent until now. */
export const QueryProgress = z.object({
  rowsRead: Count,
  bytesRead: Count,
  rowsToRead: Count,
  resultBytes: Count,
  milliseconds: Count,
});
export type QueryProgress = z.infer<typeof QueryProgress>;

const views = z.array(
  z.object({
    name: z.string(),
    summary: Described,
    columns: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        class: z.enum(columnClasses),
        example: z.string(),
        meaning: Described,
      }),
    ),
  }),
);
const Limits = z.record(z.string(), z.int());

/** The calls about queries, the same for people and for programs. @param who ends their summaries */
function queryCallsFor<const Who extends Access>(access: Who, who: string) {
  const fileOf = <const Type extends string>(type: Type) => ({
    summary: `Runs a query and answers its result as ${type}, ${who}`,
    access,
    body: Query,
    file: type,
    answer: z.never(),
    problems,
  });
  return {
    views: {
      summary: `The views that queries may read, functions, and limits, ${who}`,
      access,
      answer: z.object({ views, functions: z.array(z.string()), limits: Limits }),
    },
    rows: {
      summary: `Runs a query and answers its rows, with types and statistics, ${who}`,
      access,
      body: Query,
      answer: QueryResult,
      problems,
    },
    csv: fileOf("text/csv"),
    ndjson: fileOf("application/x-ndjson"),
    parquet: fileOf("application/vnd.apache.parquet"),
    stream: {
      ...fileOf("application/x-ndjson"),
      summary: `Runs a query and sends its rows as they come: lines {"progress"}, {"meta"}, {"row"}, ${who}`,
    },
    progress: {
      summary: `How far a query of one's own has come, ${who}`,
      access,
      params: z.object({ queryId: Uuid }),
      answer: QueryProgress,
      problems: [query_not_running],
    },
    cancel: {
      summary: `Ends a query of one's own in the engine, ${who}`,
      access,
      params: z.object({ queryId: Uuid }),
      answer: z.object({ status: z.literal("cancelled") }),
      problems: [query_not_running],
    },
  };
}

const analyst = { roles: ["analyst"] } as const;
const ofPeople = queryCallsFor(analyst, "for analysts");
const ofPrograms = queryCallsFor({ scope: "analytics:query" }, "for their programs");
const console = "/api/console/analyst";
const api = "/api/v1/analytics";

/** Null: withheld, since it would be about fewer visitors than may be named. */
const Withheld = Count.nullable();
const Days = z.object({ from: z.iso.date(), to: z.iso.date() });

/** One form for each kind of question. */
export const QuestionAnswer = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("groups"),
    groups: z.array(z.object({ name: z.string(), visitors: Count, amount: Count })),
    /** All groups together that are not named; null where every group is named. */
    others: z.object({ visitors: Count, amount: Count }).nullable(),
    /** Null where all together are too few. */
    total: z.object({ visitors: Count, amount: Count }).nullable(),
  }),
  z.object({
    kind: z.literal("steps"),
    steps: z.array(z.object({ name: z.string(), visitors: Withheld })),
  }),
  z.object({
    kind: z.literal("cohorts"),
    /** Weeks begin on Monday; `returned`: by weeks after the first. */
    cohorts: z.array(
      z.object({ week: z.iso.date(), visitors: Count, returned: z.array(Withheld) }),
    ),
  }),
]);
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

/** For analysts. */
export const analystCalls = defineCalls({
  [`GET ${console}/views` as const]: ofPeople.views,
  [`POST ${console}/queries` as const]: ofPeople.rows,
  [`POST ${console}/queries.csv` as const]: ofPeople.csv,
  [`POST ${console}/queries.ndjson` as const]: ofPeople.ndjson,
  [`POST ${console}/queries.parquet` as const]: ofPeople.parquet,
  [`POST ${console}/queries.stream` as const]: ofPeople.stream,
  [`GET ${console}/queries/:queryId/progress` as const]: ofPeople.progress,
  [`DELETE ${console}/queries/:queryId` as const]: ofPeople.cancel,
  [`POST ${console}/format` as const]: {
    summary: "Writes a query with line breaks and indentation; comments are lost",
    access: analyst,
    body: Query.pick({ text: true }),
    answer: z.object({ text: z.string() }),
    problems: [queryProblems.query_wrong],
  },
  [`POST ${console}/questions/:question` as const]: {
    summary: "Answers a ready-made question; groups under five visitors are withheld",
    access: analyst,
    params: z.object({ question: QuestionName }),
    body: Days,
    answer: QuestionAnswer,
    problems: [range_too_long, ...problems],
  },
});

/** For programs of analysts. */
export const analyticsApiCalls = defineCalls({
  [`GET ${api}/views` as const]: ofPrograms.views,
  [`POST ${api}/queries` as const]: ofPrograms.rows,
  [`POST ${api}/queries.csv` as const]: ofPrograms.csv,
  [`POST ${api}/queries.ndjson` as const]: ofPrograms.ndjson,
  [`POST ${api}/queries.parquet` as const]: ofPrograms.parquet,
  [`POST ${api}/queries.stream` as const]: ofPrograms.stream,
  [`GET ${api}/queries/:queryId/progress` as const]: ofPrograms.progress,
  [`DELETE ${api}/queries/:queryId` as const]: ofPrograms.cancel,
});
