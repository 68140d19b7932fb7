import { createHmac } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import {
  internalQueryCalls,
  ListedQuery,
  queryAuditCalls,
  queryAuditProblems as problems,
  UsedQueries,
} from "@pro-talent/schemas/analysts/audit-calls";
import { QueryText } from "@pro-talent/schemas/analysts/events";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { historyCalls } from "@pro-talent/schemas/analysts/work-calls";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import { runCommand } from "../../kernel/commands.ts";
import { requestContext, storeProblem, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { readSealed } from "../../kernel/streams.ts";
import type { AnalystQueryCommand } from "./decider.ts";
import { historyHandlers } from "./history.ts";
import { analystQueries, analystQueryEvents, queryText } from "./queries.ts";

const base = "/api/console/privacy/analyst-queries";

/** The record of what analysts asked: written by the insights service, read by officers. */
export async function addAnalystQueryRoutes(
  app: FastifyInstance,
  context: HttpContext,
): Promise<void> {
  const hashKey = context.deriveKey("texts of analysts' queries");
  addCalls(app, internalQueryCalls, {
    "POST /internal/analyst-queries": async ({ body }, { request }) => {
      const { queryId, text, parameters, ...facts } = body;
      const textHash = createHmac("sha256", hashKey).update(text).digest("hex");
      const command = { type: "RecordQuery", ...facts, textHash } as const;
      await issue(context, request, {
        id: queryId,
        actor: `analyst:${facts.analystId}`,
        command,
        sealed: async () => {
          // No person stands behind the key, so that no address leads to it (RFC 2606, §2).
          const subject = await context.subjects.ofOccasion(queryText, queryId, noAddress(queryId));
          return { ...subject.seal({ text, parameters }), type: "AnalystQueryRun" };
        },
      });
      return { status: "recorded" as const };
    },
    "GET /internal/analyst-queries/used/:analystId": ({ params: { analystId } }) =>
      usedBy(context, analystId).catch(unavailable),
    "POST /internal/analyst-queries/:queryId/end": async ({ params, body }, { request }) => {
      const { analystId, ...end } = body;
      const command = { type: "EndQuery", ...end } as const;
      await issue(context, request, {
        id: params.queryId,
        actor: `analyst:${analystId}`,
        command,
      });
      return { status: "recorded" as const };
    },
  });
  await app.register(async (scope) => {
    await limitRate(scope, { reads: context.readsPerMinute, writes: context.formsPerMinute });
    addCalls(scope, historyCalls, historyHandlers(context));
    addCalls(scope, queryAuditCalls, {
      [`GET ${base}` as const]: async ({ query }) => {
        const rows = await listed(context, query).catch(unavailable);
        const queries = rows.slice(0, analystLimits.listedMax);
        return { queries, more: rows.length > queries.length };
      },
      [`POST ${base}/:queryId/read` as const]: async ({ params: { queryId } }, caller) => {
        const officerId = caller.account.accountId;
        const command = { type: "ReadText", officerId } as const;
        const actor = `officer:${officerId}`;
        await issue(context, caller.request, { id: queryId, actor, command });
        return await openText(context, queryId).catch(unavailable);
      },
    });
  });
}

const noAddress = (queryId: string): string => `${queryId}@query.invalid`;

type Issued = {
  readonly id: string;
  readonly actor: string;
  readonly command: AnalystQueryCommand;
  readonly sealed?: () => Promise<
    Parameters<typeof runCommand>[2]["sealed"] & { type: "AnalystQueryRun" }
  >;
};

/** @throws ProblemError when the command is refused */
async function issue(context: HttpContext, request: FastifyRequest, issued: Issued): Promise<void> {
  const { id, actor, command, sealed } = issued;
  const run = async () =>
    await runCommand(context.ledger, analystQueries, {
      ...requestContext(context, request, actor),
      id,
      command,
      body: command,
      ...(sealed !== undefined && { sealed: await sealed() }),
    });
  const result = await run().catch(unavailable);
  if (result.kind === "answer") return;
  switch (result.code) {
    case "command_mismatch":
    case "version_conflict":
    case "process_superseded":
      throw storeProblem(result.code);
    default:
      throw new ProblemError(problems[result.code]);
  }
}

const Used = UsedQueries.extend({
  queries: z.coerce.number(),
  rowsRead: z.coerce.number(),
  firstAt: z
    .date()
    .transform((date) => instantFromMs(date.getTime()))
    .nullable(),
});

const hourMs = 60 * 60 * 1000;

async function usedBy(
  { ledger: { sql }, clock }: HttpContext,
  analystId: string,
): Promise<UsedQueries> {
  const since = instantFromMs(clock() - hourMs);
  const [used] = await sql<object[]>`
    select count(*) as queries, coalesce(sum(rows_read), 0) as "rowsRead", min(ran_at) as "firstAt"
      from ledger.analyst_query
     where analyst_id = ${analystId} and ran_at > ${since}`;
  return Used.parse(used);
}

const Rows = z.array(
  ListedQuery.extend({ ranAt: z.date().transform((date) => instantFromMs(date.getTime())) }),
);

/** One more than is shown, so that it is known whether there are more. */
async function listed(
  { ledger: { sql } }: HttpContext,
  { analystId, before }: { analystId?: string | undefined; before?: Instant | undefined },
): Promise<ListedQuery[]> {
  const rows = await sql<object[]>`
    select query_id as "queryId", analyst_id as "analystId", ran_at as "ranAt", channel, format,
           outcome, problem, views, rows_read as "rowsRead", result_bytes as "resultBytes",
           milliseconds, text_hash as "textHash", text_erased_at is not null as "isTextErased"
      from ledger.analyst_query
     where (${analystId ?? null}::uuid is null or analyst_id = ${analystId ?? null})
       and (${before ?? null}::timestamptz is null or ran_at < ${before ?? null})
     order by ran_at desc, query_id limit ${analystLimits.listedMax + 1}`;
  return Rows.parse(rows);
}

/** @throws ProblemError `query_text_erased` when its key was destroyed just now */
async function openText({ ledger, subjects }: HttpContext, queryId: string): Promise<QueryText> {
  const stream = analystQueryEvents.streamOf(queryId);
  const sealed = await readSealed(ledger.sql, stream, "AnalystQueryRun");
  const subject = sealed && (await subjects.find(sealed.keyId));
  if (sealed === undefined || subject === undefined) {
    throw new ProblemError(problems.query_text_erased);
  }
  return subject.open(sealed.bytes, QueryText);
}
