import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Application, Sent } from "@pro-talent/schemas/applications/application";
import type { applicationCalls, NewApplication } from "@pro-talent/schemas/applications/calls";
import type { ApplicationDescribed } from "@pro-talent/schemas/applications/events";
import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { applicationProblems as problems } from "@pro-talent/schemas/applications/problems";
import type { CallInput } from "@pro-talent/schemas/primitives/calls";

import type { Acting } from "../../acting.ts";
import {
  type ApplicationRoutes,
  eachAtOnce,
  idFrom,
  inTurnOf,
  issueCommand,
  requireContact,
  requireOwnLinks,
  requireTracker,
} from "./acting.ts";
import { applicant } from "./applications.ts";
import { type Pipeline, pipelineOf } from "./pipeline/pipelines.ts";
import { byRank, placeAt, type Ranked } from "./ranks.ts";
import { type ApplicationRow, applicationsOf } from "./read-models.ts";
import { viewsOf } from "./views.ts";

type Body<Name extends keyof typeof applicationCalls> =
  CallInput<(typeof applicationCalls)[Name]> extends { readonly body: infer Sent } ? Sent : never;

const referencesOf = ({ linkIds, cv }: Sent): ApplicationDescribed["data"] => ({
  linkIds: [...new Set(linkIds)],
  cv,
});

/** The applications of a stage, in their order, without some. */
const orderOf = (
  rows: readonly ApplicationRow[],
  { now }: Pipeline,
  stageId: string,
  without: ReadonlySet<string>,
): readonly Ranked[] =>
  rows
    .filter((row) => now(row.stageId) === stageId && !without.has(row.applicationId))
    .map(({ applicationId: id, rank }) => ({ id, rank }))
    .toSorted(byRank);

/** Applications as they are now, in the order of their ids. */
async function shown(
  { context }: ApplicationRoutes,
  accountId: string,
  ids: readonly string[],
): Promise<{ applications: Application[] }> {
  const { applications } = await viewsOf(context, accountId, ids);
  const known = new Map(applications.map((one) => [one.applicationId, one]));
  return { applications: ids.flatMap((id) => known.get(id) ?? []) };
}

/** Of a second command of the same request about the same application. */
const forNote = (acting: Acting): Acting => ({ ...acting, commandId: `${acting.commandId} note` });

/** Adds applications, each at the end of its stage; a repeated request finds those that it made. @throws ProblemError */
export async function addApplications(
  routes: ApplicationRoutes,
  acting: Acting,
  { applications: added }: Body<"POST /api/applications">,
) {
  const { context } = routes;
  const { accountId } = acting;
  await requireTracker(context, acting);
  await requireOwnLinks(
    context,
    acting,
    added.flatMap(({ sent }) => sent.linkIds),
  );
  const { email } = await requireContact(routes, acting);
  const ids = added.map((_, index) => idFrom(acting, `application ${index}`));
  await inTurnOf(context, acting, async () => {
    const places = await placesOf(routes, acting, ids, added);
    await eachAtOnce([...added.entries()], async ([index, { details, sent, note: text }]) => {
      const [applicationId, place] = [ids[index], places[index]];
      if (applicationId === undefined || place === undefined) return;
      const subject = await context.subjects.ofOccasion(applicant, applicationId, email);
      await issueCommand(context, acting, {
        applicationId,
        command: { type: "AddApplication", accountId, sent: referencesOf(sent), ...place },
        sealing: { type: "ApplicationDescribed", words: details },
        subject,
      });
      if (text === undefined) return;
      const noteId = idFrom(acting, `note ${index}`);
      await issueCommand(context, forNote(acting), {
        applicationId,
        command: { type: "AddNote", accountId, noteId },
        sealing: { type: "NoteAdded", words: { text } },
        subject,
      });
    });
  });
  return await shown(routes, accountId, ids);
}

/** Stages and ranks of new applications. @throws ProblemError */
async function placesOf(
  { context }: ApplicationRoutes,
  { accountId }: Acting,
  ids: readonly string[],
  added: readonly NewApplication[],
): Promise<readonly { readonly stageId: string; readonly rank: string }[]> {
  const [rows, pipeline] = await Promise.all([
    applicationsOf(context.ledger.sql, accountId),
    pipelineOf(context, accountId),
  ]);
  const own = new Set(ids);
  const all = new Set([...ids, ...rows.map(({ applicationId }) => applicationId)]);
  if (all.size > limit.applicationsMax) throw new ProblemError(problems.applications_full);
  const [first] = pipeline.stages;
  const stageIds = added.map(({ stageId }) => stageId ?? first?.stageId ?? "");
  const ranks = new Map<string, string>();
  for (const stageId of new Set(stageIds)) {
    requireStage(pipeline, stageId);
    const ordered = orderOf(rows, pipeline, stageId, own);
    const here = ids.filter((_, index) => stageIds[index] === stageId);
    for (const { id, rank } of placeAt(ordered, ordered.length, here)) ranks.set(id, rank);
  }
  return ids.map((id, index) => ({ stageId: stageIds[index] ?? "", rank: ranks.get(id) ?? "" }));
}

function requireStage({ stages }: Pipeline, wanted: string): void {
  if (!stages.some(({ stageId }) => stageId === wanted))
    throw new ProblemError(problems.stage_not_found);
}

/** Changes what an application states. @throws ProblemError */
export async function changeApplication(
  { context }: ApplicationRoutes,
  acting: Acting,
  applicationId: string,
  body: Body<"PATCH /api/applications/:applicationId">,
): Promise<{ application: Application }> {
  const { accountId } = acting;
  const before = await ownApplication(context, accountId, applicationId);
  await requireTracker(context, acting);
  const known = new Set(before.sent.linkIds);
  // What was sent stays known when the link is deleted.
  const linkIds = body.sent?.linkIds.filter((id) => !known.has(id)) ?? [];
  await requireOwnLinks(context, acting, linkIds);
  const { details = before.details, sent = before.sent } = body;
  await issueCommand(context, acting, {
    applicationId,
    command: { type: "DescribeApplication", accountId, sent: referencesOf(sent) },
    sealing: { type: "ApplicationDescribed", words: details },
  });
  return { application: await ownApplication(context, accountId, applicationId) };
}

/** An application of this account; that of another one is as unknown as none. @throws ProblemError */
export async function ownApplication(
  context: ApplicationRoutes["context"],
  accountId: string,
  applicationId: string,
): Promise<Application> {
  const [application] = (await viewsOf(context, accountId, [applicationId])).applications;
  if (application === undefined) throw new ProblemError(problems.application_not_found);
  return application;
}

/** Moves applications in front of another one, or to the end. @returns also those that got other ranks @throws ProblemError */
export async function moveApplications(
  routes: ApplicationRoutes,
  acting: Acting,
  { applicationIds, stageId, before }: Body<"POST /api/applications/moves">,
) {
  const { context } = routes;
  const { accountId } = acting;
  await requireTracker(context, acting);
  const ids = [...new Set(applicationIds)];
  const moved = await inTurnOf(context, acting, async () => {
    const [rows, pipeline] = await Promise.all([
      applicationsOf(context.ledger.sql, accountId),
      pipelineOf(context, accountId),
    ]);
    requireStage(pipeline, stageId);
    const stageOf = new Map(rows.map((row) => [row.applicationId, row.stageId]));
    const own = new Set(ids);
    const ordered = orderOf(rows, pipeline, stageId, own);
    const index = before === null ? ordered.length : ordered.findIndex(({ id }) => id === before);
    if (index === -1 || ids.some((id) => !stageOf.has(id)))
      throw new ProblemError(problems.application_not_found);
    const places = placeAt(ordered, index, ids);
    await eachAtOnce(places, ({ id, rank }) => {
      const to = own.has(id) ? stageId : (stageOf.get(id) ?? stageId);
      const command = { type: "MoveApplication", accountId, stageId: to, rank } as const;
      return issueCommand(context, acting, { applicationId: id, command });
    });
    return places.map(({ id }) => id);
  });
  return await shown(routes, accountId, moved);
}

/** Archives applications, or restores them. @throws ProblemError */
export async function archiveApplications(
  routes: ApplicationRoutes,
  acting: Acting,
  { applicationIds, archived }: Body<"POST /api/applications/archive">,
) {
  await requireTracker(routes.context, acting);
  const type = archived ? "ArchiveApplication" : "RestoreApplication";
  const ids = await commandEach(routes, acting, applicationIds, type);
  return await shown(routes, acting.accountId, ids);
}

/** Deletes applications; keys and files are destroyed at once afterwards. @throws ProblemError */
export async function deleteApplications(
  routes: ApplicationRoutes,
  acting: Acting,
  { applicationIds }: Body<"POST /api/applications/delete">,
): Promise<void> {
  await commandEach(routes, acting, applicationIds, "DeleteApplication");
}

/** The same command for each, once all are known to be the account's. */
async function commandEach(
  { context }: ApplicationRoutes,
  acting: Acting,
  applicationIds: readonly string[],
  type: "ArchiveApplication" | "RestoreApplication" | "DeleteApplication",
): Promise<readonly string[]> {
  const { accountId } = acting;
  const ids = [...new Set(applicationIds)];
  const rows = await applicationsOf(context.ledger.sql, accountId, ids);
  if (rows.length !== ids.length) throw new ProblemError(problems.application_not_found);
  await eachAtOnce(ids, (applicationId) =>
    issueCommand(context, acting, { applicationId, command: { type, accountId } }),
  );
  return ids;
}
