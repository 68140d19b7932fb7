import { randomUUID } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import {
  addPlainForms,
  answerPlainForm,
  answerRefusedForms,
  isPlainForm,
  requestLanguage,
  requireOwnOrigin,
} from "@pro-talent/platform/http/plain-forms";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { type ContactRequest, contactCalls } from "@pro-talent/schemas/contact/calls";
import type { ContactFormAnswer } from "@pro-talent/schemas/contact/categories";
import { contactLimits } from "@pro-talent/schemas/contact/limits";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { requestContext, storeProblem, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { readContactMessage } from "./read-contact-message.ts";
import { type NewMessage, sendContactMessage } from "./send-contact-message.ts";

const formAnswers = {
  received: "contact-received",
  incomplete: "contact-incomplete",
  failed: "contact-failed",
} as const satisfies Record<string, ContactFormAnswer>;

/** The contact form, from scripts and as a plain form. */
export async function addContactRoutes(app: FastifyInstance, context: HttpContext): Promise<void> {
  await limitRate(app, { writes: context.formsPerMinute });
  addPlainForms(app);
  requireOwnOrigin(app, context.publicOrigin);
  answerRefusedForms(app, formAnswers);
  addCalls(app, contactCalls, {
    "POST /api/contact/send": {
      read: (body, request) =>
        readContactMessage(body, isPlainForm(request) ? "plain form" : "script"),
      handle: async ({ body }, { request }) => {
        // Only programs fill in the honeypot. They get the usual answer and learn nothing.
        if ((body.website ?? "").trim() === "") await store(context, request, body);
        return isPlainForm(request)
          ? answerPlainForm(formAnswers.received)
          : { status: "received" as const };
      },
    },
  });
}

async function store(
  context: HttpContext,
  request: FastifyRequest,
  body: ContactRequest,
): Promise<void> {
  const issued = requestContext(context, request, "visitor");
  const message = newMessage(request, body);
  const result = await sendContactMessage(context, message, issued).catch(unavailable);
  if (result.kind === "answer") return;
  throw storeProblem(result.code === "version_conflict" ? result.code : "command_mismatch");
}

function newMessage(request: FastifyRequest, body: ContactRequest): NewMessage {
  const { name, email, subject, message, subjectCategory, writingMs, sessionId } = body;
  return {
    commandId: idempotencyKey(request) ?? randomUUID(),
    category: subjectCategory,
    language: requestLanguage(request, body.language),
    suspected: writingMs !== undefined && writingMs < contactLimits.writingMsMin,
    details: { name, email, subject, message, sessionId: sessionId ?? null },
  };
}
