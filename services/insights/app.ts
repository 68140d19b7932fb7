import { addCalls, type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import type { SignInSessions } from "@pro-talent/platform/http/admission";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { addHealthRoutes } from "@pro-talent/platform/http/health";
import { refuseOtherOrigins } from "@pro-talent/platform/http/plain-forms";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { readForPrograms } from "@pro-talent/platform/http/program-calls";
import { limitRate, limitTokens } from "@pro-talent/platform/http/rate-limit";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { analystCalls, analyticsApiCalls } from "@pro-talent/schemas/analysts/calls";
import { internalWithheldCalls } from "@pro-talent/schemas/analysts/internal-work-calls";
import { withheldCalls } from "@pro-talent/schemas/analysts/work-calls";
import { opensApiCalls } from "@pro-talent/schemas/insights/api-calls";
import { insightCalls, trafficCalls } from "@pro-talent/schemas/insights/calls";
import { internalInsightCalls } from "@pro-talent/schemas/insights/internal-calls";
import { statusCalls } from "@pro-talent/schemas/insights/status-calls";
import { apiLimits } from "@pro-talent/schemas/links/limits";
import type { FastifyInstance } from "fastify";
import { Gauge, Registry } from "prom-client";

import type { AnalystsContext } from "./analysts/ask-as-analyst.ts";
import { addClickhouseInterface } from "./analysts/clickhouse/interface.ts";
import { analystHandlers, analyticsApiHandlers } from "./analysts/query-calls.ts";
import { internalWithheldHandlers, withheldHandlers } from "./analysts/withheld/withheld-calls.ts";
import { apiHandlers } from "./api-calls.ts";
import { beginAsking, type InsightsContext, requireAnalytics } from "./asking.ts";
import { csvOf } from "./csv.ts";
import { internalHandlers } from "./internal-calls.ts";
import type { LiveOpens } from "./live.ts";
import { ownerHandlers } from "./owner-calls.ts";
import { allOpens } from "./questions/opens.ts";
import { type ProcessAddress, readStatus } from "./status/read-status.ts";
import { trafficHandlers } from "./traffic-calls.ts";

export type InsightsAppOptions = {
  readonly context: InsightsContext;
  readonly analysts: AnalystsContext;
  /** Whose state administrators see. */
  readonly processes: readonly ProcessAddress[];
  readonly sessions: SignInSessions;
  /** Ended when the app is closed. */
  readonly live: LiveOpens;
  readonly log: Logger;
  readonly internalToken: string;
  readonly publicOrigin: string;
  readonly trustedProxies?: readonly string[];
  /** Calls that one network may make in a minute, reads and writes apart. */
  readonly callsPerMinute: number;
  /** Whether the stores can be asked. */
  readonly ready: {
    readonly postgres: () => Promise<boolean>;
    readonly clickhouse: () => Promise<boolean>;
  };
};

/** The insights service over HTTP; it owns no connection. Live streams end when it is closed. */
export async function buildInsightsApp(options: InsightsAppOptions): Promise<FastifyInstance> {
  const { context, analysts, sessions, live, log, publicOrigin, callsPerMinute, ready } = options;
  const registry = new Registry();
  const gauge = { name: "insights_live_streams", help: "Connected streams of live opens" };
  new Gauge({
    ...gauge,
    registers: [registry],
    collect() {
      this.set(live.count);
    },
  });
  const app = buildServer({
    log,
    publicOrigin,
    trustedProxies: options.trustedProxies ?? [],
    internalToken: options.internalToken,
    sessions,
    clock: context.clock,
  });
  app.addHook("preClose", () => live.close());
  addHealthRoutes(app, {
    metrics: registry,
    ready: [
      { name: "postgres", check: ready.postgres },
      { name: "clickhouse", check: ready.clickhouse },
    ],
  });
  await app.register(async (scope) => {
    refuseOtherOrigins(scope, publicOrigin);
    await limitRate(scope, { reads: callsPerMinute, writes: callsPerMinute });
    addCalls(scope, insightCalls, { ...ownerHandlers(context), ...streamHandlers(context, live) });
    addConsoleCalls(scope, options);
    addCalls(scope, analystCalls, analystHandlers(analysts));
    addCalls(scope, withheldCalls, withheldHandlers(analysts));
  });
  await app.register(async (scope) => {
    await readForPrograms(scope, apiLimits.callsPerMinute);
    addCalls(scope, opensApiCalls, apiHandlers(context));
  });
  await app.register((scope) => addProgramCalls(scope, analysts));
  await app.register((scope) => addClickhouseInterface(scope, analysts));
  addCalls(app, internalInsightCalls, internalHandlers(context));
  addCalls(app, internalWithheldCalls, internalWithheldHandlers(analysts));
  return app;
}

/** Opens as a file, and as they come. */
function streamHandlers(
  context: InsightsContext,
  live: LiveOpens,
): Pick<
  CallHandlers<typeof insightCalls>,
  "GET /api/insights/links/:linkId/opens.csv" | "GET /api/insights/live"
> {
  return {
    "GET /api/insights/links/:linkId/opens.csv": async ({ params, query }, { account }) => {
      const { accountId } = account;
      const { about } = await beginAsking(context, accountId, query, { asked: [params.linkId] });
      const rows = context.questions.streamed(allOpens, { ...about, accounts: [accountId] });
      const name = `opens ${query.from} ${query.to}.csv`;
      return new FileAnswer(csvOf(rows, query.zone), "text/csv", name);
    },
    "GET /api/insights/live": async (_input, { account: { accountId }, request }) => {
      await requireAnalytics(context.owners, accountId);
      const { authorization } = request.headers;
      // A ticket is used up: it cannot show later whether the session still holds.
      if (authorization === undefined) throw new ProblemError("unauthorized");
      const token = authorization.slice("Bearer ".length);
      return new FileAnswer(live.listen(accountId, token), "text/event-stream");
    },
  };
}

/** Of administrators. */
function addConsoleCalls(
  scope: FastifyInstance,
  { context, processes }: Pick<InsightsAppOptions, "context" | "processes">,
): void {
  addCalls(scope, trafficCalls, trafficHandlers(context));
  addCalls(scope, statusCalls, {
    "GET /api/console/status": () => readStatus(processes, context.clock),
  });
}

/** Answers of queries have no ETag: they are asked for anew. */
async function addProgramCalls(scope: FastifyInstance, analysts: AnalystsContext): Promise<void> {
  await limitTokens(scope, apiLimits.callsPerMinute);
  addCalls(scope, analyticsApiCalls, analyticsApiHandlers(analysts));
}
