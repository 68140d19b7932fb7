import type { FileStore } from "@pro-talent/platform/files/file-store";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { applicationProblems as problems } from "@pro-talent/schemas/applications/problems";
import pLimit from "p-limit";
import { v5 as uuidV5 } from "uuid";

import type { Acting } from "../../acting.ts";
import type { Contact, ContactOf } from "../../contacts.ts";
import type { Json } from "../../kernel/canonical-json.ts";
import { storeProblem } from "../../kernel/http.ts";
import { inTurn } from "../../kernel/in-turn.ts";
import type { HttpContext } from "../../kernel/module.ts";
import type { Subject } from "../../kernel/subjects.ts";
import { ownsLinks } from "../../own-links.ts";
import { includesTracker } from "../../plans-in-use.ts";
import { commandApplication } from "./applications.ts";
import type { ApplicationCommand } from "./decider.ts";
import type { OpensOf } from "./opens.ts";

/** What the calls of applications use. */
export type ApplicationRoutes = {
  readonly context: HttpContext;
  readonly files: FileStore;
  readonly contactOf: ContactOf;
  readonly opensOf: OpensOf;
};

/** @throws ProblemError when the plan of the account does not include the tracker */
export async function requireTracker(context: HttpContext, acting: Acting): Promise<void> {
  const { accountId, issued } = acting;
  if (!(await includesTracker(context.ledger.sql, accountId, issued.now)))
    throw new ProblemError(problems.tracker_not_included);
}

/** @throws ProblemError when one of the links is not the account's */
export async function requireOwnLinks(
  { ledger: { sql } }: HttpContext,
  { accountId }: Acting,
  linkIds: readonly string[],
): Promise<void> {
  if (!(await ownsLinks(sql, accountId, linkIds))) throw new ProblemError(problems.link_not_found);
}

/** @throws ProblemError when the account was closed just now */
export async function requireContact(
  { contactOf }: ApplicationRoutes,
  { accountId }: Acting,
): Promise<Contact> {
  const contact = await contactOf(accountId);
  if (contact === undefined) throw new ProblemError("not_found");
  return contact;
}

/** Namespace of ids that follow from a command's: drawn at random once, fixed for ever. */
const namespace = "6a0f0c9b-1f5e-4a57-8d3c-0f3f4a1f9b52";

/** An id that a repetition of the request makes again. */
export const idFrom = ({ accountId, commandId }: Acting, what: string): string =>
  uuidV5(`${accountId} ${commandId} ${what}`, namespace);

/** Requests that depend on the other applications of their account are carried out one after the other. */
export const inTurnOf = <Result>(
  { ledger }: HttpContext,
  { accountId }: Acting,
  work: () => Promise<Result>,
): Promise<Result> => inTurn(ledger.sql, `applications of ${accountId}`, work);

/** More wait for each other at the head of the ledger, and leave no connection for others. */
const commandsAtOnce = 6;

/** Does the same for many applications, some at once. */
export async function eachAtOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const limit = pLimit(commandsAtOnce);
  await Promise.all(items.map((item) => limit(() => work(item))));
}

type Sealing = {
  readonly type:
    | "ApplicationDescribed"
    | "NoteAdded"
    | "NoteChanged"
    | "FileAdded"
    | "ReminderPlanned";
  readonly words: Json;
};

/** Carries out a command; what the applicant wrote is sealed beside its events. @throws ProblemError with the decider's code */
export async function issueCommand(
  context: HttpContext,
  { issued, commandId }: Acting,
  {
    applicationId,
    command,
    sealing,
    subject,
  }: {
    readonly applicationId: string;
    readonly command: ApplicationCommand;
    readonly sealing?: Sealing;
    /** That of the application, when it is known already. */
    readonly subject?: Subject;
  },
): Promise<void> {
  const sealed = sealing && (await sealedFor(context, applicationId, sealing, subject));
  const result = await commandApplication(context, applicationId, command, {
    ...issued,
    // One request may be about many applications.
    commandId: uuidV5(`${commandId} ${applicationId}`, namespace),
    ...(sealed && { sealed }),
  });
  if (result.kind === "answer") return;
  switch (result.code) {
    case "command_mismatch":
    case "version_conflict":
    case "process_superseded":
      throw storeProblem(result.code);
    default:
      throw new ProblemError(problems[result.code]);
  }
}

async function sealedFor(
  { subjects }: HttpContext,
  applicationId: string,
  { type, words }: Sealing,
  known: Subject | undefined,
) {
  const subject = known ?? (await subjects.find(applicationId));
  if (subject === undefined) throw new ProblemError(problems.application_not_found);
  return { ...subject.seal(words), type };
}
