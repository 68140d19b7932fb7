import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import {
  type OwnRequest,
  OwnStep,
  privacyProblems as problems,
} from "@pro-talent/schemas/privacy/calls";
import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { privacyLimits as limit } from "@pro-talent/schemas/privacy/limits";
import { publicStatusOf } from "@pro-talent/schemas/privacy/transitions";
import type { FastifyRequest } from "fastify";

import { type CommandRequest, runCommand } from "../../kernel/commands.ts";
import { requestContext, storeProblem } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { PrivacyCommand, PrivacyRefusal } from "./decider.ts";
import type { Recordable } from "./guards.decider.ts";
import { possibleEvents } from "./possible.decider.ts";
import { type RequestRow, requestsOf } from "./read-models.ts";
import { privacyRequests } from "./requests.ts";
import type { KnownRequest } from "./state.decider.ts";

/** An account's holder, or an officer. */
export type Caller = { readonly request: FastifyRequest; readonly account: SignedIn };

/** Records a fact about a request of the account. @throws ProblemError when it is refused */
export async function record(
  context: HttpContext,
  caller: Caller,
  id: string,
  fact: Recordable,
): Promise<OwnRequest> {
  const command = { type: "Record", fact } as const;
  await issue(context, caller, { id, command, body: command });
  return await shown(context, caller.account.accountId, id);
}

type Issued = Omit<CommandRequest<PrivacyCommand, PrivacyEvent>, "now" | "cause">;

/** Issues a command of an account's holder. @throws ProblemError when it is refused */
export async function issue(
  context: HttpContext,
  { request, account }: Caller,
  issued: Issued,
): Promise<void> {
  const result = await runCommand(context.ledger, privacyRequests, {
    ...requestContext(context, request, `account:${account.accountId}`),
    ...issued,
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
    case "not-held":
      return new ProblemError(problems.on_hold);
    case "lease-free":
      return new ProblemError(problems.assigned_elsewhere);
    case "lease-held":
      return new ProblemError(problems.not_assigned);
    case "other-officer":
      return new ProblemError(problems.own_proposal);
    case "nothing-proposed":
      return new ProblemError(problems.second_officer);
    case "package-valid":
      return new ProblemError(problems.package_ended);
    default:
      return new ProblemError(problems.not_possible_now);
  }
}

/** @throws ProblemError when the account has no such request */
export async function ownRequest(
  { ledger }: Pick<HttpContext, "ledger">,
  accountId: string,
  id: string,
): Promise<RequestRow> {
  const row = (await requestsOf(ledger.sql, accountId)).find(({ requestId }) => requestId === id);
  if (row === undefined) throw new ProblemError(problems.request_unknown);
  return row;
}

/** A request of the account as its holder sees it. @throws ProblemError when it has no such request */
export async function shown(
  context: HttpContext,
  accountId: string,
  id: string,
): Promise<OwnRequest> {
  return await viewOf(context, await ownRequest(context, accountId, id));
}

/** A request as its holder sees it, with what can be done about it now. */
export async function viewOf(context: HttpContext, row: RequestRow): Promise<OwnRequest> {
  const { state } = await loadState(context.ledger.sql, privacyRequests, row.requestId);
  if (state.status === "none") throw new Error(`${row.requestId} has no events`);
  return viewIn(row, state, instantFromMs(context.clock()));
}

const dayMs = 24 * 60 * 60_000;

/** Without officers. */
export function viewIn(row: RequestRow, state: KnownRequest, now: Instant): OwnRequest {
  const { requestId, type, status, outcome, denialReason, receivedAt, dueAt, eraseAt } = row;
  const { packageExpiresAt: expiresAt, downloadsLeft } = row;
  return {
    requestId,
    type,
    status: publicStatusOf[status],
    outcome,
    partly: outcome === "fulfilled" ? row.partly : [],
    possible: [...possibleEvents(state, "holder", now)],
    denialReason,
    deniedFields: outcome === "fulfilled" ? row.deniedFields : [],
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
    withheld: row.withheld,
    history: row.history.flatMap(({ step, at }) => {
      const own = OwnStep.safeParse(step);
      return own.success ? [{ step: own.data, at }] : [];
    }),
  };
}
