import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { emailCharsMax } from "../primitives/email-limits.ts";
import { looksLikeEmail } from "../primitives/email-shape.ts";
import { Uuid } from "../primitives/ids.ts";
import { Locale } from "../primitives/locale.ts";
import { defineProblems } from "../primitives/problem.ts";
import {
  alreadySubscribedStatus,
  bouncesPath,
  mailReportsPath,
  newsletterFrequencies,
  newsletterPaths,
  newsletterTags,
  newsletterTopics,
  sourceContexts,
  subscribePath,
} from "./categories.ts";
import { newsletterLimits as limit } from "./limits.ts";

const unique = (items: readonly string[]): boolean => new Set(items).size === items.length;

const Frequency = z.enum(newsletterFrequencies);
const Topics = z
  .array(z.enum(newsletterTopics))
  .min(1)
  .max(newsletterTopics.length)
  .refine(unique, "each topic once");

/** How often to write, and about what; weekly about updates and features when absent. */
const NewsletterPreferences = z.object({
  frequency: Frequency.default("weekly"),
  topics: Topics.default(["updates", "features"]),
});

/** A request to be written to, with the text that was agreed to. */
export const SubscribeRequest = z.object({
  email: z.string().trim().min(1).max(emailCharsMax).refine(looksLikeEmail, "an e-mail address"),
  language: Locale,
  sourceContext: z.enum(sourceContexts),
  consentText: z.string().trim().min(1).max(limit.consentTextCharsMax),
  preferences: NewsletterPreferences.prefault({}),
  tags: z
    .array(z.enum(newsletterTags))
    .max(newsletterTags.length)
    .refine(unique, "each tag once")
    .default([]),
  /** Honeypot, filled in by programs only: such a request is answered like any other and dropped. */
  website: z.string().max(limit.honeypotCharsMax).optional(),
});
export type SubscribeRequest = z.infer<typeof SubscribeRequest>;

/** The request was accepted and its confirmation mailed, or the address is subscribed already. */
const SubscribeAnswer = z.object({
  status: z.enum(["confirmation_sent", alreadySubscribedStatus]),
});

/** A token from a mail. Its form is known to the ledger alone. */
export const NewsletterToken = z
  .string()
  .min(1)
  .max(limit.tokenCharsMax)
  .regex(/^[A-Za-z0-9_-]+$/);

/**
 * Any text: a token that a mail program has mangled is an unknown token, not a wrong body. A form
 * without an address of its own keeps the token in the query of its page.
 */
const TokenInBody = z.object({ token: z.string().optional() });
const TokenInQuery = z.object({ token: z.string().optional().catch(undefined) });

const ConfirmAnswer = z.object({
  status: z.literal("confirmed"),
  /** Shown on the next page. */
  email: z.string(),
});

/** A request for a new link to the preferences. */
const PreferencesLinkRequest = z.object({
  email: z.string().trim().min(1).max(emailCharsMax).refine(looksLikeEmail, "an e-mail address"),
  /** Of the page that answers; the mail has the subscriber's own. */
  language: Locale.optional(),
});

/** What is known about a subscriber, to the subscriber. */
export const SubscriberAnswer = z.object({
  status: z.enum(["subscribed", "unsubscribed"]),
  email: z.string(),
  language: Locale,
  frequency: Frequency,
  topics: z.array(z.enum(newsletterTopics)),
});
export type SubscriberAnswer = z.infer<typeof SubscriberAnswer>;

export const PreferencesRequest = z.object({
  token: NewsletterToken,
  language: Locale,
  frequency: Frequency,
  topics: Topics,
});
export type PreferencesRequest = z.infer<typeof PreferencesRequest>;

/** A mail provider's report about a subscriber's mail. */
const BounceReport = z.object({
  subscriberId: Uuid,
  kind: z.enum(["hard", "soft", "complaint"]),
});

/** Refusals behind the token of a mail. */
export const newsletterProblems = defineProblems({
  token_unknown: [404, "This token is not known."],
  token_used: [409, "This token was used before."],
  token_expired: [410, "This token has expired."],
  token_superseded: [410, "A newer mail replaced this token."],
});
const { token_unknown, token_used, token_expired, token_superseded } = newsletterProblems;
const problems = [token_unknown, token_used, token_expired, token_superseded] as const;
const mailToken = {
  bodyBytesMax: limit.bodyBytesMax,
  plainForm: true,
  query: TokenInQuery,
} as const;

export const subscribeCalls = defineCalls({
  [`POST ${subscribePath}` as const]: {
    summary: "Requests newsletter mail to an address, which is then asked to confirm",
    access: "public",
    plainForm: true,
    bodyBytesMax: limit.bodyBytesMax,
    body: SubscribeRequest,
    answer: SubscribeAnswer,
    also: { 409: z.object({ status: z.literal(alreadySubscribedStatus), error: z.string() }) },
  },
  [`POST ${newsletterPaths.preferencesLink}` as const]: {
    summary:
      "Mails a subscriber a new link to the preferences; the answer is the same for every address",
    access: "public",
    plainForm: true,
    bodyBytesMax: limit.bodyBytesMax,
    body: PreferencesLinkRequest,
    answer: z.object({ status: z.literal("link_sent") }),
  },
});

/** Calls with the token of a mail. */
export const mailTokenCalls = defineCalls({
  [`POST ${newsletterPaths.confirm}` as const]: {
    summary: "Confirms an address with the token of a confirmation mail",
    access: "public",
    ...mailToken,
    body: TokenInBody,
    answer: ConfirmAnswer,
    problems,
  },
  [`POST ${newsletterPaths.resend}` as const]: {
    summary: "Mails another confirmation, for a token that has expired",
    access: "public",
    ...mailToken,
    body: TokenInBody,
    answer: z.object({ status: z.literal("confirmation_sent") }),
    problems,
  },
  [`GET ${newsletterPaths.preferences}` as const]: {
    summary: "A subscriber's preferences, with the token of any newsletter mail",
    access: "public",
    query: TokenInQuery,
    answer: SubscriberAnswer,
    problems,
  },
  [`POST ${newsletterPaths.preferences}` as const]: {
    summary: "Changes a subscriber's preferences",
    access: "public",
    ...mailToken,
    body: PreferencesRequest.partial({ token: true }),
    answer: SubscriberAnswer,
    problems,
  },
});

export const neverCalls = defineCalls({
  [`POST ${newsletterPaths.never}` as const]: {
    summary: "Puts the mailbox that a mail went to on the do-not-mail list",
    access: "public",
    ...mailToken,
    body: TokenInBody,
    answer: z.object({ status: z.literal("never_again") }),
    problems: [token_unknown],
  },
});

/** Neither rate limited nor bound to an origin: mail providers post for all of their users. */
export const unsubscribeCalls = defineCalls({
  [`POST ${newsletterPaths.unsubscribe}` as const]: {
    summary: "Unsubscribes; mail programs post here with one click (RFC 8058)",
    access: "public",
    ...mailToken,
    body: z.looseObject({ token: z.string().optional() }).nullish(),
    answer: z.object({ status: z.literal("unsubscribed") }),
    problems,
  },
});

/** For the program that reads the mail provider's reports. */
export const reportCalls = defineCalls({
  [`POST ${bouncesPath}` as const]: {
    summary: "Records a mail provider's report of a bounce or complaint",
    access: "internal",
    body: BounceReport,
    answer: z.object({ status: z.literal("recorded") }),
  },
  [`POST ${mailReportsPath}` as const]: {
    summary:
      "Records what a bounce or complaint message says (RFC 3464, RFC 5965); the body is the message, as `message/rfc822`",
    access: "internal",
    bodyBytesMax: limit.mailReportBytesMax,
    answer: z.object({ status: z.enum(["recorded", "ignored"]) }),
  },
});
