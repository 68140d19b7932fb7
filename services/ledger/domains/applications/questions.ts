import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type {
  Application,
  HistoryEntry,
  Reminder,
} from "@pro-talent/schemas/applications/application";
import { applicationProblems as problems } from "@pro-talent/schemas/applications/problems";
import { type Day, dayIn } from "@pro-talent/schemas/primitives/calendar";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { Acting } from "../../acting.ts";
import type { Reading } from "../../kernel/module.ts";
import { includesOpens } from "../../plans-in-use.ts";
import { type ApplicationRoutes, requireTracker } from "./acting.ts";
import { ownApplication } from "./change-applications.ts";
import { type Pipeline, pipelineOf } from "./pipeline/pipelines.ts";
import { applicationsOf, remindersOf } from "./read-models.ts";
import { dueAtOf } from "./reminders/decider.ts";
import { statisticsOf } from "./statistics.ts";
import { suggestionsFor } from "./suggestions.ts";
import { detailsOf, partsOf, reminderTextsOf, reminderView, viewsOf } from "./views.ts";

/** One application with all that belongs to it. @throws ProblemError */
export async function wholeApplication(
  { context }: ApplicationRoutes,
  { accountId, issued }: Acting,
  applicationId: string,
) {
  const { sql } = context.ledger;
  const application = await ownApplication(context, accountId, applicationId);
  const [known, reminders, pipeline] = await Promise.all([
    partsOf(context, [application.applicationId]),
    remindersOf(sql, accountId, [applicationId]),
    pipelineOf(context, accountId),
  ]);
  const parts = known.get(application.applicationId);
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

/** The reminders of an account that are not done; with `end`, those that are due before it. */
export async function allReminders(
  context: Reading,
  accountId: string,
  now: Instant,
  end?: Instant,
): Promise<Reminder[]> {
  const rows = (await remindersOf(context.ledger.sql, accountId)).filter(
    (row) => !row.done && (end === undefined || dueAtOf(row) < end),
  );
  const texts = await reminderTextsOf(context, rows);
  return rows.map((row) => reminderView(row, texts.get(row.reminderId) ?? "", now));
}

/** Reminders that are not done, and due before an instant. */
export async function openReminders(context: Reading, { accountId, issued }: Acting, end: Instant) {
  const reminders = await allReminders(context, accountId, issued.now, end);
  return { reminders: reminders.toSorted((one, other) => (one.dueAt < other.dueAt ? -1 : 1)) };
}

/** The zone of an applicant; UTC while it cannot be asked for. */
const zoneOf = ({ contactOf }: ApplicationRoutes, { accountId }: Acting): Promise<string> =>
  contactOf(accountId).then(
    (contact) => contact?.timeZone ?? "UTC",
    () => "UTC",
  );

/** What an applicant could do next. @throws ProblemError */
export async function suggestions(routes: ApplicationRoutes, acting: Acting) {
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

/** Of applications that were added in a span of days. */
export async function statistics(
  routes: ApplicationRoutes,
  acting: Acting,
  { from, to }: { readonly from?: Day | undefined; readonly to?: Day | undefined },
) {
  const { context } = routes;
  const { accountId } = acting;
  const [rows, details, pipeline, zone] = await Promise.all([
    applicationsOf(context.ledger.sql, accountId),
    detailsOf(context, accountId),
    pipelineOf(context, accountId),
    zoneOf(routes, acting),
  ]);
  const added = rows.filter(({ createdAt }) => {
    const day = dayIn(createdAt, zone);
    return (from === undefined || day >= from) && (to === undefined || day <= to);
  });
  const counted = added.map(({ applicationId, steps, stageId }) => ({
    steps: steps.map((step) => ({ kind: pipeline.kindOf(step.stageId), at: step.at })),
    now: pipeline.kindOf(pipeline.now(stageId)),
    source: details.get(applicationId)?.source ?? "",
  }));
  return statisticsOf(counted);
}
