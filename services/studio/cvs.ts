import { randomUUID } from "node:crypto";

import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { Queryable, Transaction } from "@pro-talent/platform/postgres/pool";
import type { cvCalls } from "@pro-talent/schemas/studio/calls";
import { CvDocument } from "@pro-talent/schemas/studio/document";
import { cvLimits } from "@pro-talent/schemas/studio/limits";

import type { StudioContext } from "./context.ts";
import { filesDueAfterEdit } from "./current-files.ts";
import {
  type CvRow,
  findCv,
  lockCv,
  openCurrent,
  sealTitle,
  stateOf,
  summaryOf,
} from "./cv-rows.ts";
import { copyPhoto } from "./photos.ts";
import { renewRevision } from "./portfolio/rows.ts";
import { insertVersion } from "./save-version.ts";

type CvCalls = Pick<
  typeof cvCalls,
  | "GET /api/cvs"
  | "POST /api/cvs"
  | "GET /api/cvs/:cvId"
  | "PATCH /api/cvs/:cvId"
  | "DELETE /api/cvs/:cvId"
>;

/** The CVs of an account as a list, and each as a whole. */
export function cvHandlers(context: StudioContext): CallHandlers<CvCalls> {
  const { sql, keys, clock } = context;
  const { cvsMax } = cvLimits;
  return {
    "GET /api/cvs": async (_input, { account: { accountId }, reads }) => ({
      cvs: (await listCvs({ keys, sql: reads }, accountId)).map(({ sealer, cv }) =>
        summaryOf(sealer, cv),
      ),
      cvsMax,
    }),
    "POST /api/cvs": async ({ body }, { account: { accountId }, refuse }) =>
      sql.begin(async (tx) => {
        const nowMs = clock();
        const sealer = await keys.sealerFor(tx, accountId, nowMs);
        // Held until the end, so that two calls at once make no more than allowed.
        await tx`select from studio.data_key where key_id = ${accountId} for update`;
        const own = await tx`select from studio.cv where account_id = ${accountId}`;
        if (own.length >= cvsMax) refuse("cvs_full");
        const { copyOf } = body;
        const source =
          copyOf === undefined
            ? undefined
            : ((await lockCv(tx, { accountId, cvId: copyOf })) ?? refuse("cv_not_found"));
        const cv = await makeCv(tx, context, { ...body, accountId, source, sealer, nowMs });
        return { cv: await stateOf(tx, keys, cv) };
      }),
    "GET /api/cvs/:cvId": async ({ params }, { account: { accountId }, refuse }) => {
      const cv = (await findCv(sql, { accountId, ...params })) ?? refuse("cv_not_found");
      return { cv: await stateOf(sql, keys, cv) };
    },
    "PATCH /api/cvs/:cvId": async ({ params, body }, { account: { accountId }, refuse }) =>
      sql.begin(async (tx) => {
        const cv = (await lockCv(tx, { accountId, ...params })) ?? refuse("cv_not_found");
        const sealer = await keys.sealerOf(tx, accountId);
        const archived = body.archived ?? cv.archived_at !== null;
        const sealed =
          body.title === undefined ? cv.sealed_title : sealTitle(sealer, body.title, cv.cv_id);
        const [changed = cv] = await tx<CvRow[]>`
          update studio.cv
             set sealed_title = ${sealed},
                 archived_at = ${archived ? (cv.archived_at ?? new Date(clock())) : null}
           where cv_id = ${cv.cv_id} and account_id = ${accountId} returning *`;
        return { cv: summaryOf(sealer, changed) };
      }),
    "DELETE /api/cvs/:cvId": async ({ params: { cvId } }, { account: { accountId }, refuse }) => {
      const { count } = await sql`
        delete from studio.cv where cv_id = ${cvId} and account_id = ${accountId}`;
      if (count === 0) refuse("cv_not_found");
      // A portfolio may have offered it.
      await renewRevision(sql, accountId);
      return { status: "done" as const };
    },
  };
}

/** The CVs of an account, the last edited first, with what opens them. */
export async function listCvs(
  { sql, keys }: Pick<StudioContext, "keys"> & { readonly sql: Queryable },
  accountId: string,
): Promise<{ readonly sealer: Sealer; readonly cv: CvRow }[]> {
  const sealer = await keys.find(sql, accountId);
  if (sealer === undefined) return [];
  const rows = await sql<CvRow[]>`
    select * from studio.cv where account_id = ${accountId} order by saved_at desc, cv_id`;
  return rows.map((cv) => ({ sealer, cv }));
}

type NewCv = {
  readonly accountId: string;
  readonly title: string;
  readonly language: CvDocument["language"];
  readonly document?: CvDocument | undefined;
  readonly source: CvRow | undefined;
  readonly sealer: Sealer;
  readonly nowMs: number;
};

/** Makes a CV with its first version; a copy in the other language and its source name each other. */
async function makeCv(
  tx: Transaction,
  { keys }: Pick<StudioContext, "keys">,
  { accountId, title, language, document: given, source, sealer, nowMs }: NewCv,
): Promise<CvRow> {
  const cvId = randomUUID();
  const original = source && (await openCurrent(tx, keys, source)).document;
  const written =
    given ?? original ?? CvDocument.parse({ version: 1, language, page: {}, profile: {} });
  const linked = source !== undefined && language !== source.language ? source.cv_id : null;
  const now = new Date(nowMs);
  const [cv] = await tx<CvRow[]>`
    insert into studio.cv (cv_id, account_id, sealed_title, language, template, current, newest,
                           other_language, created_at, saved_at, files_due_at)
    values (${cvId}, ${accountId}, ${sealTitle(sealer, title, cvId)}, ${language},
            ${written.page.template}, 1, 1, ${linked}::uuid, ${now}, ${now},
            ${filesDueAfterEdit(nowMs)})
    returning *`;
  if (cv === undefined) throw new Error("The CV was not made");
  if (linked !== null) await linkBack(tx, cv, linked);
  const copied = source && (await copyPhoto(tx, { sealer, cv, document: written, nowMs }));
  const document = { ...(copied ?? written), language, otherLanguage: linked };
  await insertVersion(
    tx,
    { cvId, accountId, version: 1, undoTo: null },
    { sealer, document, nowMs },
  );
  return cv;
}

/** A CV names one other; one that was named before names none. */
async function linkBack(tx: Transaction, cv: CvRow, sourceId: string): Promise<void> {
  await tx`
    update studio.cv set other_language = null
     where account_id = ${cv.account_id} and other_language = ${sourceId} and cv_id <> ${cv.cv_id}`;
  await tx`
    update studio.cv set other_language = ${cv.cv_id}
     where account_id = ${cv.account_id} and cv_id = ${sourceId}`;
}
