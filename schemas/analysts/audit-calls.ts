import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { defineProblems } from "../primitives/problem.ts";
import { QueryEnd, QueryFacts, QueryText } from "./events.ts";

export const queryAuditProblems = defineProblems({
  query_id_used: [409, "Another query has this id already."],
  query_unknown: [404, "There is no such query."],
  query_text_erased: [410, "The text of this query was erased when its time was over."],
});

/** Queries of an analyst in the last hour. `firstAt`: of the first of them. */
export const UsedQueries = z.object({
  queries: z.int().nonnegative(),
  rowsRead: z.int().nonnegative(),
  firstAt: Instant.nullable(),
});
export type UsedQueries = z.infer<typeof UsedQueries>;

/** For the insights service: a result is shown only after this has answered. */
export const internalQueryCalls = defineCalls({
  "POST /internal/analyst-queries": {
    summary: "Records what became of an analyst's query, with its text sealed beside it",
    access: "internal",
    body: QueryFacts.extend({ queryId: Uuid, ...QueryText.shape }),
    answer: z.object({ status: z.literal("recorded") }),
    problems: [queryAuditProblems.query_id_used],
    bodyBytesMax: 262_144,
  },
  "GET /internal/analyst-queries/used/:analystId": {
    summary: "What an analyst used in the last hour, whichever process of the service answered",
    access: "internal",
    params: z.object({ analystId: Uuid }),
    answer: UsedQueries,
  },
  "POST /internal/analyst-queries/:queryId/end": {
    summary: "Records how the result of a query ended that was recorded as begun",
    access: "internal",
    params: z.object({ queryId: Uuid }),
    body: QueryEnd.extend({ analystId: Uuid }),
    answer: z.object({ status: z.literal("recorded") }),
    problems: [queryAuditProblems.query_unknown],
  },
});

/** A query as an officer sees it. */
export const ListedQuery = QueryFacts.extend({
  queryId: Uuid,
  ranAt: Instant,
  textHash: z.string(),
  isTextErased: z.boolean(),
});
export type ListedQuery = z.infer<typeof ListedQuery>;

const officer = { roles: ["officer"] } as const;
const base = "/api/console/privacy/analyst-queries";

/** For privacy officers about what analysts asked. */
export const queryAuditCalls = defineCalls({
  [`GET ${base}` as const]: {
    summary: "Queries of analysts, the newest first",
    access: officer,
    query: z.object({ analystId: Uuid.optional(), before: Instant.optional() }),
    answer: z.object({ queries: z.array(ListedQuery), more: z.boolean() }),
  },
  [`POST ${base}/:queryId/read` as const]: {
    summary: "Reads the text of a query; that it was read is recorded",
    access: { ...officer, stepUp: true },
    params: z.object({ queryId: Uuid }),
    answer: QueryText,
    problems: [queryAuditProblems.query_unknown, queryAuditProblems.query_text_erased],
  },
});
