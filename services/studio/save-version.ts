import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import type { Transaction } from "@pro-talent/platform/postgres/pool";
import type { CvDocument } from "@pro-talent/schemas/studio/document";
import { versionsKept } from "@pro-talent/schemas/studio/limits";

import { filesDueAfterEdit } from "./current-files.ts";
import { type CvRow, sealDocument } from "./cv-rows.ts";

type Saved = { readonly sealer: Sealer; readonly document: CvDocument; readonly nowMs: number };

/**
 * Saves a document as the newest version of a CV that this transaction has locked, and makes it the current one.
 * Undo leads to the one before; what could be redone there stays in the history alone.
 */
export async function saveVersion(
  tx: Transaction,
  { cv_id: cvId, account_id: accountId, current, newest }: CvRow,
  { sealer, document, nowMs }: Saved,
): Promise<CvRow> {
  const version = newest + 1;
  const now = new Date(nowMs);
  await tx`
    update studio.cv_version set redo_to = null
     where cv_id = ${cvId} and account_id = ${accountId} and version = ${current}`;
  await insertVersion(
    tx,
    { cvId, accountId, version, undoTo: current },
    { sealer, document, nowMs },
  );
  const [saved] = await tx<CvRow[]>`
    update studio.cv
       set current = ${version}, newest = ${version}, saved_at = ${now},
           files_due_at = ${filesDueAfterEdit(nowMs)},
           language = ${document.language}, template = ${document.page.template}
     where cv_id = ${cvId} and account_id = ${accountId} returning *`;
  if (saved === undefined) throw new Error("The CV is not locked");
  await forgetVersions(tx, saved, nowMs);
  return saved;
}

type Inserted = {
  readonly cvId: string;
  readonly accountId: string;
  readonly version: number;
  readonly undoTo: number | null;
};

/** Adds a version of a CV. */
export async function insertVersion(
  tx: Transaction,
  { cvId, accountId, version, undoTo }: Inserted,
  { sealer, document, nowMs }: Saved,
): Promise<void> {
  const sealed = sealDocument(sealer, document, { cvId, version });
  await tx`
    insert into studio.cv_version (cv_id, account_id, version, sealed_document, saved_at, undo_to)
    values (${cvId}, ${accountId}, ${version}, ${sealed}, ${new Date(nowMs)}, ${undoTo})`;
}

const dayMs = 24 * 60 * 60_000;

/** Deletes versions that are not kept: see `versionsKept`. Days are those of UTC. */
async function forgetVersions(
  tx: Transaction,
  { cv_id: cvId, account_id: accountId, current, newest }: CvRow,
  nowMs: number,
): Promise<void> {
  const { last, days } = versionsKept;
  await tx`
    delete from studio.cv_version old
     where cv_id = ${cvId} and account_id = ${accountId}
       and version <= ${newest - last} and version <> ${current} and sealed_name is null
       and (saved_at < ${new Date(nowMs - days * dayMs)} or exists (
         select from studio.cv_version later
          where later.cv_id = old.cv_id and later.version > old.version
            and date_trunc('day', later.saved_at, 'UTC') = date_trunc('day', old.saved_at, 'UTC')))`;
}
