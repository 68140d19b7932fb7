import { randomUUID } from "node:crypto";

import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import { redrawPicture } from "@pro-talent/platform/files/redraw-picture";
import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { Queryable, Transaction } from "@pro-talent/platform/postgres/pool";
import type { cvCalls } from "@pro-talent/schemas/studio/calls";
import type { CvDocument } from "@pro-talent/schemas/studio/document";
import { cvLimits } from "@pro-talent/schemas/studio/limits";

import type { StudioContext } from "./context.ts";
import { type CvRow, findCv, lockCv, openCurrent } from "./cv-rows.ts";
import type { Photo } from "./pdf/draw-cv.ts";

const boundTo = (fileId: string): string => `photo ${fileId}`;

/** Stores photos of CVs. */
export function photoHandlers({
  sql,
  keys,
  clock,
}: StudioContext): CallHandlers<Pick<typeof cvCalls, "POST /api/cvs/:cvId/photo">> {
  return {
    "POST /api/cvs/:cvId/photo": async ({ params, body }, { account: { accountId }, refuse }) => {
      if (!(await findCv(sql, { accountId, ...params }))) refuse("cv_not_found");
      const photo = await redrawPicture(Buffer.from(body.content, "base64"));
      if (photo === undefined) return refuse("photo_unreadable");
      return sql.begin(async (tx) => {
        const cv = (await lockCv(tx, { accountId, ...params })) ?? refuse("cv_not_found");
        const { sealer, document } = await openCurrent(tx, keys, cv);
        await forgetPhotos(tx, cv, document.profile.photo?.file ?? null);
        return { file: await storePhoto(tx, { sealer, cv, nowMs: clock() }, photo) };
      });
    },
  };
}

/** Makes a place for one more: the oldest ones are deleted, never that of the current document. */
async function forgetPhotos(tx: Transaction, cv: CvRow, shown: string | null): Promise<void> {
  await tx`
    delete from studio.photo where file_id in (
      select file_id from studio.photo
       where cv_id = ${cv.cv_id} and account_id = ${cv.account_id}
         and file_id is distinct from ${shown}::uuid
       order by stored_at desc, file_id offset ${cvLimits.photosMax - 2})`;
}

type Stored = { readonly sealer: Sealer; readonly cv: CvRow; readonly nowMs: number };

async function storePhoto(
  tx: Transaction,
  { sealer, cv, nowMs }: Stored,
  photo: Buffer,
): Promise<string> {
  const fileId = randomUUID();
  await tx`
    insert into studio.photo (file_id, cv_id, account_id, sealed, stored_at)
    values (${fileId}, ${cv.cv_id}, ${cv.account_id}, ${sealer.seal(photo, boundTo(fileId))},
            ${new Date(nowMs)})`;
  return fileId;
}

/** The document with a photo of its own, so that the other CV can be deleted; as it is where it has none. */
export async function copyPhoto(
  tx: Transaction,
  { document, ...of }: Stored & { readonly document: CvDocument },
): Promise<CvDocument> {
  const { photo } = document.profile;
  if (photo === null) return document;
  const { sealer, cv } = of;
  const bytes = await readPhoto(tx, sealer, { accountId: cv.account_id, fileId: photo.file });
  const file = bytes && (await storePhoto(tx, of, bytes));
  return { ...document, profile: { ...document.profile, photo: file ? { ...photo, file } : null } };
}

/** A photo of this account. */
export async function readPhoto(
  sql: Queryable,
  sealer: Sealer,
  { accountId, fileId }: { readonly accountId: string; readonly fileId: string },
): Promise<Buffer | undefined> {
  const [row] = await sql<{ sealed: Buffer }[]>`
    select sealed from studio.photo where file_id = ${fileId} and account_id = ${accountId}`;
  return row && sealer.unseal(row.sealed, boundTo(fileId));
}

/** The photo that the pages of a document show; undefined for none, and for one that is gone. */
export async function shownPhoto(
  { sql, keys }: Pick<StudioContext, "sql" | "keys">,
  accountId: string,
  { page, profile }: CvDocument,
): Promise<Photo | undefined> {
  if (!page.showPhoto || profile.photo === null) return undefined;
  const sealer = await keys.find(sql, accountId);
  const bytes = sealer && (await readPhoto(sql, sealer, { accountId, fileId: profile.photo.file }));
  return bytes && { bytes, kind: "webp" };
}
