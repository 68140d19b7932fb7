import type { FileStore } from "@pro-talent/platform/files/file-store";
import {
  addCalls,
  type CallHandlers,
  FileAnswer,
  type SeeOther,
} from "@pro-talent/platform/http/add-calls";
import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import {
  addPlainForms,
  answerPlainForm,
  answerRefusedForms,
  isPlainForm,
  requestLanguage,
  requireOwnOrigin,
} from "@pro-talent/platform/http/plain-forms";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { privacyProblems } from "@pro-talent/schemas/privacy/calls";
import type { PrivacyFormAnswer } from "@pro-talent/schemas/privacy/form";
import {
  type FormRequest,
  privacyFormCalls,
  type PrivacyFormRequest,
  privacyFormProblems as problems,
} from "@pro-talent/schemas/privacy/form-calls";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { runCommand } from "../../../kernel/commands.ts";
import { requestContext, storeProblem, unavailable } from "../../../kernel/http.ts";
import type { HttpContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import { cancellationOf } from "../follow-up.ts";
import { readPackage } from "../fulfil/access-package.ts";
import type { Recordable } from "../guards.decider.ts";
import { findRequest } from "../read-models.ts";
import { privacyRequests } from "../requests.ts";
import type { KnownRequest } from "../state.decider.ts";
import { receiveForm } from "./ask.ts";
import { formView } from "./form-view.ts";
import { requestOfToken } from "./proofs.ts";
import { type CodeResult, identify, type IdentifyParts, openByCode, verifyCode } from "./verify.ts";

export type FormParts = IdentifyParts & {
  readonly context: HttpContext;
  readonly files: FileStore;
};
type Handlers<Name extends keyof typeof privacyFormCalls> = CallHandlers<
  Pick<typeof privacyFormCalls, Name>
>;

const refusedForms: {
  readonly incomplete: PrivacyFormAnswer;
  readonly failed: PrivacyFormAnswer;
  readonly byCode: Readonly<Record<string, PrivacyFormAnswer>>;
} = {
  incomplete: "privacy-incomplete",
  failed: "privacy-failed",
  byCode: {
    token_unknown: "privacy-link-unknown",
    code_wrong: "privacy-code-wrong",
    code_ended: "privacy-code-wrong",
  },
};

/** The public form of privacy requests, and the page behind the links of its mails. */
export async function addFormCalls(app: FastifyInstance, parts: FormParts): Promise<void> {
  const { context } = parts;
  await limitRate(app, { writes: context.formsPerMinute });
  addPlainForms(app);
  requireOwnOrigin(app, context.publicOrigin);
  answerRefusedForms(app, refusedForms);
  // What is answered about a request is for its sender alone.
  app.addHook("onSend", async (_request, reply) => {
    reply.header("cache-control", "no-store");
  });
  addCalls(app, privacyFormCalls, {
    "POST /api/privacy/form": async ({ body }, { request }) => {
      // Only programs fill in the honeypot. They get the usual answer and learn nothing.
      if ((body.website ?? "").trim() === "") await ask(context, request, body);
      return answered(request, "privacy-code-sent", { status: "code_sent" as const });
    },
    ...pageHandlers(parts),
    ...codeHandlers(parts),
  });
}

async function ask(
  context: HttpContext,
  request: FastifyRequest,
  body: PrivacyFormRequest,
): Promise<void> {
  const language = requestLanguage(request, body.language);
  const why = {
    ...requestContext(context, request, "visitor"),
    commandId: idempotencyKey(request),
  };
  await receiveForm(context, { ...body, language }, why).catch(unavailable);
}

/** Answers a plain form with a page, and every other client with data. */
const answered = <Answer>(
  request: FastifyRequest,
  page: PrivacyFormAnswer,
  answer: Answer,
): Answer | SeeOther => (isPlainForm(request) ? answerPlainForm(page) : answer);

/** @throws ProblemError for a token that leads to no request */
function requestIdOf(context: HttpContext, token: string): string {
  const requestId = requestOfToken(context, token);
  if (requestId === undefined) throw new ProblemError(problems.token_unknown);
  return requestId;
}

async function stateOf({ ledger }: HttpContext, id: string): Promise<KnownRequest> {
  const { state } = await loadState(ledger.sql, privacyRequests, id);
  if (state.status === "none" || state.relation === null)
    throw new ProblemError(problems.token_unknown);
  return state;
}

async function shown(context: HttpContext, id: string): Promise<{ request: FormRequest }> {
  const [state, row] = [await stateOf(context, id), await findRequest(context.ledger.sql, id)];
  if (row === undefined) throw new ProblemError(problems.token_unknown);
  return { request: formView(row, state, requestNow(context)) };
}

const requestNow = ({ clock }: HttpContext) => instantFromMs(clock());

/** Records what the sender of a form does. @throws ProblemError when it is refused */
async function act(
  context: HttpContext,
  request: FastifyRequest,
  id: string,
  fact: Recordable,
): Promise<void> {
  const command = { type: "Record", fact } as const;
  const why = requestContext(context, request, "visitor");
  const result = await runCommand(context.ledger, privacyRequests, {
    ...why,
    id,
    command,
    body: command,
  });
  if (result.kind === "answer") return;
  switch (result.code) {
    case "command_mismatch":
    case "version_conflict":
    case "process_superseded":
      throw storeProblem(result.code);
    case "codes-left":
      throw new ProblemError("rate_limited");
    case "identity-in-time":
      throw new ProblemError(problems.code_ended);
    case "package-valid":
      throw new ProblemError(privacyProblems.package_ended);
    case "erasing-already":
      throw new ProblemError(privacyProblems.erasing_already);
    default:
      throw new ProblemError(privacyProblems.not_possible_now);
  }
}

function pageHandlers({
  context,
}: FormParts): Handlers<"POST /api/privacy/form/status" | "POST /api/privacy/form/end"> {
  return {
    "POST /api/privacy/form/status": async ({ body: { token } }) =>
      await shown(context, requestIdOf(context, token)).catch(unavailable),
    "POST /api/privacy/form/end": async ({ body: { token } }, { request }) => {
      const id = requestIdOf(context, token);
      const { status } = await stateOf(context, id).catch(unavailable);
      const fact: Recordable =
        status === "scheduled"
          ? {
              type: "DeletionCancelled",
              data: { cancellationId: cancellationOf(id) },
            }
          : { type: "RequestWithdrawn", data: {} };
      await act(context, request, id, fact).catch(unavailable);
      return answered(request, "privacy-ended", await shown(context, id).catch(unavailable));
    },
  };
}

function codeHandlers(
  parts: FormParts,
): Handlers<
  | "POST /api/privacy/form/code"
  | "POST /api/privacy/form/verification"
  | "POST /api/privacy/form/package"
> {
  const { context, files } = parts;
  return {
    "POST /api/privacy/form/code": async ({ body: { token } }, { request }) => {
      const id = requestIdOf(context, token);
      const { status } = await stateOf(context, id).catch(unavailable);
      if (status !== "received" && status !== "ready") throw new ProblemError(problems.code_ended);
      const fact = { type: "IdentityChallengeSent", data: {} } as const;
      await act(context, request, id, fact).catch(unavailable);
      return await shown(context, id).catch(unavailable);
    },
    "POST /api/privacy/form/verification": async ({ body: { token, code } }, { request }) => {
      const requestId = requestIdOf(context, token);
      const why = requestContext(context, request, "visitor");
      requireRight(await verifyCode(context, { requestId, code }, why).catch(unavailable));
      // What fails here is done again by the timer of the request.
      await identify(context, parts, requestId, why).catch(() => undefined);
      return answered(request, "privacy-verified", await shown(context, requestId));
    },
    "POST /api/privacy/form/package": async ({ body: { token, code } }, { request }) => {
      const requestId = requestIdOf(context, token);
      const content = await readPackage(context, files, requestId).catch(unavailable);
      if (content === undefined) throw new ProblemError(privacyProblems.package_ended);
      const why = requestContext(context, request, "visitor");
      const open = () => act(context, request, requestId, { type: "PackageDownloaded", data: {} });
      const opened = openByCode(context, { requestId, code }, { why, open });
      requireRight(await opened.catch(unavailable));
      return new FileAnswer(content, "application/zip", "pro-talent-data.zip");
    },
  };
}

function requireRight(result: CodeResult): void {
  if (result === "wrong") throw new ProblemError(problems.code_wrong);
  if (result === "ended") throw new ProblemError(problems.code_ended);
}
