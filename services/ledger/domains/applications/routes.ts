import { addCalls } from "@pro-talent/platform/http/add-calls";
import { limitAccounts } from "@pro-talent/platform/http/rate-limit";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { HistoryEntry } from "@pro-talent/schemas/applications/application";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { applicationProblems as problems } from "@pro-talent/schemas/applications/problems";
import { TimeZone } from "@pro-talent/schemas/accounts/profile";
import { dayIn, dayPlus, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import type { FastifyInstance } from "fastify";

import { unavailable } from "../../kernel/http.ts";
import { includesOpens, includesTracker } from "../../plans-in-use.ts";
import {
  type Acting,
  actingOf,
  type ApplicationRoutes,
  inTurnOf,
  requireContact,
  requireTracker,
} from "./acting.ts";
import {
  addApplications,
  archiveApplications,
  changeApplication,
  deleteApplications,
  moveApplications,
  ownApplication,
} from "./change-applications.ts";
import { addPartRoutes } from "./part-routes.ts";
import { changePipeline, type Pipeline, pipelineOf } from "./pipeline/pipelines.ts";
import { applicationsOf, remindersOf } from "./read-models.ts";
import { dueAtOf } from "./reminders/decider.ts";
import { addReminderMailRoutes } from "./reminders/off-routes.ts";
import { statisticsOf } from "./statistics.ts";
import { suggestionsFor } from "./suggestions.ts";
import { detailsOf, partsOf, reminderTextsOf, reminderView, viewsOf } from "./views.ts";

const done = { status: "done" as const };
/** Of one account: who sorts a board by keyboard makes several in a second. */
const callsPerMinute = 600;

// Tables, calendars and postings are served by a module of their own.
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
    await limitAccounts(scope, callsPerMinute);
    addOwnerRoutes(scope, routes);
    addPartRoutes(scope, routes);
  });
  await app.register(async (scope) => addReminderMailRoutes(scope, routes.context));
}

function addOwnerRoutes(app: FastifyInstance, routes: ApplicationRoutes): void {
  const { context } = routes;
  const { sql } = context.ledger;
  addCalls(app, ownCalls, {
    "GET /api/applications": async (_input, caller) => {
      const { accountId, issued } = actingOf(context, caller);
      const [{ applications, pipeline }, included] = await Promise.all([
        viewsOf(context, accountId),
        includesTracker(sql, accountId, issued.now),
      ]).catch(unavailable);
      const applicationsMax = limit.applicationsMax;
      return { applications: [...applications], stages: [...pipeline.stages], included, applicationsMax };
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
      return await openReminders(routes, actingOf(context, caller), end).catch(unavailable);
    },
    "GET /api/applications/suggestions": async (_input, caller) =>
      await suggestions(routes, actingOf(context, caller)).catch(unavailable),
    "GET /api/applications/statistics": async ({ query }, caller) =>
      await statistics(routes, actingOf(context, caller), query).catch(unavailable),
  });
}

async function wholeApplication(
  { context }: ApplicationRoutes,
  { accountId, issued }: Acting,
  applicationId: string,
) {
  const { sql } = context.ledger;
  const application = await ownApplication(context, accountId, applicationId);
  const [parts, reminders, pipeline] = await Promise.all([
    partsOf(context, applicationId),
    remindersOf(sql, accountId, [applicationId]),
    pipelineOf(context, accountId),
  ]);
  if (parts === undefined) throw new ProblemError(problems.application_not_found);
  const { notes, files, reminderTexts, history } = parts;
  return {
    application,
    notes: [...notes],
    files: files.map(({ fileId, name, bytes, addedAt }) => ({ fileId, name, bytes, addedAt })),
    reminders: reminders
      .map((row) => reminderView(row, reminderTexts.get(row.reminderId) ?? "", issued.now))
      .toSorted((one, other) => (one.dueAt < other.dueAt ? -1 : 1)),
    history: history.flatMap((entry) => historyNow(entry, pipeline)),
  };
}

/** Stages that were left out are those that took their place. */
function historyNow(entry: HistoryEntry, { now }: Pipeline): readonly HistoryEntry[] {
  if (entry.kind === "added") return [{ ...entry, stageId: now(entry.stageId) }];
  if (entry.kind !== "moved") return [entry];
  const [from, to] = [now(entry.from), now(entry.to)];
  return from === to ? [] : [{ ...entry, from, to }];
}

type StagesBody = Parameters<typeof changePipeline>[1];

async function changeStages(
  routes: ApplicationRoutes,
  acting: Acting,
  { stages, moved }: Pick<StagesBody, "stages" | "moved">,
) {
  const { context } = routes;
  const { accountId, issued, commandId } = acting;
  await requireTracker(context, acting);
  if (new Set(stages.map(({ stageId }) => stageId)).size < stages.length)
    throw new ProblemError("bad_request");
  const { email } = await requireContact(routes, acting);
  const result = await inTurnOf(context, acting, async () => {
    const rows = await applicationsOf(context.ledger.sql, accountId);
    const { now } = await pipelineOf(context, accountId);
    const inUse = new Set(rows.map(({ stageId }) => now(stageId)));
    const pipeline = { accountId, email, stages, moved, inUse };
    return await changePipeline(context, pipeline, { ...issued, commandId });
  });
  if (result.kind === "refusal") {
    switch (result.code) {
      case "stage_in_use":
      case "stage_not_found":
        throw new ProblemError(problems[result.code]);
      default:
        throw storeProblem(result.code);
    }
  }
  return { stages: [...(await pipelineOf(context, accountId)).stages] };
}

/** Reminders that are not done, and due before an instant. */
async function openReminders(
  { context }: ApplicationRoutes,
  { accountId, issued }: Acting,
  end: Instant,
) {
  const rows = (await remindersOf(context.ledger.sql, accountId)).filter(
    (row) => !row.done && dueAtOf(row) < end,
  );
  const texts = await reminderTextsOf(context, rows);
  const reminders = rows.map((row) =>
    reminderView(row, texts.get(row.reminderId) ?? "", issued.now),
  );
  return { reminders: reminders.toSorted((one, other) => (one.dueAt < other.dueAt ? -1 : 1)) };
}

/** The zone of an applicant; UTC while it cannot be asked for. */
const zoneOf = ({ contactOf }: ApplicationRoutes, { accountId }: Acting): Promise<string> =>
  contactOf(accountId).then(
    (contact) => contact?.timeZone ?? "UTC",
    () => "UTC",
  );

async function suggestions(routes: ApplicationRoutes, acting: Acting) {
  const { context } = routes;
  const { accountId, issued } = acting;
  await requireTracker(context, acting);
  const [{ applications, pipeline }, zone] = await Promise.all([
    viewsOf(context, accountId),
    zoneOf(routes, acting),
  ]);
  const opens = await knownOpens(routes, acting, applications);
  const kinds = new Map(pipeline.stages.map(({ stageId, kind }) => [stageId, kind]));
  const known = applications.map((one) => ({ ...one, kind: kinds.get(one.stageId) ?? "saved" }));
  const found = suggestionsFor(known, { opens: opens ?? new Map(), now: issued.now, zone });
  return { suggestions: [...found], opensKnown: opens !== undefined };
}

/** Opens of the links that were sent; undefined when they cannot be asked for, or are not part of the plan. */
async function knownOpens(
  { context, opensOf }: ApplicationRoutes,
  { accountId, issued }: Acting,
  applications: readonly Application[],
) {
  const sent = applications.filter(({ sent: { linkIds } }) => linkIds.length > 0);
  const from = sent.reduce<Instant>(
    (first, { createdAt }) => (createdAt < first ? createdAt : first),
    issued.now,
  );
  if (!(await includesOpens(context.ledger.sql, accountId, issued.now))) return undefined;
  if (sent.length === 0) return new Map<string, never>();
  return await opensOf(accountId, from, issued.now).catch((error: unknown) => {
    context.log.warn({ err: error }, "suggestions are made without opens");
    return undefined;
  });
}

async function statistics(
  routes: ApplicationRoutes,
  acting: Acting,
  { from, to }: { readonly from?: Day | undefined; readonly to?: Day | undefined },
) {
  const { context } = routes;
  const { accountId } = acting;
  const [rows, pipeline, zone] = await Promise.all([
    applicationsOf(context.ledger.sql, accountId),
    pipelineOf(context, accountId),
    zoneOf(routes, acting),
  ]);
  const added = rows.filter(({ createdAt }) => {
    const day = dayIn(createdAt, zone);
    return (from === undefined || day >= from) && (to === undefined || day <= to);
  });
  const ids = added.map(({ applicationId }) => applicationId);
  const details = await detailsOf(context, ids);
  const counted = added.map(({ applicationId, steps, stageId }) => ({
    steps: steps.map((step) => ({ kind: pipeline.kindOf(step.stageId), at: step.at })),
    now: pipeline.kindOf(pipeline.now(stageId)),
    source: details.get(applicationId)?.source ?? "",
  }));
  return statisticsOf(counted);
}
