import { addCalls, AnswerWith } from "@pro-talent/platform/http/add-calls";
import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { requireInternalToken } from "@pro-talent/platform/http/internal-token";
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
import { bounceCalls, subscribeCalls } from "@pro-talent/schemas/newsletter/calls";
import {
  alreadySubscribedStatus,
  type NewsletterFormAnswer,
} from "@pro-talent/schemas/newsletter/categories";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import { requestCause, storeProblem, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import type { NewsletterCommand } from "./decider.ts";
import { addMailTokenCalls, addUnsubscribeCalls } from "./mail-token.routes.ts";
import { refusalText } from "./refusal-texts.ts";
import { requestSubscription } from "./request-subscription.ts";
import { commandSubscriber } from "./subscribers.ts";

type RefusedForms = {
  readonly incomplete: NewsletterFormAnswer;
  readonly failed: NewsletterFormAnswer;
};
/** Refusals of forms with a mail token that are not about the token itself. */
const tokenForms: RefusedForms = { incomplete: "subscribe-failed", failed: "subscribe-failed" };
const subscribeForms: RefusedForms = {
  incomplete: "subscribe-incomplete",
  failed: "subscribe-failed",
};

/**
 * The newsletter's calls. Unsubscribing is neither limited nor bound to an origin: mail providers post
 * it for all of their users, from a few addresses and from pages of their own. The token is the right
 * to it.
 */
export async function addNewsletterRoutes(
  app: FastifyInstance,
  context: HttpContext,
): Promise<void> {
  addPlainForms(app);
  addRefusalTexts(app);
  await app.register(async (limited) => {
    await limitRate(limited, { max: context.formsPerMinute, methods: ["POST"] });
    requireOwnOrigin(limited, context.publicOrigin);
    await limited.register(async (scope) => {
      answerRefusedForms(scope, subscribeForms);
      addSubscribeCall(scope, context);
    });
    await limited.register(async (scope) => {
      answerRefusedForms(scope, tokenForms);
      addMailTokenCalls(scope, context);
    });
  });
  await app.register(async (scope) => {
    answerRefusedForms(scope, tokenForms);
    addUnsubscribeCalls(scope, context);
  });
  await app.register(async (scope) => addBounceCall(scope, context));
}

function addSubscribeCall(app: FastifyInstance, context: HttpContext): void {
  addCalls(app, subscribeCalls, {
    "POST /api/newsletter/subscribe": {
      read: (body, request) => (isPlainForm(request) ? fromFields(body) : body),
      handle: async ({ body }, { request }) => {
        const plain = isPlainForm(request);
        const accepted = plain
          ? answerPlainForm("subscribe-sent" satisfies NewsletterFormAnswer)
          : { status: "confirmation_sent" as const };
        // Only programs fill in the honeypot. They get the usual answer and learn nothing.
        if ((body.website ?? "").trim() !== "") return accepted;
        const result = await requestSubscription(context, body, {
          now: instantFromMs(context.clock()),
          commandId: idempotencyKey(request),
          cause: requestCause(request, "visitor"),
        }).catch(unavailable);
        if (result.kind === "answer") return accepted;
        if (result.code === "already_subscribed") return alreadySubscribed(request, plain);
        throw storeProblem(
          result.code === "command_mismatch" ? "command_mismatch" : "version_conflict",
        );
      },
    },
  });
}

/** A form has no lists within objects: its preferences are fields beside the others. */
function fromFields(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const { frequency, topics, tags, ...rest }: Record<string, unknown> = { ...body };
  return {
    ...rest,
    preferences: {
      ...(frequency === undefined ? {} : { frequency }),
      ...(topics === undefined ? {} : { topics: [topics].flat() }),
    },
    ...(tags === undefined ? {} : { tags: [tags].flat() }),
  };
}

/** Not problem details: clients read status and text of it (specification §8). */
function alreadySubscribed(request: FastifyRequest, plain: boolean) {
  if (plain) return answerPlainForm("subscribe-already" satisfies NewsletterFormAnswer);
  const error = refusalText(languageOf(request), alreadySubscribedStatus);
  return new AnswerWith(409, { status: alreadySubscribedStatus, error });
}

/** A report about an unknown subscriber is accepted and changes nothing. */
function addBounceCall(app: FastifyInstance, context: HttpContext): void {
  requireInternalToken(app, context.internalToken);
  addCalls(app, bounceCalls, {
    "POST /internal/newsletter/bounces": async ({ body }, { request }) => {
      const { subscriberId, kind } = body;
      const command: NewsletterCommand =
        kind === "complaint" ? { type: "RecordComplaint" } : { type: "RecordBounce", kind };
      const result = await commandSubscriber(context.ledger, subscriberId, command, {
        now: instantFromMs(context.clock()),
        cause: requestCause(request, "service:mail-provider"),
      }).catch(unavailable);
      if (result.kind === "refusal") throw new ProblemError("version_conflict");
      return { status: "recorded" as const };
    },
  });
}

/** Adds to the refusals of this scope what forms show: a text in the visitor's language. */
function addRefusalTexts(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const type = reply.getHeader("content-type");
    if (typeof type !== "string" || !type.startsWith("application/problem+json")) return payload;
    if (typeof payload !== "string") return payload;
    const problem = Problem.parse(JSON.parse(payload));
    const pointers = problem.errors?.map((field) => field.pointer);
    const error = refusalText(languageOf(request), problem.code, pointers);
    reply.header("cache-control", "no-store");
    return JSON.stringify({ ...problem, error });
  });
}

const NamedLanguage = z.object({ language: Locale });

/** The language of the form, else that of the browser. */
function languageOf(request: FastifyRequest): Locale {
  const named = NamedLanguage.safeParse(request.body);
  return requestLanguage(request, named.success ? named.data.language : undefined);
}
