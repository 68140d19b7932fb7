import { addCalls, type CallContext, SeeOther } from "@pro-talent/platform/http/add-calls";
import { answerPlainForm, isPlainForm } from "@pro-talent/platform/http/plain-forms";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import {
  mailTokenCalls,
  NewsletterToken,
  type SubscriberAnswer,
  unsubscribeCalls,
} from "@pro-talent/schemas/newsletter/calls";
import {
  type NewsletterFormAnswer,
  newsletterPages,
  newsletterPaths,
} from "@pro-talent/schemas/newsletter/categories";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import type { StoreRefusalCode } from "../../kernel/commands.ts";
import { requestCause, storeProblem, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import type { NewsletterCommand, NewsletterRefusalCode } from "./decider.ts";
import { type MailToken, mailTokenKey, readToken, type TokenPurpose } from "./mail-tokens.ts";
import {
  commandSubscriber,
  readSubscriber,
  readSubscriberState,
  type SubscriberResult,
} from "./subscribers.ts";

type TokenCall = (typeof mailTokenCalls)[keyof typeof mailTokenCalls];
type Context = CallContext<TokenCall>;
type Parts = {
  readonly query: { readonly token?: string | undefined };
  readonly body?: { readonly token?: string | undefined } | null | undefined;
};

/**
 * The calls behind the links of mails. Confirming is never a GET: programs that look into links before
 * the reader does would confirm.
 */
export function addMailTokenCalls(app: FastifyInstance, context: HttpContext): void {
  const open = tokenReader(context);
  addCalls(app, mailTokenCalls, {
    "POST /api/newsletter/confirm": async (parts, call) => {
      const token = open(parts, "confirm");
      if (token === undefined) return refuseToken(call, "token_unknown");
      const { subscriberId, mail } = token;
      const command = { type: "ConfirmSubscription", mail } as const;
      const result = await carryOut(context, call.request, subscriberId, command);
      if (result.kind === "refusal") return refuseToken(call, result.code);
      const subscriber = await readSubscriber(context, subscriberId).catch(unavailable);
      const email = subscriber?.email ?? "";
      return isPlainForm(call.request)
        ? new SeeOther(`${newsletterPages.confirmed}?email=${encodeURIComponent(email)}`)
        : { status: "confirmed" as const, email };
    },
    "POST /api/newsletter/resend": async (parts, call) => {
      const token = open(parts, "confirm");
      if (token === undefined) return refuseToken(call, "token_unknown");
      const command = { type: "ResendConfirmation" } as const;
      const result = await carryOut(context, call.request, token.subscriberId, command);
      if (result.kind === "refusal") return refuseToken(call, result.code);
      return isPlainForm(call.request)
        ? answerForm("resend-sent")
        : { status: "confirmation_sent" as const };
    },
    "GET /api/newsletter/preferences": async (parts, call) => {
      const token = open(parts, "manage");
      const answer = await describeSubscriber(context, token?.subscriberId);
      return answer ?? refuseToken(call, "token_unknown");
    },
    "POST /api/newsletter/preferences": {
      read: (body, request) => (isPlainForm(request) ? withLists(body) : body),
      handle: async (parts, call) => {
        const token = open(parts, "manage");
        if (token === undefined) return refuseToken(call, "token_unknown");
        const { token: _token, ...preferences } = parts.body;
        const command = { type: "ChangePreferences", ...preferences } as const;
        const result = await carryOut(context, call.request, token.subscriberId, command);
        if (result.kind === "refusal") return refuseToken(call, result.code);
        const answer = await describeSubscriber(context, token.subscriberId);
        if (answer === undefined) return refuseToken(call, "token_unknown");
        if (!isPlainForm(call.request)) return answer;
        return answerForm(answer.status === "subscribed" ? "preferences-saved" : "unsubscribed");
      },
    },
  });
}

const OneClick = z.object({ "List-Unsubscribe": z.literal("One-Click") });

/**
 * Unsubscribing, from the preference page and from mail programs (RFC 8058); repeating it changes
 * nothing. A GET leads people to the preference page and changes nothing either.
 */
export function addUnsubscribeCalls(app: FastifyInstance, context: HttpContext): void {
  const open = tokenReader(context);
  acceptOneClickMultipart(app);
  app.get(newsletterPaths.unsubscribe, async (request, reply) => {
    const query = z.object({ token: NewsletterToken }).safeParse(request.query);
    const rest = query.success ? `?token=${query.data.token}` : "";
    return reply
      .redirect(newsletterPages.preferences + rest, 303)
      .header("cache-control", "no-store");
  });
  addCalls(app, unsubscribeCalls, {
    "POST /api/newsletter/unsubscribe": async (parts, call) => {
      const token = open(parts, "manage");
      if (token === undefined) return refuseToken(call, "token_unknown");
      const method = OneClick.safeParse(call.request.body).success ? "one_click" : "preferences";
      const command = { type: "Unsubscribe", method } as const;
      const result = await carryOut(context, call.request, token.subscriberId, command);
      if (result.kind === "refusal") return refuseToken(call, result.code);
      // A mail program follows no redirect, and no person sees its answer.
      return isPlainForm(call.request) && method === "preferences"
        ? answerForm("unsubscribed")
        : { status: "unsubscribed" as const };
    },
  });
}

/** RFC 8058 §3.1 prefers `multipart/form-data`; its only field repeats what the header says. */
function acceptOneClickMultipart(app: FastifyInstance): void {
  app.addContentTypeParser("multipart/form-data", { parseAs: "string" }, (_request, body, done) => {
    const given = body.includes('name="List-Unsubscribe"') && body.includes("One-Click");
    done(null, given ? { "List-Unsubscribe": "One-Click" } : {});
  });
}

/** Reads the token of the body, or of the query. @throws ProblemError `invalid_body` without any */
function tokenReader(context: HttpContext) {
  const key = mailTokenKey(context);
  return ({ body, query }: Parts, purpose: TokenPurpose): MailToken | undefined => {
    const token = body?.token ?? query.token;
    if (token === undefined) {
      const errors = [{ pointer: "/token", message: "a token" }];
      throw new ProblemError("invalid_body", { errors });
    }
    return readToken(key, purpose, token);
  };
}

function carryOut(
  { ledger, clock }: HttpContext,
  request: FastifyRequest,
  subscriberId: string,
  command: NewsletterCommand,
): Promise<SubscriberResult> {
  const now = instantFromMs(clock());
  const cause = requestCause(request, `subscriber:${subscriberId}`);
  return commandSubscriber(ledger, subscriberId, command, { now, cause }).catch(unavailable);
}

function answerForm(formAnswer: NewsletterFormAnswer): SeeOther {
  return answerPlainForm(formAnswer);
}

/** Refuses what the ledger refused; plain forms lead to the page that explains it. */
function refuseToken(
  { request, refuse }: Pick<Context, "request" | "refuse">,
  code: NewsletterRefusalCode | StoreRefusalCode,
): SeeOther {
  const plain = isPlainForm(request);
  switch (code) {
    case "token_unknown":
    case "subscriber_erased":
      return plain ? answerForm("confirm-unknown") : refuse("token_unknown");
    case "token_used":
    case "already_subscribed":
      return plain ? answerForm("confirm-used") : refuse("token_used");
    case "token_expired":
      return plain ? answerForm("confirm-expired") : refuse("token_expired");
    case "rate_limited":
      throw new ProblemError("rate_limited");
    case "command_mismatch":
    case "version_conflict":
    case "process_superseded":
      throw storeProblem(code);
  }
}

/** After leaving, the preferences are still known, the address soon is not: then it is empty. */
async function describeSubscriber(
  context: HttpContext,
  subscriberId: string | undefined,
): Promise<SubscriberAnswer | undefined> {
  if (subscriberId === undefined) return undefined;
  const state = await readSubscriberState(context.ledger, subscriberId).catch(unavailable);
  if (state.status === "none" || state.asked === null) return undefined;
  const subscriber = await readSubscriber(context, subscriberId).catch(unavailable);
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

/** A form with one topic sends a text, one with several a list. */
function withLists(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const { topics = [], ...rest }: Record<string, unknown> = { ...body };
  return { ...rest, topics: [topics].flat() };
}
