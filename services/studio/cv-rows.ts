import { deflateRawSync, inflateRawSync } from "node:zlib";

import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import type { Queryable, Transaction } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { CvState, CvSummary } from "@pro-talent/schemas/studio/calls";
import type { CvDocument } from "@pro-talent/schemas/studio/document";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";

import type { StudioKeys } from "./keys.ts";

/** A CV as its row has it. */
export type CvRow = {
  readonly cv_id: string;
  readonly account_id: string;
  readonly sealed_title: Buffer;
  readonly language: Locale;
  readonly template: CvSummary["template"];
  /** The version that is the CV now, and the last number that was given. */
  readonly current: number;
  readonly newest: number;
  readonly other_language: string | null;
  readonly created_at: Date;
  readonly saved_at: Date;
  readonly archived_at: Date | null;
};

/** A version as its row has it. */
export type VersionRow = {
  readonly version: number;
  readonly sealed_document: Buffer;
  readonly sealed_name: Buffer | null;
  readonly saved_at: Date;
  readonly undo_to: number | null;
  readonly redo_to: number | null;
};

type CvId = { readonly accountId: string; readonly cvId: string };

/** A CV of this account; undefined when there is none. */
export async function findCv(
  sql: Queryable,
  { accountId, cvId }: CvId,
): Promise<CvRow | undefined> {
  const [row] = await sql<CvRow[]>`
    select * from studio.cv where cv_id = ${cvId} and account_id = ${accountId}`;
  return row;
}

/** The same, and no one else changes it until the transaction ends. */
export async function lockCv(
  tx: Transaction,
  { accountId, cvId }: CvId,
): Promise<CvRow | undefined> {
  const [row] = await tx<CvRow[]>`
    select * from studio.cv where cv_id = ${cvId} and account_id = ${accountId} for update`;
  return row;
}

/** A version that is kept. */
export async function findVersion(
  sql: Queryable,
  cv: Pick<CvRow, "cv_id" | "account_id">,
  version: number,
): Promise<VersionRow | undefined> {
  const [row] = await sql<VersionRow[]>`
    select * from studio.cv_version
     where cv_id = ${cv.cv_id} and account_id = ${cv.account_id} and version = ${version}`;
  return row;
}

const documentBoundTo = (cvId: string, version: number): string => `document ${cvId} ${version}`;
const nameBoundTo = (cvId: string, version: number): string => `name ${cvId} ${version}`;
const titleBoundTo = (cvId: string): string => `title ${cvId}`;

/** Compressed first: many versions of a document are kept. */
export function sealDocument(
  sealer: Sealer,
  document: CvDocument,
  of: { readonly cvId: string; readonly version: number },
): Buffer {
  const bytes = deflateRawSync(JSON.stringify(document));
  return sealer.seal(bytes, documentBoundTo(of.cvId, of.version));
}

/** The document of a version. It names the CV in the other language that the CV is linked to now. */
export function openDocument(
  sealer: Sealer,
  cv: Pick<CvRow, "cv_id" | "other_language">,
  { version, sealed_document: sealed }: VersionRow,
): CvDocument {
  const bytes = sealer.unseal(sealed, documentBoundTo(cv.cv_id, version));
  const document = readCvDocument(JSON.parse(inflateRawSync(bytes).toString("utf8")));
  return { ...document, otherLanguage: cv.other_language };
}

export const sealTitle = (sealer: Sealer, title: string, cvId: string): Buffer =>
  sealer.seal(Buffer.from(title), titleBoundTo(cvId));
export const titleOf = (
  sealer: Sealer,
  { sealed_title, cv_id }: Pick<CvRow, "sealed_title" | "cv_id">,
): string => sealer.unseal(sealed_title, titleBoundTo(cv_id)).toString();

export const sealName = (sealer: Sealer, name: string, cvId: string, version: number): Buffer =>
  sealer.seal(Buffer.from(name), nameBoundTo(cvId, version));

/** A version in the history of its CV. */
export const versionSummary = (
  sealer: Sealer,
  cvId: string,
  { version, saved_at, sealed_name }: Pick<VersionRow, "version" | "saved_at" | "sealed_name">,
) => ({
  version,
  savedAt: instantFromMs(saved_at.getTime()),
  name: sealed_name && sealer.unseal(sealed_name, nameBoundTo(cvId, version)).toString(),
});

/** A CV in the list of its owner. */
export function summaryOf(sealer: Sealer, row: CvRow): CvSummary {
  return {
    cvId: row.cv_id,
    title: titleOf(sealer, row),
    language: row.language,
    template: row.template,
    version: row.current,
    savedAt: instantFromMs(row.saved_at.getTime()),
    archivedAt: row.archived_at && instantFromMs(row.archived_at.getTime()),
    otherLanguage: row.other_language,
  };
}

/** A CV as it is edited. @throws Error when its current version is missing */
export async function stateOf(sql: Queryable, keys: StudioKeys, cv: CvRow): Promise<CvState> {
  const { sealer, current, document } = await openCurrent(sql, keys, cv);
  return {
    ...summaryOf(sealer, cv),
    document,
    canUndo: current.undo_to !== null,
    canRedo: current.redo_to !== null,
  };
}

/** The current version of a CV, opened. @throws Error when it is missing */
export async function openCurrent(sql: Queryable, keys: StudioKeys, cv: CvRow) {
  const current = await findVersion(sql, cv, cv.current);
  if (current === undefined) throw new Error("The current version of a CV is missing");
  const sealer = await keys.sealerOf(sql, cv.account_id);
  return { sealer, current, document: openDocument(sealer, cv, current) };
}
