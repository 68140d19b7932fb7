import { randomUUID } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { normaliseEmail } from "@pro-talent/platform/mail/normalise-email";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import {
  type OwnRequest,
  ownRequestCalls,
  privacyProblems as problems,
} from "@pro-talent/schemas/privacy/calls";
import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { privacyLimits as limit } from "@pro-talent/schemas/privacy/limits";
import { publicStatusOf } from "@pro-talent/schemas/privacy/transitions";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { v5 as uuidV5 } from "uuid";

import { type CommandRequest, runCommand } from "../../kernel/commands.ts";
import { requestContext, storeProblem, unavailable } from "../../kernel/http.ts";
import { inTurn } from "../../kernel/in-turn.ts";
import type { HttpContext } from "../../kernel/module.ts";
import type { SubjectKind } from "../../kernel/subjects.ts";
import type { PrivacyCommand, PrivacyRefusal } from "./decider.ts";
import { heldAbout, type HeldParts } from "./held.ts";
import { isOpenDeletion, type RequestRow, requestsOf } from "./read-models.ts";
import { privacyRequests } from "./requests.ts";

/** What a person wrote with a request is sealed under a key of the request's own. */
const requester: SubjectKind = "privacy.requester";

/** Namespace of the ids of cancellations: drawn at random once, fixed for ever. */
const cancellationNamespace = "7f3a5f0e-2f4d-4b52-8a60-4f0b9c1f6a27";

type Caller = { readonly request: FastifyRequest; readonly account: SignedIn };
export type HolderParts = HeldParts & { readonly context: HttpContext };

/** The calls of account holders about their own requests. */
export async function addHolderCalls(app: FastifyInstance, parts: HolderParts): Promise<void> {
  const { context } = parts;
  const { sql } = context.ledger;
  await limitRate(app, { reads: context.readsPerMinute, writes: context.formsPerMinute });
  addCalls(app, ownRequestCalls, {
    "GET /api/privacy/held": (_input, { account }) => heldAbout(context, parts, account.accountId),
    "GET /api/privacy/requests": async (_input, { account }) => {
      const rows = await requestsOf(sql, account.accountId).catch(unavailable);
      return { requests: rows.map(viewOf) };
    },
    "POST /api/privacy/requests/delete": async ({ body }, caller) => {
      await requireOwnEmail(parts, caller, body.email);
      return { request: await scheduleDeletion(parts, caller, body).catch(unavailable) };
    },
    "POST /api/privacy/requests/cancel-deletion": async (_input, caller) => {
      const { requestId } = await openDeletion(context, caller);
      const cancellationId = uuidV5(requestId, cancellationNamespace);
      const fact = { type: "DeletionCancelled", data: { cancellationId } } as const;
      return { request: await record(context, caller, requestId, fact).catch(unavailable) };
    },
    "POST /api/privacy/requests/waive-grace": async ({ body }, caller) => {
      await requireOwnEmail(parts, caller, body.email);
      const { requestId, held } = await openDeletion(context, caller);
      if (held) throw new ProblemError(problems.on_hold);
      const fact = { type: "GraceWaived", data: {} } as const;
      return { request: await record(context, caller, requestId, fact).catch(unavailable) };
    },
  });
}

async function requireOwnEmail(
  { contactOf }: HolderParts,
  { account }: Caller,
  given: string,
): Promise<void> {
  const contact = await contactOf(account.accountId);
  if (contact === undefined || normaliseEmail(contact.email) !== normaliseEmail(given))
    throw new ProblemError(problems.email_differs);
}

/** @throws ProblemError when no deletion is under way */
async function openDeletion(
  { ledger }: HttpContext,
  { account: { accountId } }: Caller,
): Promise<RequestRow> {
  const open = (await requestsOf(ledger.sql, accountId).catch(unavailable)).find(isOpenDeletion);
  if (open === undefined) throw new ProblemError(problems.no_deletion);
  return open;
}

/** One deletion of an account at a time, also when two are asked for at once. */
async function scheduleDeletion(
  { context }: HolderParts,
  caller: Caller,
  { email, reason }: { readonly email: string; readonly reason: string },
): Promise<OwnRequest> {
  const { accountId } = caller.account;
  const { sql } = context.ledger;
  return await inTurn(sql, `privacy requests of ${accountId}`, async () => {
    const open = (await requestsOf(sql, accountId)).find(isOpenDeletion);
    if (open !== undefined) return viewOf(open);
    // Repeated after the deletion was cancelled, the same request is answered, not a new one.
    const key = idempotencyKey(caller.request);
    const id = key === undefined ? randomUUID() : uuidV5(key, accountId);
    const type = "ReceiveRequest";
    const command = { type, requestType: "delete", accountId, identity: "step-up" } as const;
    const subject =
      reason === "" ? undefined : await context.subjects.ofOccasion(requester, id, email);
    const sealed = subject && { ...subject.seal({ reason }), type: "RequestReceived" as const };
    await issue(context, caller, { id, command, body: command, ...(sealed && { sealed }) });
    return await shown(context, accountId, id);
  });
}

type Fact = Extract<PrivacyCommand, { type: "Record" }>["fact"];

async function record(
  context: HttpContext,
  caller: Caller,
  id: string,
  fact: Fact,
): Promise<OwnRequest> {
  const command = { type: "Record", fact } as const;
  await issue(context, caller, { id, command, body: command });
  return await shown(context, caller.account.accountId, id);
}

async function issue(
  context: HttpContext,
  { request, account }: Caller,
  given: Omit<CommandRequest<PrivacyCommand, PrivacyEvent>, "now" | "cause">,
): Promise<void> {
  const result = await runCommand(context.ledger, privacyRequests, {
    ...requestContext(context, request, `account:${account.accountId}`),
    ...given,
    commandId: idempotencyKey(request),
  });
  if (result.kind === "answer") return;
  switch (result.code) {
    case "command_mismatch":
    case "version_conflict":
    case "process_superseded":
      throw storeProblem(result.code);
    default:
      throw refusalOf(result.code);
  }
}

function refusalOf(code: PrivacyRefusal): ProblemError {
  switch (code) {
    case "erasing-already":
    // The grace period is over, or was given up: the erasure begins within seconds.
    case "grace-runs":
      return new ProblemError(problems.erasing_already);
    default:
      return new ProblemError(problems.not_possible_now);
  }
}

async function shown({ ledger }: HttpContext, accountId: string, id: string): Promise<OwnRequest> {
  const row = (await requestsOf(ledger.sql, accountId)).find(({ requestId }) => requestId === id);
  if (row === undefined) throw new ProblemError(problems.request_unknown);
  return viewOf(row);
}

const dayMs = 24 * 60 * 60_000;

/** A request as its holder sees it: without officers. */
function viewOf(row: RequestRow): OwnRequest {
  const { requestId, type, status, outcome, denialReason, receivedAt, dueAt, eraseAt } = row;
  const downloads = { expiresAt: row.packageExpiresAt, downloadsLeft: row.downloadsLeft };
  const { expiresAt, downloadsLeft } = downloads;
  return {
    requestId,
    type,
    status: publicStatusOf[status],
    outcome,
    denialReason,
    receivedAt,
    dueAt,
    deletion:
      type !== "delete" || eraseAt === null
        ? null
        : {
            eraseAt,
            backupsGoneBy: instantPlus(receivedAt, limit.backupDays * dayMs),
            cancellable: status === "scheduled",
            waived: row.history.some(({ step }) => step === "waived"),
            held: row.held,
          },
    package: expiresAt === null || downloadsLeft === null ? null : { expiresAt, downloadsLeft },
    history: row.history.map(({ step, at }) => ({ step, at })),
  };
}
