import { randomUUID } from "node:crypto";

import type { SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import { addCalls, type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { normaliseEmail } from "@pro-talent/platform/mail/normalise-email";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import {
  type OwnRequest,
  ownRequestCalls,
  privacyProblems as problems,
} from "@pro-talent/schemas/privacy/calls";
import type { Correctable, Correction } from "@pro-talent/schemas/privacy/correction";
import { profileFieldOf } from "@pro-talent/schemas/privacy/correction-fields";
import type { RequestType } from "@pro-talent/schemas/privacy/request";
import type { FastifyInstance } from "fastify";
import { v5 as uuidV5 } from "uuid";

import type { ConsentSource } from "../../held.ts";
import type { Json } from "../../kernel/canonical-json.ts";
import { unavailable } from "../../kernel/http.ts";
import { inTurn } from "../../kernel/in-turn.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { requester } from "../../restriction.ts";
import { consentsOf, consentView, receiptOf } from "./consents.ts";
import { cancellationOf } from "./follow-up.ts";
import { readPackage } from "./fulfil/access-package.ts";
import { fieldsOf, type Profiles } from "./fulfil/correct.ts";
import { heldAbout, type HeldParts } from "./held.ts";
import { type Caller, issue, ownRequest, record, shown, viewOf } from "./own-requests.ts";
import { isOpenDeletion, isUndecidedForm, type RequestRow, requestsOf } from "./read-models.ts";

export type HolderParts = HeldParts & {
  readonly context: HttpContext;
  readonly files: FileStore;
  readonly profiles: Pick<Profiles, "correctableOf">;
  readonly consents: readonly ConsentSource[];
  /** Of receipts. */
  readonly signingKey: SigningKey;
};

type Handlers<Name extends keyof typeof ownRequestCalls> = CallHandlers<
  Pick<typeof ownRequestCalls, Name>
>;

/** The calls of account holders about their own requests. */
export async function addHolderCalls(app: FastifyInstance, parts: HolderParts): Promise<void> {
  const { context } = parts;
  const { sql } = context.ledger;
  await limitRate(app, { reads: context.readsPerMinute, writes: context.formsPerMinute });
  addCalls(app, ownRequestCalls, {
    "GET /api/privacy/held": (_input, { account }) =>
      heldAbout(context, parts, account.accountId, instantFromMs(context.clock())),
    "GET /api/privacy/requests": async (_input, { account }) => {
      const rows = await requestsOf(sql, account.accountId).catch(unavailable);
      return {
        requests: await Promise.all(rows.map((row) => viewOf(context, row))).catch(unavailable),
      };
    },
    ...consentHandlers(parts),
    ...deletionHandlers(parts),
    ...reviewedHandlers(parts),
  });
}

function consentHandlers({
  context,
  consents,
  contactOf,
  signingKey,
}: HolderParts): Handlers<
  "GET /api/privacy/consents" | "GET /api/privacy/consents/:receiptId/receipt"
> {
  const known = async ({ account: { accountId } }: Caller) => {
    const email = (await contactOf(accountId))?.email ?? null;
    return await consentsOf(context, consents, { accountId, email }).catch(unavailable);
  };
  return {
    "GET /api/privacy/consents": async (_input, caller) => ({
      consents: (await known(caller)).map(consentView),
    }),
    "GET /api/privacy/consents/:receiptId/receipt": async ({ params }, caller) => {
      const consent = (await known(caller)).find(({ receiptId }) => receiptId === params.receiptId);
      if (consent === undefined) throw new ProblemError(problems.receipt_unknown);
      const line = Buffer.from(receiptOf(signingKey, consent));
      return new FileAnswer(
        line,
        "application/json",
        `consent-${params.receiptId.slice(0, 8)}.json`,
      );
    },
  };
}

function deletionHandlers(
  parts: HolderParts,
): Handlers<
  | "POST /api/privacy/requests/delete"
  | "POST /api/privacy/requests/cancel-deletion"
  | "POST /api/privacy/requests/waive-grace"
> {
  const { context } = parts;
  return {
    "POST /api/privacy/requests/delete": async ({ body: { email, reason } }, caller) => {
      await requireOwnEmail(parts, caller, email);
      const personal = reason === "" ? undefined : { reason };
      return { request: await receive(parts, caller, "delete", personal).catch(unavailable) };
    },
    "POST /api/privacy/requests/cancel-deletion": async (_input, caller) => {
      const { requestId } = await openDeletion(context, caller);
      const data = { cancellationId: cancellationOf(requestId) };
      const fact = { type: "DeletionCancelled", data } as const;
      return { request: await record(context, caller, requestId, fact).catch(unavailable) };
    },
    "POST /api/privacy/requests/waive-grace": async ({ body }, caller) => {
      await requireOwnEmail(parts, caller, body.email);
      const { requestId } = await openDeletion(context, caller);
      const fact = { type: "GraceWaived", data: {} } as const;
      return { request: await record(context, caller, requestId, fact).catch(unavailable) };
    },
  };
}

/** Requests that an officer decides. */
function reviewedHandlers(
  parts: HolderParts,
): Handlers<
  | "POST /api/privacy/requests/access"
  | "POST /api/privacy/requests/correct"
  | "POST /api/privacy/requests/:requestId/withdraw"
  | "GET /api/privacy/requests/:requestId/package"
> {
  const { context, files } = parts;
  return {
    "POST /api/privacy/requests/access": async (_input, caller) => ({
      request: await receive(parts, caller, "access").catch(unavailable),
    }),
    "POST /api/privacy/requests/correct": async ({ body: { fields } }, caller) => {
      const held = await parts.profiles.correctableOf(caller.account.accountId);
      if (changesNothing(fields, held)) throw new ProblemError(problems.unchanged);
      const personal = { asked: { ...fields } };
      return { request: await receive(parts, caller, "correct", personal).catch(unavailable) };
    },
    "POST /api/privacy/requests/:requestId/withdraw": async ({ params }, caller) => {
      const fact = { type: "RequestWithdrawn", data: {} } as const;
      await ownRequest(context, caller.account.accountId, params.requestId).catch(unavailable);
      return { request: await record(context, caller, params.requestId, fact).catch(unavailable) };
    },
    "GET /api/privacy/requests/:requestId/package": async ({ params: { requestId } }, caller) => {
      const { accountId } = caller.account;
      const row = await ownRequest(context, accountId, requestId).catch(unavailable);
      // Its file goes a moment after its time.
      if (row.packageExpiresAt === null) throw new ProblemError(problems.package_ended);
      const content = await readPackage(context, files, requestId).catch(unavailable);
      if (content === undefined) throw new ProblemError(problems.package_ended);
      const fact = { type: "PackageDownloaded", data: {} } as const;
      await record(context, caller, requestId, fact).catch(unavailable);
      return new FileAnswer(content, "application/zip", "pro-talent-data.zip");
    },
  };
}

const changesNothing = (asked: Correction, held: Correctable): boolean =>
  fieldsOf(asked).every((field) => asked[profileFieldOf[field]] === held[profileFieldOf[field]]);

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

/**
 * One open request of a type and an account at a time, also when two are asked for at once: the open one
 * is answered.
 * @param personal what is sealed with it, until it is completed
 */
async function receive(
  { context, contactOf }: HolderParts,
  caller: Caller,
  requestType: RequestType,
  personal?: Json,
): Promise<OwnRequest> {
  const { accountId } = caller.account;
  const { sql } = context.ledger;
  return await inTurn(sql, `privacy requests of ${accountId}`, async () => {
    const open = (await requestsOf(sql, accountId)).find(
      (row) => row.type === requestType && row.outcome === null && !isUndecidedForm(row),
    );
    if (open !== undefined) return await viewOf(context, open);
    // Repeated after the request was completed, the same call is answered, not a new one made.
    const key = idempotencyKey(caller.request);
    const id = key === undefined ? randomUUID() : uuidV5(key, accountId);
    const command = {
      type: "ReceiveRequest",
      requestType,
      accountId,
      identity: "step-up",
    } as const;
    const email = (await contactOf(accountId))?.email ?? "";
    // A deletion is found by the address as well, for what is not tied to the account.
    const subject =
      personal === undefined && requestType !== "delete"
        ? undefined
        : await context.subjects.ofOccasion(requester, id, email);
    const sealed = subject && {
      ...subject.seal(personal ?? null),
      type: "RequestReceived" as const,
    };
    await issue(context, caller, { id, command, body: command, ...(sealed && { sealed }) });
    return await shown(context, accountId, id);
  });
}
