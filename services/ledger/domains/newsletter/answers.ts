import type { SeeOther } from "@pro-talent/platform/http/add-calls";
import {
  answerPlainForm,
  isPlainForm,
  requestLanguage,
} from "@pro-talent/platform/http/plain-forms";
import { ProblemError, sentProblem } from "@pro-talent/platform/http/problem-details";
import { newsletterProblems } from "@pro-talent/schemas/newsletter/calls";
import type { NewsletterFormAnswer } from "@pro-talent/schemas/newsletter/categories";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import type { StoreRefusalCode } from "../../kernel/commands.ts";
import { storeProblem } from "../../kernel/http.ts";
import type { NewsletterRefusalCode } from "./decider.ts";

/** What a form shows when the call is refused, by problem code; `wrong_email` is a mistyped address. */
const texts = {
  en: {
    already_subscribed: "This email is already subscribed.",
    wrong_email: "Please enter a valid email address",
    invalid_body: "Something is missing in the form. Please check it and try again.",
    rate_limited: "There were too many attempts in a short time. Please try again later.",
    token_unknown: "This link is not known. Please use the link in our newest email.",
    token_used: "This link was used before.",
    token_expired: "This link has expired. We can send you a new one.",
    token_superseded: "We sent a newer link. Please use the one in our newest email.",
    ledger_unavailable: "We could not save this just now. Please try again in a moment.",
    other: "Something went wrong. Please try again.",
  },
  he: {
    already_subscribed: "הכתובת הזאת כבר רשומה לניוזלטר.",
    wrong_email: "נא להזין כתובת דוא״ל תקינה",
    invalid_body: "חסר משהו בטופס. נא לבדוק ולנסות שוב.",
    rate_limited: "היו יותר מדי ניסיונות בזמן קצר. נא לנסות שוב מאוחר יותר.",
    token_unknown: "הקישור הזה אינו מוכר. נא להשתמש בקישור שבהודעה האחרונה שלנו.",
    token_used: "כבר נעשה שימוש בקישור הזה.",
    token_expired: "תוקף הקישור פג. אפשר לבקש קישור חדש.",
    token_superseded: "נשלח קישור חדש יותר. נא להשתמש בקישור שבהודעה האחרונה שלנו.",
    ledger_unavailable: "לא הצלחנו לשמור את זה כרגע. נא לנסות שוב בעוד רגע.",
    other: "משהו השתבש. נא לנסות שוב.",
  },
} satisfies Record<Locale, object>;

/** The text for a visitor; `pointers` name the fields that were refused. */
export function refusalText(
  request: FastifyRequest,
  code: string,
  pointers: readonly string[] = [],
): string {
  const { other, ...own } = texts[languageOf(request)];
  const wrongEmail = code === "invalid_body" && pointers.includes("/email");
  const byCode: Readonly<Record<string, string>> = own;
  return byCode[wrongEmail ? "wrong_email" : code] ?? other;
}

const NamedLanguage = z.object({ language: Locale });

/** The language of the form, else that of the browser. */
function languageOf(request: FastifyRequest): Locale {
  const named = NamedLanguage.safeParse(request.body);
  return requestLanguage(request, named.success ? named.data.language : undefined);
}

/** Adds to the refusals of this scope what forms show: a text in the visitor's language. */
export function addRefusalTexts(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const problem = sentProblem(reply, payload);
    if (problem === undefined) return payload;
    const pointers = problem.errors?.map((field) => field.pointer);
    const error = refusalText(request, problem.code, pointers);
    reply.header("cache-control", "no-store");
    return JSON.stringify({ ...problem, error });
  });
}

/** Answers a plain form with a page, and every other client with data. */
export function answerTo<Answer>(
  request: FastifyRequest,
  formAnswer: NewsletterFormAnswer,
  answer: Answer,
): Answer | SeeOther {
  return isPlainForm(request) ? answerPlainForm(formAnswer) : answer;
}

/** The problem of a refused command. */
export function refusalProblem(code: NewsletterRefusalCode | StoreRefusalCode): ProblemError {
  switch (code) {
    case "token_unknown":
    case "token_used":
    case "token_expired":
    case "token_superseded":
      return new ProblemError(newsletterProblems[code]);
    // Only a request is refused so, which has answers of its own.
    case "subscriber_erased":
    case "already_subscribed":
      return new ProblemError(newsletterProblems.token_used);
    case "rate_limited":
      return new ProblemError("rate_limited");
    case "command_mismatch":
    case "version_conflict":
    case "process_superseded":
      return storeProblem(code);
  }
}
