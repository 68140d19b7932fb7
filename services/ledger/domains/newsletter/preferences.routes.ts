import { parseBody } from "@pro-talent/platform/http/parse-body";
import { newsletterPaths } from "@pro-talent/schemas/newsletter/categories";
import { PreferencesRequest, type SubscriberAnswer } from "@pro-talent/schemas/newsletter/http";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import type { FastifyInstance } from "fastify";

import { unavailable } from "../event-store/unavailable.ts";
import { answerPlainForm, isPlainForm } from "../plain-forms/plain-forms.ts";
import { sendPrivate, sendRefusal } from "./answers.ts";
import { carryOut, linkOf } from "./confirm.routes.ts";
import { readSubscriber, readSubscription } from "./read-subscriber.ts";
import type { NewsletterRoutes } from "./route-options.ts";

const bodyLimit = newsletterLimits.bodyBytesMax;
const Wishes = PreferencesRequest.omit({ token: true });

/**
 * `GET` and `POST /api/newsletter/preferences`, with the token of any newsletter mail. Somebody who
 * has left is shown as such, and cannot come back by changing preferences: that takes a new wish
 * and a new confirmation.
 */
export function addPreferencesRoutes(app: FastifyInstance, options: NewsletterRoutes): void {
  app.get(newsletterPaths.preferences, async (request, reply) => {
    const link = linkOf(request, options, "manage");
    const answer = await answerAbout(options, link?.subscriberId);
    if (answer === undefined) return sendRefusal(request, reply, "link_unknown");
    return sendPrivate(reply, answer);
  });
  app.post(newsletterPaths.preferences, { bodyLimit }, async (request, reply) => {
    const plain = isPlainForm(request);
    const link = linkOf(request, options, "manage");
    if (link === undefined) return sendRefusal(request, reply, "link_unknown");
    const wishes = parseBody(Wishes, plain ? withLists(request.body) : request.body);
    const { subscriberId } = link;
    const outcome = await carryOut(options, subscriberId, { type: "ChangePreferences", ...wishes });
    if (outcome.kind === "refusal") return sendRefusal(request, reply, outcome.code);
    const answer = await answerAbout(options, subscriberId);
    if (answer === undefined) return sendRefusal(request, reply, "link_unknown");
    if (!plain) return sendPrivate(reply, answer);
    const saved = answer.status === "subscribed";
    return answerPlainForm(reply, saved ? "preferences-saved" : "unsubscribed");
  });
}

/** Of whoever has left, the wishes are still known, the address soon is not: then it is empty. */
async function answerAbout(
  options: NewsletterRoutes,
  subscriberId: string | undefined,
): Promise<SubscriberAnswer | undefined> {
  if (subscriberId === undefined) return undefined;
  const state = await readSubscription(options.store, subscriberId).catch(unavailable);
  if (state.status === "none" || state.asked === null) return undefined;
  const subscriber = await readSubscriber(options, subscriberId).catch(unavailable);
  const { language, frequency, topics } = subscriber?.state.asked ?? state.asked;
  const subscribed = subscriber?.state.status === "confirmed";
  return {
    status: subscribed ? "subscribed" : "unsubscribed",
    email: subscriber?.email ?? "",
    language,
    frequency,
    topics,
  };
}

/** A form that names one topic sends a text, one that names several a list. */
function withLists(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const { topics = [], ...rest }: Record<string, unknown> = { ...body };
  return { ...rest, topics: [topics].flat() };
}
