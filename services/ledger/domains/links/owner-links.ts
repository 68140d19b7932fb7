import { randomUUID } from "node:crypto";

import type { Passwords } from "@pro-talent/platform/crypto/passwords";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { linkProblems, type LinkView, type TargetBody } from "@pro-talent/schemas/links/calls";
import type { LinkDescribed, LinkDetails } from "@pro-talent/schemas/links/events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { v5 as uuidV5 } from "uuid";

import type { Acting } from "../../acting.ts";
import type { EmailOf } from "../../contacts.ts";
import { type CommandContext, runCommand } from "../../kernel/commands.ts";
import { storeProblem } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import type { Subject } from "../../kernel/subjects.ts";
import { type CvFiles, storeTarget } from "./cv-files.ts";
import type { LinkCommand } from "./decider.ts";
import { linkOwner, openDetails, shareLinks } from "./links.ts";
import { findLink, type LinkRow } from "./read-models.ts";

/** What the calls of links use. */
export type LinkRoutes = {
  readonly context: HttpContext;
  readonly files: FileStore;
  readonly passwords: Passwords;
  readonly emailOf: EmailOf;
  readonly cvFiles: CvFiles;
};

/** A link of this owner; one of another owner is as unknown as none. @throws ProblemError */
export async function ownLink(
  { context }: LinkRoutes,
  accountId: string,
  linkId: string,
): Promise<LinkRow> {
  const row = await findLink(context.ledger.sql, [linkId]);
  if (row?.accountId !== accountId) throw new ProblemError(linkProblems.link_not_found);
  return row;
}

/** Where a target is, for the events and the sealed details. */
export type Placed = Pick<LinkDetails, "url" | "file"> & {
  readonly target: LinkDescribed["data"]["target"];
};

/** Stores what a target brings along. @throws ProblemError */
export async function placeTarget(
  routes: LinkRoutes,
  accountId: string,
  target: TargetBody,
): Promise<Placed> {
  switch (target.kind) {
    case "external":
      return { target: "external", url: target.url, file: null };
    case "profile":
      return { target: "profile", url: null, file: null };
    case "cv":
    case "file": {
      const stored = await storeTarget(routes, accountId, target);
      if ("fault" in stored) throw new ProblemError(linkProblems[stored.fault]);
      return { target: "file", url: null, file: stored.file };
    }
    case "file-of": {
      const { linkId } = await ownLink(routes, accountId, target.linkId);
      const details = await openDetails(routes.context, routes.context.ledger.sql, linkId);
      const file = details?.file ?? null;
      if (file === null) throw new ProblemError(linkProblems.file_missing);
      return { target: "file", url: null, file };
    }
  }
}

/** What a link is from now on. */
export type Described = Placed &
  Pick<LinkDetails, "code" | "label" | "note" | "passwordHash"> & {
    readonly expiresAt: Instant | null;
  };

const descriptionOf = ({ target, file, passwordHash, expiresAt }: Described) => ({
  target,
  fileId: file?.fileId ?? null,
  locked: passwordHash !== null,
  expiresAt,
});

const detailsOf = ({ code, label, note, url, file, passwordHash }: Described): LinkDetails => ({
  code,
  label,
  note,
  url,
  file,
  passwordHash,
});

type NewLink = Described & { readonly linkId: string; readonly custom: boolean };

/** Records a new link; a repetition of the command changes nothing. @throws ProblemError */
export async function createLink(
  { context, emailOf }: LinkRoutes,
  { accountId, issued, commandId }: Acting,
  link: NewLink,
): Promise<LinkView> {
  const { linkId, custom } = link;
  const email = await emailOf(accountId);
  const subject = await context.subjects.ofOccasion(linkOwner, linkId, email);
  const description = descriptionOf(link);
  const command = { type: "CreateLink", accountId, custom, description } as const;
  await issueLinkCommand(context, {
    linkId,
    command,
    issued,
    commandId,
    sealed: sealIn(subject, link),
  });
  return viewOf(await knownRow(context, linkId), detailsOf(link), issued.now);
}

/** Records what a link is from now on. @throws ProblemError */
export async function describeLink(
  { context }: LinkRoutes,
  { accountId, issued, commandId }: Acting,
  linkId: string,
  link: Described,
): Promise<LinkView> {
  const subject = await context.subjects.find(linkId);
  if (subject === undefined) throw new ProblemError(linkProblems.link_not_found);
  const command = { type: "DescribeLink", accountId, description: descriptionOf(link) } as const;
  await issueLinkCommand(context, {
    linkId,
    command,
    issued,
    commandId,
    sealed: sealIn(subject, link),
  });
  return viewOf(await knownRow(context, linkId), detailsOf(link), issued.now);
}

const sealIn = (subject: Subject, link: Described) =>
  ({ ...subject.seal(detailsOf(link)), type: "LinkDescribed" }) as const;

type Issuing = {
  readonly linkId: string;
  readonly command: LinkCommand;
  readonly issued: CommandContext;
  readonly commandId?: string;
  readonly sealed?: ReturnType<typeof sealIn>;
};

/** Namespace of command ids per link: drawn at random once, fixed for ever. */
const commandNamespace = "0f5a7c7e-4a0b-4a57-8f0c-6c2b8a0b7d11";

/** @throws ProblemError with the decider's code */
export async function issueLinkCommand(
  { ledger }: Pick<HttpContext, "ledger">,
  { linkId, command, issued, commandId = randomUUID(), sealed }: Issuing,
): Promise<void> {
  const result = await runCommand(ledger, shareLinks, {
    id: linkId,
    command,
    body: { type: command.type, linkId },
    ...issued,
    // One request may make many links.
    commandId: uuidV5(`${commandId} ${linkId}`, commandNamespace),
    ...(sealed && { sealed }),
  });
  if (result.kind === "answer") return;
  switch (result.code) {
    case "command_mismatch":
    case "version_conflict":
    case "process_superseded":
      throw storeProblem(result.code);
    default:
      throw new ProblemError(linkProblems[result.code]);
  }
}

async function knownRow({ ledger }: Pick<HttpContext, "ledger">, linkId: string): Promise<LinkRow> {
  const row = await findLink(ledger.sql, [linkId]);
  if (row === undefined) throw new ProblemError(linkProblems.link_not_found);
  return row;
}

/** Whether a link opens. */
export function statusOf(
  { takenDown, revoked, expiresAt }: Pick<LinkRow, "takenDown" | "revoked" | "expiresAt">,
  now: Instant,
): LinkView["status"] {
  if (takenDown) return "taken-down";
  if (revoked) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "active";
}

/** A link as its owner sees it. */
export function viewOf(row: LinkRow, details: LinkDetails, now: Instant): LinkView {
  const { linkId, target, locked, createdAt, expiresAt } = row;
  const { code, label, note, url, file } = details;
  return {
    linkId,
    code,
    label,
    note,
    target,
    url,
    file: file && { fileId: file.fileId, name: file.name, kind: file.kind, bytes: file.bytes },
    ...(file?.cv && { cv: file.cv }),
    status: statusOf(row, now),
    locked,
    createdAt,
    expiresAt,
  };
}
