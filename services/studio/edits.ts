import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { Transaction } from "@pro-talent/platform/postgres/pool";
import type { cvCalls, CvState } from "@pro-talent/schemas/studio/calls";
import { CvDocument } from "@pro-talent/schemas/studio/document";
import { type Conflict, mergeDocuments } from "@pro-talent/schemas/studio/merge";

import type { StudioContext } from "./context.ts";
import { filesDueAfterEdit } from "./current-files.ts";
import { type CvRow, findVersion, lockCv, openCurrent, openDocument, stateOf } from "./cv-rows.ts";
import { saveVersion } from "./save-version.ts";

type EditCalls = Pick<
  typeof cvCalls,
  | "POST /api/cvs/:cvId/edits"
  | "POST /api/cvs/:cvId/undo"
  | "POST /api/cvs/:cvId/redo"
  | "POST /api/cvs/:cvId/versions/:version/restore"
>;

/** Changes of a document. Each is one transaction in which no one else changes the CV. */
export function editHandlers(context: StudioContext): CallHandlers<EditCalls> {
  const { sql, keys } = context;
  return {
    "POST /api/cvs/:cvId/edits": async ({ params, body }, { account: { accountId }, refuse }) =>
      sql.begin(async (tx) => {
        const cv = (await lockCv(tx, { accountId, ...params })) ?? refuse("cv_not_found");
        const edited = await merged(tx, context, { cv, ...body });
        if (typeof edited === "string") return refuse(edited);
        const saved = await saveChanged(tx, context, cv, edited.document);
        return { cv: await stateOf(tx, keys, saved), conflicts: [...edited.conflicts] };
      }),
    "POST /api/cvs/:cvId/undo": async ({ params, body }, { account: { accountId }, refuse }) => {
      const asked = { accountId, ...params, seen: body?.version };
      const stepped = await step(context, asked, "undo_to");
      return typeof stepped === "string" ? refuse(stepped) : { cv: stepped };
    },
    "POST /api/cvs/:cvId/redo": async ({ params, body }, { account: { accountId }, refuse }) => {
      const asked = { accountId, ...params, seen: body?.version };
      const stepped = await step(context, asked, "redo_to");
      return typeof stepped === "string" ? refuse(stepped) : { cv: stepped };
    },
    "POST /api/cvs/:cvId/versions/:version/restore": async (
      { params: { cvId, version } },
      { account: { accountId }, refuse },
    ) =>
      sql.begin(async (tx) => {
        const cv = (await lockCv(tx, { accountId, cvId })) ?? refuse("cv_not_found");
        const row = (await findVersion(tx, cv, version)) ?? refuse("version_not_found");
        const document = openDocument(await keys.sealerOf(tx, accountId), cv, row);
        return { cv: await stateOf(tx, keys, await saveChanged(tx, context, cv, document)) };
      }),
  };
}

type Edit = { readonly cv: CvRow; readonly basedOn: number; readonly document: CvDocument };
type Edited = { readonly document: CvDocument; readonly conflicts: readonly Conflict[] };

/** An edit together with what was saved since the version that it is based on; or why it cannot be. */
async function merged(
  tx: Transaction,
  { keys }: StudioContext,
  { cv, basedOn, document }: Edit,
): Promise<Edited | "version_not_kept" | "cv_too_long"> {
  const mine = { ...document, otherLanguage: cv.other_language };
  const base = await findVersion(tx, cv, basedOn);
  if (base === undefined) return "version_not_kept";
  if (basedOn === cv.current) return { document: mine, conflicts: [] };
  const { sealer, document: theirs } = await openCurrent(tx, keys, cv);
  const { conflicts, ...result } = mergeDocuments(openDocument(sealer, cv, base), theirs, mine);
  const both = CvDocument.safeParse(result.merged);
  return both.success ? { document: both.data, conflicts } : "cv_too_long";
}

/** Saves a document, unless it says what the current version says. */
async function saveChanged(
  tx: Transaction,
  { keys, clock }: StudioContext,
  cv: CvRow,
  document: CvDocument,
): Promise<CvRow> {
  const { sealer, document: now } = await openCurrent(tx, keys, cv);
  if (JSON.stringify(document) === JSON.stringify(now)) return cv;
  return saveVersion(tx, cv, { sealer, document, nowMs: clock() });
}

type Asked = {
  readonly accountId: string;
  readonly cvId: string;
  readonly seen: number | undefined;
};

/** Moves a CV by one edit; not if another version than the one that was seen is the current one by now. */
const step = (
  { sql, ...context }: StudioContext,
  { seen, ...of }: Asked,
  direction: "undo_to" | "redo_to",
): Promise<CvState | "cv_not_found" | "nothing_to_undo"> =>
  sql.begin(async (tx) => {
    const cv = await lockCv(tx, of);
    if (cv === undefined) return "cv_not_found";
    const isSeen = seen === undefined || seen === cv.current;
    const moved = isSeen ? await move(tx, context, cv, direction) : cv;
    return moved === undefined ? "nothing_to_undo" : stateOf(tx, context.keys, moved);
  });

/** Makes the version before the last edit the current one, or the one after it. */
async function move(
  tx: Transaction,
  { keys, clock }: Pick<StudioContext, "keys" | "clock">,
  cv: CvRow,
  direction: "undo_to" | "redo_to",
): Promise<CvRow | undefined> {
  const { sealer, current } = await openCurrent(tx, keys, cv);
  const to = current[direction];
  const target = to === null ? undefined : await findVersion(tx, cv, to);
  if (target === undefined) return undefined;
  if (direction === "undo_to") {
    await tx`
      update studio.cv_version set redo_to = ${cv.current}
       where cv_id = ${cv.cv_id} and account_id = ${cv.account_id} and version = ${target.version}`;
  }
  const { language, page } = openDocument(sealer, cv, target);
  const [moved] = await tx<CvRow[]>`
    update studio.cv
       set current = ${target.version}, saved_at = ${new Date(clock())}, language = ${language},
           template = ${page.template}, files_due_at = ${filesDueAfterEdit(clock())}
     where cv_id = ${cv.cv_id} and account_id = ${cv.account_id} returning *`;
  return moved;
}
