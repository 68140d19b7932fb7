import { z } from "zod";

import { signedIn } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { defineProblems } from "../primitives/problem.ts";
import { cvProblems } from "../studio/calls.ts";
import { fileKinds, linkTargets } from "./events.ts";
import { ExternalUrl } from "./external-url.ts";
import { linkLimits as limit } from "./limits.ts";
import { reportReasons } from "./report-reasons.ts";

export const linkProblems = defineProblems({
  link_not_found: [404, "There is no such link."],
  code_taken: [409, "This code is taken. Choose another one."],
  links_full: [409, "This account holds as many links as it may. Delete one first."],
  link_taken_down: [409, "This link was taken down and cannot be restored by its owner."],
  file_missing: [422, "That link has no file."],
  file_too_large: [413, "The file is larger than allowed."],
  file_unreadable: [422, "This is neither a PDF nor a DOCX that can be read."],
  file_protected: [422, "This file asks for a password of its own. Save it without one."],
  expiry_past: [422, "A link cannot end in the past."],
});
const problems = linkProblems;

const oneLine = (max: number) =>
  z
    .string()
    .transform((text) => text.replaceAll(/\s+/gu, " ").trim())
    .pipe(z.string().max(max));

/** Words of a to z and digits, with hyphens between them. */
export const LinkCode = z
  .string()
  .trim()
  .toLowerCase()
  .min(limit.codeCharsMin)
  .max(limit.codeCharsMax)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u);

/** Any code that an address may hold; most belong to no link. */
export const AskedCode = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9-]+$/u);

export const Label = oneLine(limit.labelCharsMax).pipe(z.string().min(1));
const Note = z.string().trim().max(limit.noteCharsMax);
const Password = z.string().min(limit.passwordCharsMin).max(limit.passwordCharsMax);

/** What a link leads to, as its owner states it. */
const TargetBody = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("file"),
    name: oneLine(limit.fileNameCharsMax).pipe(z.string().min(1)),
    content: z.base64(),
  }),
  /** The file of another link of the same owner. */
  z.object({ kind: z.literal("file-of"), linkId: Uuid }),
  /** The public page of the owner. */
  z.object({ kind: z.literal("profile") }),
  z.object({ kind: z.literal("external"), url: ExternalUrl }),
  /** A version of a CV. Null: always the current one, where the plan keeps it; else the one of this moment. */
  z.object({ kind: z.literal("cv"), cvId: Uuid, version: z.int().min(1).nullable() }),
]);
export type TargetBody = z.output<typeof TargetBody>;

/** Of a body with a file: base64 makes four characters of three bytes. */
const bodyBytesMax = Math.ceil(limit.fileBytesMax / 3) * 4 + 64 * 1024;
const targetProblems = [
  problems.file_unreadable,
  problems.file_protected,
  problems.file_too_large,
  problems.file_missing,
  problems.link_not_found,
  cvProblems.cv_not_found,
  cvProblems.version_not_found,
  cvProblems.cv_not_drawn,
] as const;

const FileView = z.object({
  fileId: Uuid,
  name: z.string(),
  kind: z.enum(fileKinds),
  bytes: z.int(),
});

/** A link as its owner sees it. */
export const LinkView = z.object({
  linkId: Uuid,
  code: z.string(),
  label: z.string(),
  /** Who it is for, and what else its owner wants to remember. */
  note: z.string(),
  target: z.enum(linkTargets),
  url: z.string().nullable(),
  file: FileView.nullable(),
  /** The CV that the file was made of; `version` null: it shows the current one. */
  cv: z.object({ cvId: Uuid, version: z.int().nullable() }).exactOptional(),
  /** `expired`: its time is over; `taken-down`: by an administrator. */
  status: z.enum(["active", "expired", "revoked", "taken-down"]),
  locked: z.boolean(),
  createdAt: Instant,
  expiresAt: Instant.nullable(),
});
export type LinkView = z.infer<typeof LinkView>;

const LinkAnswer = z.object({ link: LinkView });
const LinkParams = z.object({ linkId: Uuid });

/** For account holders about their own links. */
export const linkCalls = defineCalls({
  "GET /api/links": {
    summary: "The links of the account, the newest first",
    access: signedIn,
    mayLag: true,
    answer: z.object({ links: z.array(LinkView), linksMax: z.int() }),
  },
  "POST /api/links": {
    summary: "Makes a link",
    access: signedIn,
    body: z.object({
      label: Label,
      note: Note.default(""),
      target: TargetBody,
      /** Generated when absent. */
      code: LinkCode.nullable().default(null),
      expiresAt: Instant.nullable().default(null),
      password: Password.nullable().default(null),
    }),
    status: 201,
    answer: LinkAnswer,
    bodyBytesMax,
    problems: [problems.code_taken, problems.links_full, problems.expiry_past, ...targetProblems],
  },
  "POST /api/links/bulk": {
    summary: "Makes one link for each recipient; the labels are their names",
    access: signedIn,
    body: z.object({
      recipients: z.array(Label).min(1).max(limit.recipientsMax),
      target: TargetBody,
      expiresAt: Instant.nullable().default(null),
    }),
    status: 201,
    answer: z.object({ links: z.array(LinkView) }),
    bodyBytesMax,
    problems: [problems.links_full, problems.expiry_past, ...targetProblems],
  },
  "GET /api/links/:linkId": {
    summary: "One link",
    access: signedIn,
    params: LinkParams,
    answer: LinkAnswer,
    problems: [problems.link_not_found],
  },
  "PATCH /api/links/:linkId": {
    summary: "Changes what is stated; the code stays",
    access: signedIn,
    params: LinkParams,
    body: z.object({
      label: Label.optional(),
      note: Note.optional(),
      target: TargetBody.optional(),
      expiresAt: Instant.nullable().optional(),
      /** Null: it asks for none any more. */
      password: Password.nullable().optional(),
    }),
    answer: LinkAnswer,
    bodyBytesMax,
    problems: [problems.expiry_past, ...targetProblems],
  },
  "POST /api/links/:linkId/revoke": {
    summary: "The link opens nothing until it is restored",
    access: signedIn,
    params: LinkParams,
    answer: LinkAnswer,
    problems: [problems.link_not_found],
  },
  "POST /api/links/:linkId/restore": {
    summary: "A revoked link opens again",
    access: signedIn,
    params: LinkParams,
    answer: LinkAnswer,
    problems: [problems.link_not_found, problems.link_taken_down],
  },
  "DELETE /api/links/:linkId": {
    summary: "Deletes the link, its words and its file; its code is never given out again",
    access: signedIn,
    params: LinkParams,
    answer: z.object({ status: z.literal("done") }),
    problems: [problems.link_not_found],
  },
});

/** For visitors of a link. */
export const linkReportCalls = defineCalls({
  "POST /api/links/report": {
    summary: "Reports a link; every report is answered alike",
    access: "public",
    body: z.object({ code: AskedCode, reason: z.enum(reportReasons) }),
    status: 202,
    answer: z.object({ status: z.literal("received") }),
  },
});

const administrator = { roles: ["administrator"] } as const;

/** For administrators. */
export const linkModerationCalls = defineCalls({
  "GET /api/console/links/reported": {
    summary: "Links that were reported, without the words of their owners",
    access: administrator,
    answer: z.object({
      links: z.array(
        z.object({
          linkId: Uuid,
          accountId: Uuid,
          status: z.enum(["active", "revoked", "taken-down"]),
          reports: z.int(),
          lastReason: z.enum(reportReasons),
          lastAt: Instant,
        }),
      ),
    }),
  },
  "POST /api/console/links/:linkId/take-down": {
    summary: "The link opens nothing, whatever its owner does",
    access: { ...administrator, stepUp: true },
    params: LinkParams,
    body: z.object({ reason: z.enum(reportReasons) }),
    answer: z.object({ status: z.literal("done") }),
    problems: [problems.link_not_found],
  },
  "POST /api/console/links/:linkId/reinstate": {
    summary: "A link that was taken down is its owner's again",
    access: { ...administrator, stepUp: true },
    params: LinkParams,
    answer: z.object({ status: z.literal("done") }),
    problems: [problems.link_not_found],
  },
});

/** For the collector, which answers visitors, and for services that know links by their owner. */
export const internalLinkCalls = defineCalls({
  "GET /internal/links/of/:accountId": {
    summary: "The links of an account; deleted ones are left out",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    answer: z.object({
      linkIds: z.array(Uuid),
      /** When the oldest of them was made; null where there is none. */
      oldestAt: Instant.nullable(),
    }),
  },
  "POST /internal/links/resolve": {
    summary: "What the link with a code opens now",
    access: "internal",
    body: z.object({ code: AskedCode }),
    answer: z.discriminatedUnion("status", [
      /** `restricted`: the account of its owner is to be deleted. */
      z.object({ status: z.enum(["unknown", "expired", "revoked", "taken-down", "restricted"]) }),
      z.object({
        status: z.literal("active"),
        linkId: Uuid,
        accountId: Uuid,
        locked: z.boolean(),
        target: z.enum(linkTargets),
        url: z.string().nullable(),
        file: FileView.nullable(),
        expiresAt: Instant.nullable(),
      }),
    ]),
  },
  "POST /internal/links/:linkId/unlock": {
    summary: "Whether a password opens a link",
    access: "internal",
    params: LinkParams,
    body: z.object({ password: z.string().max(limit.passwordCharsMax) }),
    answer: z.object({ opens: z.boolean() }),
    problems: [problems.link_not_found],
  },
  "POST /internal/links/:linkId/report": {
    summary: "Records that a visitor of a link reported it",
    access: "internal",
    params: LinkParams,
    body: z.object({ reason: z.enum(reportReasons) }),
    answer: z.object({ status: z.literal("received") }),
  },
  "GET /internal/links/:linkId/file": {
    summary: "The file of a link that opens now",
    access: "internal",
    params: LinkParams,
    file: "application/octet-stream",
    answer: z.never(),
    problems: [problems.link_not_found],
  },
});
