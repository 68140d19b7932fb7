import { Readable } from "node:stream";

import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import { type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";
import type { internalCvHeldCalls } from "@pro-talent/schemas/studio/internal-calls";

import type { StudioContext } from "./context.ts";
import {
  type CvRow,
  findCv,
  findVersion,
  openDocument,
  titleOf,
  versionSummary,
} from "./cv-rows.ts";
import { listCvs } from "./cvs.ts";
import { readPhoto } from "./photos.ts";
import { heldFiles, heldPages, wholePortfolio } from "./portfolio/held.ts";
import { readPicture } from "./portfolio/pictures.ts";

/** What the service holds about an account: a record for each CV and page, all of their versions, and the pictures. */
export function heldHandlers(context: StudioContext): CallHandlers<typeof internalCvHeldCalls> {
  const { sql, keys } = context;
  return {
    "GET /internal/cvs/of/:accountId/held": async ({ params: { accountId } }) => {
      const own = await listCvs(context, accountId);
      const photos = await sql<{ fileId: string }[]>`
        select file_id as "fileId" from studio.photo where account_id = ${accountId}
         order by stored_at, file_id`;
      return {
        records: [
          ...own.map(({ sealer, cv }) => recordOf(sealer, cv)),
          ...(await heldPages(context, accountId)),
        ],
        files: [
          ...own.map(({ sealer, cv }) => ({
            fileId: cv.cv_id,
            name: `${titleOf(sealer, cv)}.json`,
          })),
          ...photos.map(({ fileId }) => ({ fileId, name: "cv-photo.webp" })),
          ...(await heldFiles(context, accountId)),
        ],
      };
    },
    "GET /internal/cvs/of/:accountId/files/:fileId": async ({ params }) => {
      const { accountId, fileId } = params;
      const sealer = await keys.find(sql, accountId);
      const cv = await findCv(sql, { accountId, cvId: fileId });
      const bytes = sealer && (await contentOf(context, sealer, { accountId, fileId, cv }));
      if (bytes === undefined) throw new ProblemError("not_found");
      return new FileAnswer(bytes, "application/octet-stream");
    },
  };
}

type Asked = {
  readonly accountId: string;
  readonly fileId: string;
  readonly cv: CvRow | undefined;
};

/** A CV, the portfolio, or a picture of one of them. */
async function contentOf(
  context: StudioContext,
  sealer: Sealer,
  { accountId, fileId, cv }: Asked,
): Promise<Readable | Buffer | undefined> {
  if (cv !== undefined) return Readable.from(wholeCv(context, sealer, cv));
  if (fileId === accountId) return Readable.from(wholePortfolio(context, accountId));
  const { sql } = context;
  const photo = await readPhoto(sql, sealer, { accountId, fileId });
  return photo ?? (await readPicture(sql, sealer, { accountId, file: fileId }));
}

const at = (date: Date) => instantFromMs(date.getTime());

function recordOf(sealer: Sealer, cv: CvRow): HeldRecord {
  return [
    { field: "label", text: titleOf(sealer, cv) },
    { field: "language", word: cv.language },
    { field: "version", text: String(cv.current) },
    { field: "created-at", at: at(cv.created_at) },
    { field: "changed-at", at: at(cv.saved_at) },
  ];
}

/** All versions as one JSON document, in the parts in which they are opened. */
async function* wholeCv({ sql }: StudioContext, sealer: Sealer, cv: CvRow): AsyncGenerator<string> {
  const { cv_id: cvId, account_id: accountId, current } = cv;
  const title = titleOf(sealer, cv);
  yield `{"title":${JSON.stringify(title)},"current":${current},"versions":[`;
  const rows = await sql<{ version: number }[]>`
    select version from studio.cv_version
     where cv_id = ${cvId} and account_id = ${accountId} order by version desc`;
  let separator = "";
  for (const { version } of rows) {
    const row = await findVersion(sql, cv, version);
    if (row === undefined) continue;
    const document = openDocument(sealer, cv, row);
    yield `${separator}${JSON.stringify({ ...versionSummary(sealer, cvId, row), document })}`;
    separator = ",";
  }
  yield "]}";
}
