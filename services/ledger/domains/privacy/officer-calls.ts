import { randomUUID } from "node:crypto";

import { addCalls, type CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { privacyProblems as problems } from "@pro-talent/schemas/privacy/calls";
import type { Correctable, Correction, DeniedFields } from "@pro-talent/schemas/privacy/correction";
import { itemsIn } from "@pro-talent/schemas/privacy/held-data";
import {
  privacyOfficerCalls,
  type ReviewedRequest,
} from "@pro-talent/schemas/privacy/officer-calls";
import type { FastifyInstance } from "fastify";

import type { Sealed } from "../../kernel/append.ts";
import { unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import { heldIn, proofOf } from "./form/form-review.ts";
import { senderOf } from "./form/sender.ts";
import { accessSteps } from "./fulfil/collect.ts";
import { askedIn, correctionOf, fieldsOf, type Profiles } from "./fulfil/correct.ts";
import type { Recordable } from "./guards.decider.ts";
import type { HeldParts } from "./held.ts";
import { queuedRequests, queuedViews } from "./officer-queue.ts";
import { type Caller, issue } from "./own-requests.ts";
import { possibleEvents } from "./possible.decider.ts";
import { findRequest, type RequestRow } from "./read-models.ts";
import { privacyRequests } from "./requests.ts";
import type { KnownRequest } from "./state.decider.ts";

export type OfficerParts = HeldParts & {
  readonly context: HttpContext;
  readonly profiles: Pick<Profiles, "correctableOf">;
  /** Stores whose texts others may have written. */
  readonly byOthers: readonly string[];
  /** SHA-256 of the record of processing activities. */
  readonly register?: string | undefined;
};

/** The calls of privacy officers about the requests of account holders. */
export async function addOfficerCalls(app: FastifyInstance, parts: OfficerParts): Promise<void> {
  const { context } = parts;
  const { sql } = context.ledger;
  await limitRate(app, { reads: context.readsPerMinute, writes: context.formsPerMinute });
  addCalls(app, privacyOfficerCalls, {
    "GET /api/console/privacy/requests": async ({ query }, { account }) => {
      const now = context.clock();
      const asked = { ...query, officerId: account.accountId, now: new Date(now) };
      const { rows, ...counts } = await queuedRequests(sql, asked).catch(unavailable);
      const requests = await queuedViews(parts, rows, account.accountId).catch(unavailable);
      return { ...counts, requests };
    },
    "GET /api/console/privacy/requests/:requestId": async ({ params }, { account }) =>
      await reviewOf(parts, params.requestId, account.accountId).catch(unavailable),
    "GET /api/console/privacy/requests/:requestId/preview": async ({ params }) => {
      const row = await requestFor(context, params.requestId).catch(unavailable);
      const now = instantFromMs(context.clock());
      const { sections, missing } = await heldIn(context, parts, row, now).catch(unavailable);
      return {
        stores: sections.map((section) => ({ store: section.section, items: itemsIn(section) })),
        missing,
        recipients: sections.find(({ section }) => section === "recipients")?.records ?? [],
      };
    },
    ...decisionHandlers(parts),
  });
}

type Decisions = Omit<
  typeof privacyOfficerCalls,
  | "GET /api/console/privacy/requests"
  | "GET /api/console/privacy/requests/:requestId"
  | "GET /api/console/privacy/requests/:requestId/preview"
>;

function decisionHandlers(parts: OfficerParts): CallHandlers<Decisions> {
  const decide = (
    { params, body }: Decided,
    caller: Caller,
    fact: (officerId: string) => Recordable,
  ) =>
    decideOn(parts, caller, { ...params, ...body }, async () => ({
      fact: fact(officerOf(caller)),
    }));
  return {
    "POST /api/console/privacy/requests/:requestId/claim": (input, caller) =>
      decide(input, caller, (officerId) => ({ type: "Assigned", data: { officerId } })),
    "POST /api/console/privacy/requests/:requestId/release": (input, caller) =>
      decide(input, caller, (officerId) => ({ type: "AssignmentReleased", data: { officerId } })),
    "POST /api/console/privacy/requests/:requestId/approve": (
      { params, body: { version, held, denied, review } },
      caller,
    ) =>
      decideOn(parts, caller, { ...params, version }, (row) =>
        approvalOf(parts, row, officerOf(caller), { seen: held, denied, review }),
      ),
    "POST /api/console/privacy/requests/:requestId/check": (input, caller) =>
      decide(input, caller, (officerId) => {
        return { type: "IdentityChecked", data: { officerId, check: input.body.check } };
      }),
    "POST /api/console/privacy/requests/:requestId/deny": (
      { params, body: { version, reason } },
      caller,
    ) =>
      decideOn(parts, caller, { ...params, version }, async ({ proposedBy }) => {
        const data = { officerId: officerOf(caller), reason };
        const isFirst = proposedBy === null || proposedBy === data.officerId;
        const type = reason === "suspected-fraud" && isFirst ? "DenialProposed" : "RequestDenied";
        return { fact: { type, data } };
      }),
    "POST /api/console/privacy/requests/:requestId/extend": (input, caller) =>
      decide(input, caller, (officerId) => ({
        type: "ExtensionDeclared",
        data: { officerId, law: input.body.law },
      })),
    "POST /api/console/privacy/requests/:requestId/hold": (input, caller) =>
      decide(input, caller, (officerId) => {
        const { law, reviewAt } = input.body;
        return { type: "HoldPlaced", data: { officerId, holdId: randomUUID(), law, reviewAt } };
      }),
    "POST /api/console/privacy/requests/:requestId/holds/:holdId/release": (input, caller) =>
      decide(input, caller, (officerId) => ({
        type: "HoldReleased",
        data: { officerId, holdId: input.params.holdId },
      })),
    "POST /api/console/privacy/requests/:requestId/holds/:holdId/review": (input, caller) =>
      decide(input, caller, (officerId) => {
        const { reason, reviewAt } = input.body;
        const { holdId } = input.params;
        return { type: "HoldReviewed", data: { officerId, holdId, reason, reviewAt } };
      }),
    "POST /api/console/privacy/requests/:requestId/retry": (input, caller) =>
      decide(input, caller, (officerId) => ({ type: "Retried", data: { officerId } })),
  };
}

type Decided = {
  readonly params: { readonly requestId: string };
  readonly body: { readonly version: number };
};
type Decision = { readonly fact: Recordable; readonly sealed?: Sealed };

export const officerOf = ({ account }: Caller): string => account.accountId;

/**
 * Records a decision of an officer: on what they saw, and never about themself. The rules themselves
 * are the decider's.
 */
export async function decideOn(
  parts: { readonly context: HttpContext },
  caller: Caller,
  { requestId, version }: { readonly requestId: string; readonly version: number },
  decision: (row: RequestRow) => Promise<Decision>,
): Promise<{ status: "recorded" }> {
  const { context } = parts;
  const row = await requestFor(context, requestId).catch(unavailable);
  if (row.accountId === officerOf(caller)) throw new ProblemError(problems.own_request);
  if (row.version !== version) throw new ProblemError("version_conflict");
  const { fact, sealed } = await decision(row);
  const command = { type: "Record", fact } as const;
  const sealing = sealed && { sealed: { ...sealed, type: fact.type } };
  await issue(context, caller, { id: requestId, command, body: command, ...sealing }).catch(
    unavailable,
  );
  return { status: "recorded" };
}

type Approved = {
  readonly seen?: Correction | undefined;
  readonly denied?: DeniedFields | undefined;
  /** Whether a copy is reviewed also where no text of others is found. */
  readonly review?: boolean | undefined;
};

/** Of what is corrected, the values that the officer saw must be held now; they are sealed with the approval. */
async function approvalOf(
  parts: OfficerParts,
  { requestId, type, accountId }: RequestRow,
  officerId: string,
  { seen = {}, denied = [], review }: Approved,
): Promise<Decision> {
  if (type === "delete") return { fact: { type: "DeletionApproved", data: { officerId } } };
  if (type === "access") {
    const { register } = parts;
    const steps = [...accessSteps(parts, accountId)];
    const reviewed = { asked: review === true, stores: [...parts.byOthers] };
    const data = { officerId, steps, review: reviewed, ...(register && { register }) };
    return { fact: { type: "AccessApproved", data } };
  }
  const asked = await askedIn(parts.context, requestId);
  if (type !== "correct" || asked === undefined || accountId === null)
    throw new ProblemError(problems.not_possible_now);
  const steps = fieldsOf(asked).filter((name) => denied.every(({ field }) => field !== name));
  if (steps.length === 0 || steps.length + denied.length !== fieldsOf(asked).length)
    throw new ProblemError(problems.fields_unfit);
  const approved = correctionOf(asked, steps);
  const now = heldOf(approved, await parts.profiles.correctableOf(accountId));
  const isAsSeen = Object.entries(now).every(([field, value]) => fieldIn(seen, field) === value);
  if (!isAsSeen) throw new ProblemError(problems.values_changed);
  const subject = await parts.context.subjects.find(requestId);
  if (subject === undefined) throw new ProblemError(problems.not_possible_now);
  const data = { officerId, steps, ...(denied.length > 0 && { denied }) };
  return {
    fact: { type: "CorrectionApproved", data },
    sealed: subject.seal({ held: now }),
  };
}

const fieldIn = (values: object, field: string): unknown =>
  Object.entries(values).find(([name]) => name === field)?.[1];

/** The held values of those fields that are asked for. */
function heldOf(asked: Correction, { fullName, phone, address, language }: Correctable) {
  return {
    ...(asked.fullName === undefined ? {} : { fullName }),
    ...(asked.phone === undefined ? {} : { phone }),
    ...(asked.address === undefined ? {} : { address }),
    ...(asked.language === undefined ? {} : { language }),
  };
}

async function requestFor({ ledger }: HttpContext, requestId: string): Promise<RequestRow> {
  const row = await findRequest(ledger.sql, requestId);
  if (row === undefined) throw new ProblemError(problems.request_unknown);
  return row;
}

async function reviewOf(
  parts: OfficerParts,
  requestId: string,
  officerId: string,
): Promise<{ request: ReviewedRequest }> {
  const { context } = parts;
  const row = await requestFor(context, requestId);
  const { state } = await loadState(context.ledger.sql, privacyRequests, requestId);
  const [queued] = await queuedViews(parts, [row], officerId);
  if (queued === undefined) throw new ProblemError(problems.request_unknown);
  const { version, identity, eraseAt, denialReason, deniedFields, holds, history } = row;
  const { proposedBy, proposedReason, relation } = row;
  const sender = relation === null ? undefined : await senderOf(context, requestId);
  return {
    request: {
      ...queued,
      version,
      identity,
      eraseAt,
      denialReason,
      deniedFields,
      holds,
      history,
      form: relation === null || state.status === "none" ? null : proofOf(row, state, sender),
      own: row.accountId === officerId,
      possible:
        row.accountId === officerId || state.status === "none"
          ? []
          : possibleEvents(state, { officerId }, instantFromMs(context.clock())),
      proposedDenial:
        proposedBy === null || proposedReason === null
          ? null
          : { reason: proposedReason, officerId: proposedBy, mine: proposedBy === officerId },
      correction: row.status === "verified" ? await comparedIn(parts, row) : null,
      steps: state.status === "none" ? [] : stepsOf(state),
    },
  };
}

async function comparedIn(
  { context, profiles }: OfficerParts,
  { type, accountId, requestId }: RequestRow,
): Promise<ReviewedRequest["correction"]> {
  if (type !== "correct" || accountId === null) return null;
  const asked = await askedIn(context, requestId);
  if (asked === undefined) return null;
  return { asked, held: heldOf(asked, await profiles.correctableOf(accountId)) };
}

/** The steps of the work, those around it included as far as they have failed. */
function stepsOf({ plan, open, attempts, found }: KnownRequest): ReviewedRequest["steps"] {
  const failed = Object.keys(attempts).filter((step) => !plan.includes(step));
  return [...plan, ...failed].map((step) => ({
    step,
    state:
      open.includes(step) || !plan.includes(step) ? (attempts[step] ? "failed" : "open") : "done",
    attempts: attempts[step] ?? 0,
    found: found[step] ?? null,
  }));
}
