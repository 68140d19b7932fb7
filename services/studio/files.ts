import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import { DocumentTooSlow } from "@pro-talent/platform/documents/draw-documents";
import { type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import type { cvCalls } from "@pro-talent/schemas/studio/calls";
import type { CvDocument } from "@pro-talent/schemas/studio/document";
import type { internalCvFileCalls } from "@pro-talent/schemas/studio/internal-calls";

import type { StudioContext } from "./context.ts";
import { fileOf } from "./current-files.ts";
import {
  type CvRow,
  findCv,
  findVersion,
  openCurrent,
  titleOf,
  type VersionRow,
} from "./cv-rows.ts";
import { charactersWithoutGlyph } from "./faces.ts";
import { outlineOf } from "./outline.ts";
import { shownPhoto } from "./photos.ts";
import { readBack } from "./reading/read-back.ts";
import { readFiles } from "./reading/readers.ts";

const fileType = "application/octet-stream";
/** Those that are asked for after every key, and those that a person asks for. */
export type PreviewCalls = Pick<typeof cvCalls, "POST /api/cvs/preview">;
export type FileCalls = Pick<
  typeof cvCalls,
  "GET /api/cvs/:cvId/files/:format" | "GET /api/cvs/:cvId/check"
>;

/** The pages of a document that need not be stored yet. */
export function previewHandlers(context: StudioContext): CallHandlers<PreviewCalls> {
  return {
    "POST /api/cvs/preview": async ({ body: { document } }, { account: { accountId }, refuse }) => {
      const photo = await shownPhoto(context, accountId, document);
      const drawn = context.drawer.pages(document, { name: "preview", ...(photo && { photo }) });
      const { drawing, pages } = await inTime(drawn, () => refuse("cv_not_drawn"));
      return { drawing, pages, charactersWithoutGlyph: missingGlyphs(document) };
    },
  };
}

/** Files of a CV, and what programs read from them. */
export function fileHandlers(context: StudioContext): CallHandlers<FileCalls> {
  const { sql, keys } = context;
  return {
    "GET /api/cvs/:cvId/files/:format": async (
      { params: { cvId, format } },
      { account: { accountId }, refuse },
    ) => {
      const cv = (await findCv(sql, { accountId, cvId })) ?? refuse("cv_not_found");
      const { sealer, current: version } = await openCurrent(sql, keys, cv);
      const making = fileOf(context, { cv, version, sealer, format });
      const file = await inTime(making, () => refuse("cv_not_drawn"));
      const name = `${fileNameOf(titleOf(sealer, cv))}.${format}`;
      return new FileAnswer(file, fileType, name);
    },
    "GET /api/cvs/:cvId/check": async ({ params }, { account: { accountId }, refuse }) => {
      const cv = (await findCv(sql, { accountId, ...params })) ?? refuse("cv_not_found");
      const { document, sealer, current: version } = await openCurrent(sql, keys, cv);
      const making = Promise.all([
        fileOf(context, { cv, version, sealer, format: "pdf" }),
        fileOf(context, { cv, version, sealer, format: "docx" }),
      ]);
      const [pdf, docx] = await inTime(making, () => refuse("cv_not_drawn"));
      const { readings, recommended } = readBack(document, await readFiles(pdf, docx));
      return {
        version: cv.current,
        readings: readings.map(({ fields, ...reading }) => ({ ...reading, fields: [...fields] })),
        recommended,
        charactersWithoutGlyph: missingGlyphs(document),
      };
    },
  };
}

/** For links. */
export function linkedFileHandlers(
  context: StudioContext,
): CallHandlers<typeof internalCvFileCalls> {
  const { sql, keys } = context;
  const pdfOf = (cv: CvRow, version: VersionRow, sealer: Sealer, late: () => never) =>
    inTime(fileOf(context, { cv, version, sealer, format: "pdf" }), late);
  return {
    "GET /internal/cvs/of/:accountId/cvs/:cvId": async ({ params }, { refuse }) => {
      const cv = (await findCv(sql, params)) ?? refuse("cv_not_found");
      const title = titleOf(await keys.sealerOf(sql, cv.account_id), cv);
      return { version: cv.current, fileName: `${fileNameOf(title)}.pdf` };
    },
    "GET /internal/cvs/of/:accountId/cvs/:cvId/pdf": async ({ params }, { refuse }) => {
      const cv = (await findCv(sql, params)) ?? refuse("cv_not_found");
      const { sealer, current } = await openCurrent(sql, keys, cv);
      const pdf = await pdfOf(cv, current, sealer, () => refuse("cv_not_drawn"));
      return new FileAnswer(pdf, fileType);
    },
    "GET /internal/cvs/of/:accountId/cvs/:cvId/versions/:version/pdf": async (
      { params },
      { refuse },
    ) => {
      const cv = (await findCv(sql, params)) ?? refuse("cv_not_found");
      const version = (await findVersion(sql, cv, params.version)) ?? refuse("version_not_found");
      const sealer = await keys.sealerOf(sql, cv.account_id);
      const pdf = await pdfOf(cv, version, sealer, () => refuse("cv_not_drawn"));
      return new FileAnswer(pdf, fileType);
    },
  };
}

const missingGlyphs = (document: CvDocument): string[] =>
  charactersWithoutGlyph(outlineOf(document), document.page.fonts);

/** What was drawn; `late` ends the call where drawing was ended. */
async function inTime<T>(drawing: Promise<T>, late: () => never): Promise<T> {
  return drawing.catch((error: unknown) => {
    if (error instanceof DocumentTooSlow) return late();
    throw error;
  });
}

/** A title without what names of files cannot have on some system. */
export function fileNameOf(title: string): string {
  const safe = title
    .replaceAll(/[\\/:*?"<>|]/g, " ")
    .replaceAll(/ +/g, " ")
    .replaceAll(/^[. ]+|[. ]+$/g, "")
    .slice(0, 100);
  return safe === "" ? "CV" : safe.toWellFormed();
}
