import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { parseBody } from "@pro-talent/platform/http/parse-body";
import { alreadySubscribedStatus, subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { type SubscribeAnswer, SubscribeRequest } from "@pro-talent/schemas/newsletter/http";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { unavailable } from "../event-store/unavailable.ts";
import { answerPlainForm, answerRefusedForms, isPlainForm } from "../plain-forms/plain-forms.ts";
import { languageOf, sendPrivate, sendRefusal } from "./answers.ts";
import { requestSubscription } from "./request-subscription.ts";
import type { NewsletterRoutes } from "./route-options.ts";
import { refusalText } from "./texts.ts";

/** `POST /api/newsletter/subscribe`, from scripts and plain forms. */
export function addSubscribeRoute(app: FastifyInstance, options: NewsletterRoutes): void {
  answerRefusedForms(app, { incomplete: "subscribe-incomplete", failed: "subscribe-failed" });
  app.post(subscribePath, { bodyLimit: newsletterLimits.bodyBytesMax }, async (request, reply) => {
    const plain = isPlainForm(request);
    const wish = parseBody(SubscribeRequest, plain ? fromFields(request.body) : request.body);
    // Only programs see the field. They are told what people are told, and learn nothing.
    if ((wish.website ?? "").trim() !== "") return sendTaken(reply, plain);
    const outcome = await requestSubscription(options, wish, {
      now: instantFromMs(options.clock()),
      commandId: idempotencyKey(request),
    }).catch(unavailable);
    if (outcome.kind === "answer") return sendTaken(reply, plain);
    return outcome.code === alreadySubscribedStatus && !plain
      ? sendSubscribed(request, reply)
      : sendRefusal(request, reply, outcome.code);
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

function sendTaken(reply: FastifyReply, plain: boolean): FastifyReply {
  if (plain) return answerPlainForm(reply, "subscribe-sent");
  const answer: SubscribeAnswer = { status: "confirmation_sent" };
  return sendPrivate(reply, answer);
}

/** Not problem details: the forms read status and text of it (specification §8). */
function sendSubscribed(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = refusalText(languageOf(request), alreadySubscribedStatus);
  return sendPrivate(reply.code(409), { status: alreadySubscribedStatus, error });
}
