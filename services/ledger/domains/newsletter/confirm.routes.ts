import { parseBody } from "@pro-talent/platform/http/parse-body";
import { newsletterPages, newsletterPaths } from "@pro-talent/schemas/newsletter/categories";
import type { NewsletterCommand } from "@pro-talent/schemas/newsletter/commands";
import type { ConfirmAnswer, ResendAnswer } from "@pro-talent/schemas/newsletter/http";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import { unavailable } from "../event-store/unavailable.ts";
import { answerPlainForm, isPlainForm, seeOther } from "../plain-forms/plain-forms.ts";
import { sendPrivate, sendRefusal, textField } from "./answers.ts";
import { commandSubscriber, type NewsletterOutcome } from "./newsletter-command.ts";
import { readSubscriber } from "./read-subscriber.ts";
import type { NewsletterRoutes } from "./route-options.ts";
import { type NewsletterLink, readToken, type TokenPurpose } from "./token.ts";

/** Any text: a token that a mail program has mangled is an unknown link, not a wrong body. */
const TokenBody = z.object({ token: z.string() });
const bodyLimit = newsletterLimits.bodyBytesMax;

/**
 * `POST /api/newsletter/confirm` and `/resend`, with the token of a confirmation mail. There is no
 * GET: programs that look into links before the reader does would confirm.
 */
export function addConfirmRoutes(app: FastifyInstance, options: NewsletterRoutes): void {
  app.post(newsletterPaths.confirm, { bodyLimit }, async (request, reply) => {
    const link = linkOf(request, options, "confirm");
    if (link === undefined) return sendRefusal(request, reply, "link_unknown");
    const { subscriberId, mail } = link;
    const outcome = await carryOut(options, subscriberId, { type: "ConfirmSubscription", mail });
    if (outcome.kind === "refusal") return sendRefusal(request, reply, outcome.code);
    const subscriber = await readSubscriber(options, subscriberId).catch(unavailable);
    const email = subscriber?.email ?? "";
    if (isPlainForm(request)) return seeOther(reply, confirmedPage(email));
    const answer: ConfirmAnswer = { status: "confirmed", email };
    return sendPrivate(reply, answer);
  });
  app.post(newsletterPaths.resend, { bodyLimit }, async (request, reply) => {
    const link = linkOf(request, options, "confirm");
    if (link === undefined) return sendRefusal(request, reply, "link_unknown");
    const outcome = await carryOut(options, link.subscriberId, { type: "ResendConfirmation" });
    if (outcome.kind === "refusal") return sendRefusal(request, reply, outcome.code);
    if (isPlainForm(request)) return answerPlainForm(reply, "resend-sent");
    const answer: ResendAnswer = { status: "confirmation_sent" };
    return sendPrivate(reply, answer);
  });
}

/**
 * The link whose token came in the body, or in the query: a form without an address of its own
 * keeps the query of its page.
 * @throws ProblemError `invalid_body` when there is none
 */
export function linkOf(
  request: FastifyRequest,
  { tokenKey }: NewsletterRoutes,
  purpose: TokenPurpose,
): NewsletterLink | undefined {
  const token =
    textField(request.body, "token") ??
    textField(request.query, "token") ??
    parseBody(TokenBody, request.body).token;
  return readToken(tokenKey, purpose, token);
}

/** Carries out a command now. @throws ProblemError `ledger_unavailable` */
export function carryOut(
  { store, clock }: NewsletterRoutes,
  subscriberId: string,
  command: NewsletterCommand,
): Promise<NewsletterOutcome> {
  const now = instantFromMs(clock());
  return commandSubscriber(store, { subscriberId, command, now }).catch(unavailable);
}

function confirmedPage(email: string): string {
  return `${newsletterPages.confirmed}?email=${encodeURIComponent(email)}`;
}
