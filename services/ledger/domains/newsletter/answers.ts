import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { StoreRefusalCode } from "../event-store/handle-command.ts";
import { answerPlainForm, isPlainForm } from "../plain-forms/plain-forms.ts";
import { requestLanguage } from "../plain-forms/request-language.ts";
import type { NewsletterRefusalCode } from "./decider.ts";
import { refusalText } from "./texts.ts";

/** What is answered is about one person: no cache on the way may keep it. */
export function sendPrivate(reply: FastifyReply, answer: object): FastifyReply {
  return reply.header("cache-control", "no-store").send(answer);
}

/** The language of the form, else that of the browser. */
export function languageOf(request: FastifyRequest): Locale {
  const named = Locale.safeParse(textField(request.body, "language"));
  return requestLanguage(request, named.success ? named.data : undefined);
}

/** A text out of a body, a form or a query that nobody has parsed yet. */
export function textField(fields: unknown, name: string): string | undefined {
  if (typeof fields !== "object" || fields === null) return undefined;
  const value: unknown = Reflect.get(fields, name);
  return typeof value === "string" ? value : undefined;
}

/** Adds to the refusals of this scope what the forms show: a text in the visitor's language. */
export function speakOfRefusals(app: FastifyInstance): void {
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

/** Refuses what the ledger refused; plain forms are led to the page that explains a link's end. */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  code: NewsletterRefusalCode | StoreRefusalCode,
): FastifyReply {
  const problem = code === "subscriber_erased" ? "link_unknown" : code;
  if (!isPlainForm(request)) throw new ProblemError(problem);
  switch (problem) {
    case "link_unknown":
      return answerPlainForm(reply, "confirm-unknown");
    case "link_used":
      return answerPlainForm(reply, "confirm-used");
    case "link_expired":
      return answerPlainForm(reply, "confirm-expired");
    case "already_subscribed":
      return answerPlainForm(reply, "subscribe-already");
    case "rate_limited":
    case "command_mismatch":
    case "version_conflict":
      throw new ProblemError(problem);
  }
}
