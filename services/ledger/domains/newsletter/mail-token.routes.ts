import { addCalls, SeeOther } from "@pro-talent/platform/http/add-calls";
import { isPlainForm } from "@pro-talent/platform/http/plain-forms";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import {
  mailTokenCalls,
  neverCalls,
  NewsletterToken,
  type SubscriberAnswer,
  unsubscribeCalls,
} from "@pro-talent/schemas/newsletter/calls";
import { newsletterPages, newsletterPaths } from "@pro-talent/schemas/newsletter/categories";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import { requestContext, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { answerTo, refusalProblem } from "./answers.ts";
import type { NewsletterCommand } from "./decider.ts";
import {
  type MailToken,
  mailTokenKeys,
  readNeverToken,
  readToken,
  type TokenPurpose,
} from "./mail-tokens.ts";
import { isKnown } from "./subscriber-state.decider.ts";
import { commandSubscriber, readAddress, readSubscriberState } from "./subscribers.ts";

/**
 * The calls behind the links of mails. Confirming is never a GET: programs that look into links before
 * the reader does would confirm.
 */
export function addMailTokenCalls(app: FastifyInstance, context: HttpContext): void {
  const tokenOf = tokenReader(context);
  addCalls(app, mailTokenCalls, {
    "POST /api/newsletter/confirm": {
      read: bodyOrNone,
      handle: async (_parts, { request }) => {
        const { subscriberId, mail } = tokenOf(request, "confirm");
        await carryOut(context, request, subscriberId, { type: "ConfirmSubscription", mail });
        const email = (await readAddress(context, subscriberId).catch(unavailable)) ?? "";
        return isPlainForm(request)
          ? new SeeOther(`${newsletterPages.confirmed}?email=${encodeURIComponent(email)}`)
          : { status: "confirmed" as const, email };
      },
    },
    "POST /api/newsletter/resend": {
      read: bodyOrNone,
      handle: async (_parts, { request }) => {
        const { subscriberId } = tokenOf(request, "confirm");
        // A mail that would not be sent must not end the token of the one before it.
        const email = await readAddress(context, subscriberId).catch(unavailable);
        if (email !== undefined && (await context.mailboxes.isUsedUp(email).catch(unavailable))) {
          throw refusalProblem("rate_limited");
        }
        await carryOut(context, request, subscriberId, { type: "ResendConfirmation" });
        return answerTo(request, "resend-sent", { status: "confirmation_sent" as const });
      },
    },
    "GET /api/newsletter/preferences": (_parts, { request }) =>
      describeSubscriber(context, tokenOf(request, "manage").subscriberId),
    "POST /api/newsletter/preferences": {
      read: (body, request) => {
        // A token that is not known is reported before wrong fields are.
        tokenOf(request, "manage");
        return isPlainForm(request) ? withLists(body) : body;
      },
      handle: async ({ body: { token: _token, ...preferences } }, { request }) => {
        const { subscriberId } = tokenOf(request, "manage");
        const command = { type: "ChangePreferences", ...preferences } as const;
        await carryOut(context, request, subscriberId, command);
        const answer = await describeSubscriber(context, subscriberId);
        const saved = answer.status === "subscribed";
        return answerTo(request, saved ? "preferences-saved" : "unsubscribed", answer);
      },
    },
  });
}

/** A request may have no body at all: its token is in the query then. */
function bodyOrNone(body: unknown): unknown {
  return body ?? {};
}

const OneClick = z.object({ "List-Unsubscribe": z.literal("One-Click") });

/**
 * Unsubscribing, from the preference page and from mail programs (RFC 8058); repeating it changes
 * nothing. A GET leads people to the preference page and changes nothing either.
 */
export function addUnsubscribeCalls(app: FastifyInstance, context: HttpContext): void {
  const tokenOf = tokenReader(context);
  acceptOneClickMultipart(app);
  app.get(newsletterPaths.unsubscribe, async (request, reply) => {
    const query = z.object({ token: NewsletterToken }).safeParse(request.query);
    const rest = query.success ? `?token=${query.data.token}` : "";
    return reply
      .redirect(newsletterPages.preferences + rest, 303)
      .header("cache-control", "no-store");
  });
  addCalls(app, unsubscribeCalls, {
    "POST /api/newsletter/unsubscribe": async (_parts, { request }) => {
      const { subscriberId } = tokenOf(request, "manage");
      const method = OneClick.safeParse(request.body).success ? "one_click" : "preferences";
      await carryOut(context, request, subscriberId, { type: "Unsubscribe", method });
      const answer = { status: "unsubscribed" as const };
      // A mail program follows no redirect, and no person sees its answer.
      return method === "one_click" ? answer : answerTo(request, "unsubscribed", answer);
    },
  });
}

/** RFC 8058 §3.1 prefers `multipart/form-data`; its only field repeats what the header states. */
function acceptOneClickMultipart(app: FastifyInstance): void {
  app.addContentTypeParser("multipart/form-data", { parseAs: "string" }, (_request, body, done) => {
    const given = body.includes('name="List-Unsubscribe"') && body.includes("One-Click");
    done(null, given ? { "List-Unsubscribe": "One-Click" } : {});
  });
}

/**
 * Puts the mailbox of a mail on the do-not-mail list and ends its subscription. Never a GET, for the
 * same reason as confirming; repeating it changes nothing.
 */
export function addNeverCall(app: FastifyInstance, context: HttpContext): void {
  const keys = mailTokenKeys(context);
  addCalls(app, neverCalls, {
    "POST /api/newsletter/never": {
      read: bodyOrNone,
      handle: async (_parts, { request }) => {
        const token = readNeverToken(keys, tokenText(request));
        if (token === undefined) throw refusalProblem("token_unknown");
        const { subscriberId, mailbox } = token;
        await context.mailboxes.block(mailbox, "never_again").catch(unavailable);
        const command = { type: "Unsubscribe", method: "never_again" } as const;
        await carryOut(context, request, subscriberId, command);
        return answerTo(request, "never-done", { status: "never_again" as const });
      },
    },
  });
}

const TokenField = z.object({ token: z.string() });

/**
 * The token of a body, or else of a query: a form without an address of its own keeps the query of its
 * page.
 * @throws ProblemError `invalid_body` without a token
 */
function tokenText({ body, query }: FastifyRequest): string {
  const field = [body, query]
    .map((part) => TokenField.safeParse(part))
    .find((part) => part.success);
  if (field !== undefined) return field.data.token;
  throw new ProblemError("invalid_body", { errors: [{ pointer: "/token", message: "a token" }] });
}

function tokenReader(context: HttpContext) {
  const keys = mailTokenKeys(context);
  /** @throws ProblemError `invalid_body` without a token, `token_unknown` when it is not valid */
  return (request: FastifyRequest, purpose: TokenPurpose): MailToken => {
    const token = readToken(keys, purpose, tokenText(request));
    if (token === undefined) throw refusalProblem("token_unknown");
    return token;
  };
}

/** @throws ProblemError when the command is refused, or the ledger is away */
async function carryOut(
  context: HttpContext,
  request: FastifyRequest,
  subscriberId: string,
  command: NewsletterCommand,
): Promise<void> {
  const issued = requestContext(context, request, `subscriber:${subscriberId}`);
  const carriedOut = commandSubscriber(context.ledger, subscriberId, command, issued);
  const result = await carriedOut.catch(unavailable);
  if (result.kind === "refusal") throw refusalProblem(result.code);
}

/**
 * The preferences of a subscriber, also of one who has left. The address is empty once it is erased.
 * @throws ProblemError `token_unknown` when there is no such subscriber
 */
async function describeSubscriber(
  context: HttpContext,
  subscriberId: string,
): Promise<SubscriberAnswer> {
  const state = await readSubscriberState(context.ledger, subscriberId).catch(unavailable);
  if (state.status === "none" || state.asked === null) throw refusalProblem("token_unknown");
  const email = isKnown(state)
    ? await readAddress(context, subscriberId).catch(unavailable)
    : undefined;
  const { language, frequency, topics } = state.asked;
  const subscribed = state.status === "confirmed" && email !== undefined;
  return {
    status: subscribed ? "subscribed" : "unsubscribed",
    email: email ?? "",
    language,
    frequency,
    topics,
  };
}

/** A form with one topic sends a text, one with several a list. */
function withLists(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const { topics = [], ...rest }: Record<string, unknown> = { ...body };
  return { ...rest, topics: [topics].flat() };
}
