import { randomUUID } from "node:crypto";

import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { contactPath } from "@pro-talent/schemas/contact/categories";
import type { ContactAnswer, ContactRequest } from "@pro-talent/schemas/contact/http";
import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { unavailable } from "../event-store/unavailable.ts";
import { limitForms } from "../plain-forms/limit-forms.ts";
import {
  addPlainForms,
  answerPlainForm,
  answerRefusedForms,
  isPlainForm,
  requireOwnOrigin,
} from "../plain-forms/plain-forms.ts";
import { requestLanguage } from "../plain-forms/request-language.ts";
import type { ContactStores } from "./open-letter.ts";
import { readMessage } from "./read-message.ts";
import { type NewMessage, sendMessage } from "./send-message.ts";

export type ContactRoutes = ContactStores & {
  readonly clock: Clock;
  /** Plain forms of other origins are refused. */
  readonly publicOrigin: string;
  /** Messages that one client address may send in a minute. */
  readonly formsPerMinute: number;
};

/** `POST /api/contact/send`, from scripts and plain forms. Takes a Fastify scope of its own. */
export async function addContactRoutes(
  app: FastifyInstance,
  options: ContactRoutes,
): Promise<void> {
  await limitForms(app, options.formsPerMinute);
  addPlainForms(app);
  requireOwnOrigin(app, options.publicOrigin);
  answerRefusedForms(app, { incomplete: "contact-incomplete", failed: "contact-failed" });
  app.post(contactPath, { bodyLimit: contactLimits.bodyBytesMax }, async (request, reply) => {
    const plain = isPlainForm(request);
    const body = readMessage(request.body, plain ? "plain form" : "script");
    // Only programs see the field. They are told what people are told, and learn nothing.
    if ((body.website ?? "").trim() === "") await keep(options, newMessage(request, body));
    return plain ? answerPlainForm(reply, "contact-received") : sendReceived(reply);
  });
}

function newMessage(request: FastifyRequest, body: ContactRequest): NewMessage {
  const { name, email, subject, message, subjectCategory, writingMs, sessionId } = body;
  return {
    commandId: idempotencyKey(request) ?? randomUUID(),
    category: subjectCategory,
    language: requestLanguage(request, body.language),
    suspected: writingMs !== undefined && writingMs < contactLimits.writingMsMin,
    letter: { name, email, subject, message, sessionId: sessionId ?? null },
  };
}

async function keep(options: ContactRoutes, message: NewMessage): Promise<void> {
  const now = instantFromMs(options.clock());
  const outcome = await sendMessage(options, message, now).catch(unavailable);
  if (outcome.kind !== "refusal") return;
  throw new ProblemError(
    outcome.code === "version_conflict" ? "version_conflict" : "command_mismatch",
  );
}

function sendReceived(reply: FastifyReply): FastifyReply {
  const answer: ContactAnswer = { status: "received" };
  return reply.header("cache-control", "no-store").send(answer);
}
