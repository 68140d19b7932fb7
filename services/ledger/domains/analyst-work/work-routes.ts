import { type CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import type { WorkContent } from "@pro-talent/schemas/analysts/saved-work";
import {
  type savedWorkCalls,
  workProblems as problems,
} from "@pro-talent/schemas/analysts/work-calls";

import type { Json } from "../../kernel/canonical-json.ts";
import { unavailable } from "../../kernel/http.ts";
import { inTurn } from "../../kernel/in-turn.ts";
import {
  type Acting,
  actingOf,
  type Caller,
  openWork,
  required,
  requireAnswer,
  requireWithheld,
  type WorkRoutes,
} from "./acting.ts";
import type { Asking, SavedWorkCommand } from "./decider.ts";
import { contentOf, summariesOf, visibleWork, wholeWork, workRows } from "./read-work.ts";
import { queriesIn } from "./runnable.ts";
import { commandWork, subjectOfWork } from "./saved-work.ts";

const base = "/api/console/analyst/work";

/** Saved queries and dashboards of analysts. */
export function savedWorkHandlers(routes: WorkRoutes): CallHandlers<typeof savedWorkCalls> {
  const { context } = routes;
  /** Changes work, and answers it as it is then. */
  const change = async (
    caller: Caller,
    workId: string,
    commandOf: (by: Asking) => SavedWorkCommand,
    sealing?: Sealing,
  ) => {
    const acting = actingOf(routes, caller);
    const command = commandOf(acting.asking);
    await issue(routes, acting, { workId, command, sealing }).catch(unavailable);
    return { saved: await shown(routes, acting, workId).catch(unavailable) };
  };
  return {
    [`GET ${base}/saved` as const]: async (_input, caller) => {
      const { asking } = actingOf(routes, caller);
      const rows = await workRows(context, { seenBy: asking }).catch(unavailable);
      return { saved: await summariesOf(context, rows, asking).catch(unavailable) };
    },
    [`POST ${base}/saved` as const]: async ({ body: { title, content } }, caller) => {
      const acting = actingOf(routes, caller);
      await requireTiles(routes, acting, content).catch(unavailable);
      return { saved: await create(routes, acting, { title, content }).catch(unavailable) };
    },
    [`GET ${base}/saved/:workId` as const]: async ({ params: { workId } }, caller) => ({
      saved: await shown(routes, actingOf(routes, caller), workId).catch(unavailable),
    }),
    [`GET ${base}/saved/:workId/versions/:version` as const]: async ({ params }, caller) => {
      const { asking } = actingOf(routes, caller);
      const row = await visibleWork(context, params.workId, asking).catch(unavailable);
      required(row, "work_not_found");
      const content = await contentOf(context, params).catch(unavailable);
      return { content: required(content, "version_not_found") };
    },
    [`POST ${base}/saved/:workId/versions` as const]: async ({ params, body }, caller) => {
      const { content, expectedVersion } = body;
      const { kind } = content;
      await requireTiles(routes, actingOf(routes, caller), content).catch(unavailable);
      const sealing = { type: "WorkSaved", words: { content } } as const;
      const saves = (by: Asking) => ({ type: "SaveVersion", by, kind, expectedVersion }) as const;
      return await change(caller, params.workId, saves, sealing);
    },
    [`PUT ${base}/saved/:workId/title` as const]: ({ params, body: words }, caller) => {
      const sealing = { type: "WorkRenamed", words } as const;
      return change(caller, params.workId, (by) => ({ type: "RenameWork", by }), sealing);
    },
    [`PUT ${base}/saved/:workId/sharing` as const]: ({ params, body }, caller) =>
      change(caller, params.workId, (by) => ({ type: "ShareWork", by, ...body })),
    [`POST ${base}/saved/:workId/archive` as const]: ({ params }, caller) =>
      change(caller, params.workId, (by) => ({ type: "ArchiveWork", by })),
    [`POST ${base}/saved/:workId/restore` as const]: ({ params }, caller) =>
      change(caller, params.workId, (by) => ({ type: "RestoreWork", by })),
  };
}

/** @throws ProblemError `work_not_found` */
async function shown({ context }: WorkRoutes, { asking }: Acting, workId: string) {
  const row = await visibleWork(context, workId, asking);
  const whole = row && (await wholeWork(context, row, asking));
  return required(whole, "work_not_found");
}

async function create(
  routes: WorkRoutes,
  acting: Acting,
  words: { readonly title: string; readonly content: WorkContent },
) {
  const { context } = routes;
  const { asking, newId: workId } = acting;
  const { kind } = words.content;
  await inTurn(context.ledger.sql, `saved work of ${asking.accountId}`, async () => {
    const own = await workRows(context, { ownerId: asking.accountId });
    if (own.filter((row) => row.workId !== workId).length >= analystLimits.savedMax)
      throw new ProblemError(problems.work_full);
    const command = { type: "CreateWork", by: asking, kind } as const;
    await issue(routes, acting, { workId, command, sealing: { type: "WorkSaved", words } });
  });
  return await shown(routes, acting, workId);
}

type Sealing = { readonly type: "WorkSaved" | "WorkRenamed"; readonly words: Json };

/** @throws ProblemError with the decider's code */
async function issue(
  { context }: WorkRoutes,
  { asking, issued }: Acting,
  {
    workId,
    command,
    sealing,
  }: { workId: string; command: SavedWorkCommand; sealing?: Sealing | undefined },
): Promise<void> {
  // A key is made for work that exists, or is begun now: not for every id that someone asks about.
  if (command.type !== "CreateWork")
    required(await visibleWork(context, workId, asking), "work_not_found");
  const sealed = sealing && {
    ...(await subjectOfWork(context, workId)).seal(sealing.words),
    type: sealing.type,
  };
  requireAnswer(
    await commandWork(context, workId, command, { ...issued, ...(sealed && { sealed }) }),
  );
}

/**
 * The queries of a dashboard can be seen by who saves it, and their small groups withheld.
 * @throws ProblemError `work_not_found`, or `query_not_withheld` with the reason
 */
async function requireTiles(
  routes: WorkRoutes,
  acting: Acting,
  content: WorkContent,
): Promise<void> {
  for (const workId of new Set(queriesIn(content))) {
    const query = await openWork(routes, acting, { kind: "query", workId });
    await requireWithheld(routes, query.content);
  }
}
