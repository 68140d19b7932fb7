import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitAccounts } from "@pro-talent/platform/http/rate-limit";
import { TimeZone } from "@pro-talent/schemas/accounts/profile";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { applicationProblems as problems } from "@pro-talent/schemas/applications/problems";
import { dayPlus, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";

import { actingOf } from "../../acting.ts";
import { unavailable } from "../../kernel/http.ts";
import { includesTracker } from "../../plans-in-use.ts";
import { type ApplicationRoutes } from "./acting.ts";
import {
  addApplications,
  archiveApplications,
  changeApplication,
  deleteApplications,
  moveApplications,
} from "./change-applications.ts";
import { addExchangeRoutes, type Exchange } from "./exchange-routes.ts";
import { addPartRoutes } from "./part-routes.ts";
import { changeStages } from "./pipeline/change-stages.ts";
import { pipelineOf } from "./pipeline/pipelines.ts";
import {
  allReminders,
  openReminders,
  statistics,
  suggestions,
  wholeApplication,
} from "./questions.ts";
import { addReminderMailRoutes } from "./reminders/off-routes.ts";
import { viewsOf } from "./views.ts";

const done = { status: "done" as const };
/** Who sorts a board by keyboard makes several calls in a second. */
const boardCallsPerRead = 10;

// Tables, calendars and postings are served, with limits of their own, by `exchange-routes.ts`.
const {
  "POST /api/applications/posting": _posting,
  "POST /api/applications/import": _import,
  "GET /api/applications/export/:format": _export,
  ...ownCalls
} = applicationCalls;

/** The calls of applicants about their applications. */
export async function addApplicationRoutes(
  app: FastifyInstance,
  routes: ApplicationRoutes,
): Promise<void> {
  await app.register(async (scope) => {
    await limitAccounts(scope, boardCallsPerRead * routes.context.readsPerMinute);
    addOwnerRoutes(scope, routes);
    addPartRoutes(scope, routes);
  });
  await app.register(async (scope) => addReminderMailRoutes(scope, routes.context));
  await addExchangeRoutes(app, exchangeOf(routes));
}

function exchangeOf({ context }: ApplicationRoutes): Exchange {
  const { sql } = context.ledger;
  const now = (): Instant => instantFromMs(context.clock());
  return {
    isIncluded: (accountId) => includesTracker(sql, accountId, now()),
    stagesOf: async (accountId) => (await pipelineOf(context, accountId)).stages,
    heldBy: async (accountId) => {
      const [{ applications, pipeline }, reminders] = await Promise.all([
        viewsOf(context, accountId),
        allReminders(context, accountId, now()),
      ]);
      return { applications, stages: pipeline.stages, reminders };
    },
    clock: context.clock,
    publicOrigin: context.publicOrigin,
  };
}

function addOwnerRoutes(app: FastifyInstance, routes: ApplicationRoutes): void {
  const { context } = routes;
  addCalls(app, ownCalls, {
    "GET /api/applications": async (_input, caller) => {
      const { accountId, issued } = actingOf(context, caller);
      const [{ applications, pipeline }, included] = await Promise.all([
        viewsOf(context.readingFrom(caller.reads), accountId),
        includesTracker(caller.reads, accountId, issued.now),
      ]).catch(unavailable);
      const applicationsMax = limit.applicationsMax;
      return {
        applications: [...applications],
        stages: [...pipeline.stages],
        included,
        applicationsMax,
      };
    },
    "POST /api/applications": ({ body }, caller) =>
      addApplications(routes, actingOf(context, caller), body).catch(unavailable),
    "GET /api/applications/:applicationId": ({ params: { applicationId } }, caller) =>
      wholeApplication(routes, actingOf(context, caller), applicationId).catch(unavailable),
    "PATCH /api/applications/:applicationId": ({ params: { applicationId }, body }, caller) =>
      changeApplication(routes, actingOf(context, caller), applicationId, body).catch(unavailable),
    "POST /api/applications/moves": ({ body }, caller) =>
      moveApplications(routes, actingOf(context, caller), body).catch(unavailable),
    "POST /api/applications/archive": ({ body }, caller) =>
      archiveApplications(routes, actingOf(context, caller), body).catch(unavailable),
    "POST /api/applications/delete": async ({ body }, caller) => {
      await deleteApplications(routes, actingOf(context, caller), body).catch(unavailable);
      return done;
    },
    "PUT /api/applications/stages": async ({ body }, caller) =>
      await changeStages(routes, actingOf(context, caller), body).catch(unavailable),
    "GET /api/applications/reminders": async ({ query: { until, zone } }, caller) => {
      if (!TimeZone.safeParse(zone).success) throw new ProblemError(problems.zone_unknown);
      const end = startOfDay(dayPlus(until, 1), zone);
      const reading = context.readingFrom(caller.reads);
      return await openReminders(reading, actingOf(context, caller), end).catch(unavailable);
    },
    "GET /api/applications/suggestions": async (_input, caller) =>
      await suggestions(routes, actingOf(context, caller)).catch(unavailable),
    "GET /api/applications/statistics": async ({ query }, caller) =>
      await statistics(routes, actingOf(context, caller), query).catch(unavailable),
  });
}
