import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import type { cvFormats } from "@pro-talent/schemas/studio/calls";

import type { StudioContext } from "./context.ts";
import { type CvRow, openDocument, type VersionRow } from "./cv-rows.ts";
import { docxOf } from "./export/docx.ts";
import { jsonResumeOf } from "./export/json-resume.ts";
import { plainTextOf } from "./export/plain-text.ts";
import { outlineOf } from "./outline.ts";
import { shownPhoto } from "./photos.ts";

type Format = (typeof cvFormats)[number];

/** A version of a CV, and the format of the file that is made of it. */
export type Made = {
  readonly cv: Pick<CvRow, "cv_id" | "account_id" | "other_language">;
  readonly version: VersionRow;
  readonly sealer: Sealer;
  readonly format: Format;
};

/** A file of a version; the same bytes each time. @throws DocumentTooSlow */
export async function makeFile(
  context: Pick<StudioContext, "sql" | "keys" | "drawer">,
  { cv, version, sealer, format }: Made,
): Promise<Buffer> {
  const document = openDocument(sealer, cv, version);
  if (format === "docx") return docxOf(document);
  if (format === "txt") return Buffer.from(plainTextOf(outlineOf(document)));
  if (format === "json") return Buffer.from(JSON.stringify(jsonResumeOf(document), null, 2));
  const photo = await shownPhoto(context, cv.account_id, document);
  const of = { name: cv.cv_id, ...(photo && { photo }) };
  return (await context.drawer.pdf(document, version.saved_at.getTime(), of)).pdf;
}
