import { addCalls, AnswerWith } from "@pro-talent/platform/http/add-calls";
import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import {
  addPlainForms,
  answerRefusedForms,
  isPlainForm,
  requireOwnOrigin,
} from "@pro-talent/platform/http/plain-forms";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import {
  type newsletterProblems,
  reportCalls,
  subscribeCalls,
} from "@pro-talent/schemas/newsletter/calls";
import {
  alreadySubscribedStatus,
  type NewsletterFormAnswer,
} from "@pro-talent/schemas/newsletter/categories";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { requestContext, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { addRefusalTexts, answerTo, refusalProblem, refusalText } from "./answers.ts";
import { recordFeedback, recordMailReport } from "./mail-reports.ts";
import { addMailTokenCalls, addNeverCall, addUnsubscribeCalls } from "./mail-token.routes.ts";
import { requestSubscription } from "./request-subscription.ts";
import { commandSubscriber, newsletterSubscriber } from "./subscribers.ts";

type FormAnswers<Name extends string> = Readonly<Record<Name, NewsletterFormAnswer>>;

const subscribeForms: FormAnswers<"incomplete" | "failed"> = {
  incomplete: "subscribe-incomplete",
  failed: "subscribe-failed",
};
const neverForms: FormAnswers<"incomplete" | "failed"> = {
  incomplete: "never-failed",
  failed: "never-failed",
};
/** Refusals that concern the token have pages of their own. */
const tokenForms: FormAnswers<"incomplete" | "failed"> & {
  readonly byCode: FormAnswers<keyof typeof newsletterProblems>;
} = {
  incomplete: "subscribe-failed",
  failed: "subscribe-failed",
  byCode: {
    token_unknown: "confirm-unknown",
    token_used: "confirm-used",
    token_expired: "confirm-expired",
    token_superseded: "confirm-superseded",
  },
};

/** The newsletter's calls: forms of visitors and subscribers, and reports of the mail provider. */
export async function addNewsletterRoutes(
  app: FastifyInstance,
  context: HttpContext,
): Promise<void> {
  await app.register((forms) => addForms(forms, context));
  await app.register(async (reports) => addReportCalls(reports, context));
}

/**
 * Unsubscribing is neither limited nor bound to an origin: mail providers post it for all of their
 * users, from a few addresses and from pages of their own. The token is the right to it.
 */
async function addForms(app: FastifyInstance, context: HttpContext): Promise<void> {
  addPlainForms(app);
  addRefusalTexts(app);
  await app.register(async (limited) => {
    await limitRate(limited, { writes: context.formsPerMinute, reads: context.readsPerMinute });
    requireOwnOrigin(limited, context.publicOrigin);
    await limited.register(async (scope) => {
      answerRefusedForms(scope, subscribeForms);
      addSubscribeCall(scope, context);
    });
    await limited.register(async (scope) => {
      answerRefusedForms(scope, tokenForms);
      addMailTokenCalls(scope, context);
    });
    await limited.register(async (scope) => {
      answerRefusedForms(scope, neverForms);
      addNeverCall(scope, context);
    });
  });
  await app.register(async (scope) => {
    answerRefusedForms(scope, tokenForms);
    addUnsubscribeCalls(scope, context);
  });
}

function addSubscribeCall(app: FastifyInstance, context: HttpContext): void {
  addCalls(app, subscribeCalls, {
    "POST /api/newsletter/subscribe": {
      read: (body, request) => (isPlainForm(request) ? fromFields(body) : body),
      handle: async ({ body }, { request }) => {
        const sent = { status: "confirmation_sent" as const };
        const accepted = answerTo(request, "subscribe-sent", sent);
        // Only programs fill in the honeypot. They get the usual answer and learn nothing.
        if ((body.website ?? "").trim() !== "") return accepted;
        const result = await requestSubscription(context, body, {
          ...requestContext(context, request, "visitor"),
          commandId: idempotencyKey(request),
        }).catch(unavailable);
        if (result.kind === "answer") return accepted;
        const { code: status } = result;
        if (status !== alreadySubscribedStatus) throw refusalProblem(status);
        // Not problem details: clients read status and text of it (specification §8).
        const refused = new AnswerWith(409, { status, error: refusalText(request, status) });
        return answerTo(request, "subscribe-already", refused);
      },
    },
    "POST /api/newsletter/preferences/link": async ({ body }, { request }) => {
      await mailLink(context, body.email, request);
      return answerTo(request, "link-sent", { status: "link_sent" as const });
    },
  });
}

/** Only a subscriber is mailed; the answer does not show whether an address belongs to one. */
async function mailLink(
  context: HttpContext,
  email: string,
  request: FastifyRequest,
): Promise<void> {
  const subscriberId = await context.subjects
    .idOfAddress(newsletterSubscriber, email)
    .catch(unavailable);
  if (subscriberId === undefined) return;
  const issued = requestContext(context, request, "visitor");
  const command = { type: "RequestPreferencesLink" } as const;
  const requested = commandSubscriber(context.ledger, subscriberId, command, issued);
  const result = await requested.catch(unavailable);
  if (result.kind === "refusal") throw refusalProblem(result.code);
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

/** A report about an unknown subscriber or mail is accepted and changes nothing. */
function addReportCalls(app: FastifyInstance, context: HttpContext): void {
  app.addContentTypeParser("message/rfc822", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );
  const issued = (request: FastifyRequest) =>
    requestContext(context, request, "service:mail-provider");
  addCalls(app, reportCalls, {
    "POST /internal/newsletter/bounces": async ({ body }, { request }) => {
      const { subscriberId, kind } = body;
      const recorded = recordFeedback(context, { subscriberId, kind }, issued(request));
      const result = await recorded.catch(unavailable);
      if (result.kind === "refusal") throw refusalProblem(result.code);
      return { status: "recorded" as const };
    },
    "POST /internal/newsletter/mail-reports": async (_parts, { request }) => {
      if (!Buffer.isBuffer(request.body)) throw new ProblemError("invalid_body");
      const recorded = recordMailReport(context, request.body, issued(request));
      return { status: await recorded.catch(unavailable) };
    },
  });
}
