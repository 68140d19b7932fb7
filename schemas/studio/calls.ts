import { z } from "zod";

import { signedIn } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { defineProblems } from "../primitives/problem.ts";
import { CvDocument } from "./document.ts";
import { Drawing } from "./drawing.ts";
import { cvLimits as limit } from "./limits.ts";
import { templates } from "./page.ts";
import { line } from "./text.ts";

export const cvProblems = defineProblems({
  cv_not_found: [404, "There is no such CV."],
  version_not_found: [404, "There is no such version of this CV."],
  version_not_kept: [409, "The version that this edit started from is no longer kept."],
  nothing_to_undo: [409, "There is no edit in that direction."],
  cvs_full: [409, "This account holds as many CVs as it may. Delete one first."],
  cv_too_long: [422, "Both changes together are longer than a CV may be."],
  cv_not_drawn: [422, "This CV takes too long to draw. Shorten its longest part."],
  import_unreadable: [422, "This is no file that a CV can be read from."],
  import_too_large: [413, "The file is larger than allowed."],
  photo_unreadable: [422, "This is no picture that can be read."],
});
const problems = cvProblems;

/** The formats in which a CV is exported. */
export const cvFormats = ["pdf", "docx", "txt", "json"] as const;
/** What a CV can be read from. */
export const importSources = ["json-resume", "docx", "pdf", "linkedin"] as const;

const Title = line(limit.lineCharsMax).pipe(z.string().min(1));
/** Number of a saved document; it rises with every edit. */
export const Version = z.int().min(1);
const CvParams = z.object({ cvId: Uuid });
const VersionParams = CvParams.extend({ version: z.coerce.number().pipe(Version) });

/** A CV in the list of its owner. */
export const CvSummary = z.object({
  cvId: Uuid,
  title: z.string(),
  language: Locale,
  template: z.enum(templates),
  /** Rises with every saved edit. */
  version: Version,
  savedAt: Instant,
  archivedAt: Instant.nullable(),
  /** The CV of the same person in the other language. */
  otherLanguage: Uuid.nullable(),
});
export type CvSummary = z.infer<typeof CvSummary>;

/** A CV as it is edited. */
export const CvState = CvSummary.extend({
  document: CvDocument,
  canUndo: z.boolean(),
  canRedo: z.boolean(),
});
export type CvState = z.infer<typeof CvState>;

const State = z.object({ cv: CvState });
const Summary = z.object({ cv: CvSummary });

/** A field that was changed by two edits; `null` where one deleted it. The document has `mine`. */
export const Conflict = z.object({ path: z.string(), theirs: z.json(), mine: z.json() });

/** The version that is seen: when another one is the current one, nothing changes, and the answer has that one. */
const Step = z.object({ version: Version.optional() }).nullish();

const VersionSummary = z.object({
  version: Version,
  savedAt: Instant,
  /** Named versions are kept as long as the CV. */
  name: z.string().nullable(),
});

/** How a reader got a field of a file. */
const FieldReading = z.object({
  path: z.string(),
  text: z.string(),
  found: z.enum(["whole", "damaged", "missing"]),
  advice: z
    .enum([
      "replace-characters",
      "shorten-word",
      "keep-one-direction",
      "prefer-docx",
      "report-fault",
    ])
    .nullable(),
});
const Reading = z.object({
  file: z.enum(["pdf", "docx"]),
  reader: z.string(),
  fields: z.array(FieldReading),
  /** Shares from 0 to 1. */
  words: z.number(),
  order: z.number(),
});

/** What an import did not take over as it was. */
export const ImportFinding = z.object({
  path: z.string(),
  code: z.enum(["wrong-type", "shortened", "not-a-date", "no-place", "too-many", "uncertain"]),
  /** What the file had there. */
  text: z.string().default(""),
});

/** Of a body with a file: base64 makes four characters of three bytes. */
export const fileBodyBytesMax = (bytes: number): number => Math.ceil(bytes / 3) * 4 + 64 * 1024;
const documentBytesMax = limit.documentCharsMax * 4 + 64 * 1024;

/** For account holders about their own CVs. */
export const cvCalls = defineCalls({
  "GET /api/cvs": {
    summary: "The CVs of the account, the last edited first",
    access: signedIn,
    mayLag: true,
    answer: z.object({ cvs: z.array(CvSummary), cvsMax: z.int() }),
  },
  "POST /api/cvs": {
    summary: "Makes a CV: empty, from a document, or as a copy of another one",
    access: signedIn,
    body: z.object({
      title: Title,
      language: Locale,
      /** Of an import. */
      document: CvDocument.optional(),
      /** A copy of this CV; in the other language, the two name each other. */
      copyOf: Uuid.optional(),
    }),
    status: 201,
    bodyBytesMax: documentBytesMax,
    answer: State,
    problems: [problems.cvs_full, problems.cv_not_found],
  },
  "GET /api/cvs/:cvId": {
    summary: "One CV with its document",
    access: signedIn,
    params: CvParams,
    answer: State,
    problems: [problems.cv_not_found],
  },
  "PATCH /api/cvs/:cvId": {
    summary: "Renames or archives a CV; what is archived stays readable",
    access: signedIn,
    params: CvParams,
    body: z.object({ title: Title.optional(), archived: z.boolean().optional() }),
    answer: Summary,
    problems: [problems.cv_not_found],
  },
  "DELETE /api/cvs/:cvId": {
    summary: "Deletes a CV with its versions and photos",
    access: signedIn,
    params: CvParams,
    answer: z.object({ status: z.literal("done") }),
    problems: [problems.cv_not_found],
  },
  "POST /api/cvs/:cvId/edits": {
    summary: "Saves a document; what was saved meanwhile is merged by field, and may be repeated",
    access: signedIn,
    params: CvParams,
    body: z.object({ basedOn: Version, document: CvDocument }),
    bodyBytesMax: documentBytesMax,
    answer: State.extend({ conflicts: z.array(Conflict) }),
    problems: [problems.cv_not_found, problems.version_not_kept, problems.cv_too_long],
  },
  "POST /api/cvs/:cvId/undo": {
    summary:
      "Takes back the last saved edit, also after a reload; may be repeated with its version",
    access: signedIn,
    params: CvParams,
    body: Step,
    answer: State,
    problems: [problems.cv_not_found, problems.nothing_to_undo],
  },
  "POST /api/cvs/:cvId/redo": {
    summary: "Restores what was taken back; may be repeated with its version",
    access: signedIn,
    params: CvParams,
    body: Step,
    answer: State,
    problems: [problems.cv_not_found, problems.nothing_to_undo],
  },
  "GET /api/cvs/:cvId/versions": {
    summary: "The versions that are kept, the newest first",
    access: signedIn,
    mayLag: true,
    params: CvParams,
    answer: z.object({ versions: z.array(VersionSummary) }),
    problems: [problems.cv_not_found],
  },
  "GET /api/cvs/:cvId/versions/:version": {
    summary: "The document of a version",
    access: signedIn,
    params: VersionParams,
    answer: z.object({ version: VersionSummary, document: CvDocument }),
    problems: [problems.cv_not_found, problems.version_not_found],
  },
  "PATCH /api/cvs/:cvId/versions/:version": {
    summary: "Names a version, or takes its name away",
    access: signedIn,
    params: VersionParams,
    body: z.object({ name: Title.nullable() }),
    answer: z.object({ version: VersionSummary }),
    problems: [problems.cv_not_found, problems.version_not_found],
  },
  "POST /api/cvs/:cvId/versions/:version/restore": {
    summary: "Makes a version the current one, by an edit that can be undone",
    access: signedIn,
    params: VersionParams,
    answer: State,
    problems: [problems.cv_not_found, problems.version_not_found],
  },
  "POST /api/cvs/preview": {
    summary: "The pages of a document as they are exported, and characters that no typeface has",
    access: signedIn,
    body: z.object({ document: CvDocument }),
    bodyBytesMax: documentBytesMax,
    answer: z.object({
      drawing: Drawing,
      pages: z.int(),
      charactersWithoutGlyph: z.array(z.string()),
    }),
    problems: [problems.cv_not_drawn],
  },
  "GET /api/cvs/:cvId/files/:format": {
    summary: "A file of the CV as it is now",
    access: signedIn,
    params: CvParams.extend({ format: z.enum(cvFormats) }),
    file: "application/octet-stream",
    answer: z.never(),
    problems: [problems.cv_not_found, problems.cv_not_drawn],
  },
  "GET /api/cvs/:cvId/check": {
    summary: "What programs read from the files of the CV, field by field",
    access: signedIn,
    params: CvParams,
    answer: z.object({
      version: Version,
      readings: z.array(Reading),
      recommended: z.enum(["pdf", "docx"]),
      charactersWithoutGlyph: z.array(z.string()),
    }),
    problems: [problems.cv_not_found, problems.cv_not_drawn],
  },
  "POST /api/cvs/import": {
    summary: "Reads a file into a document to review; nothing is stored",
    access: signedIn,
    body: z.object({ content: z.base64(), language: Locale }),
    bodyBytesMax: fileBodyBytesMax(limit.importBytesMax),
    answer: z.object({
      source: z.enum(importSources),
      document: CvDocument,
      findings: z.array(ImportFinding),
    }),
    problems: [problems.import_unreadable, problems.import_too_large],
  },
  "POST /api/cvs/:cvId/photo": {
    summary: "Stores a photo for this CV, without its metadata; the document then names its file",
    access: signedIn,
    params: CvParams,
    body: z.object({ content: z.base64() }),
    bodyBytesMax: fileBodyBytesMax(limit.photoBytesMax),
    status: 201,
    answer: z.object({ file: Uuid }),
    problems: [problems.cv_not_found, problems.photo_unreadable],
  },
});
