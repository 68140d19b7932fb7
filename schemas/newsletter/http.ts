import { z } from "zod";

import { emailCharsMax, looksLikeEmail } from "../primitives/email-shape.ts";
import { Uuid } from "../primitives/ids.ts";
import { Locale } from "../primitives/locale.ts";
import {
  alreadySubscribedStatus,
  newsletterFrequencies,
  newsletterTags,
  newsletterTopics,
  sourceContexts,
} from "./categories.ts";
import { newsletterLimits as limit } from "./limits.ts";

const unique = (items: readonly string[]): boolean => new Set(items).size === items.length;

/** How often to write, and about what. Without a wish: weekly, about updates and features. */
export const NewsletterPreferences = z.object({
  frequency: z.enum(newsletterFrequencies).default("weekly"),
  topics: z
    .array(z.enum(newsletterTopics))
    .min(1)
    .max(newsletterTopics.length)
    .refine(unique, "each topic once")
    .default(["updates", "features"]),
});
export type NewsletterPreferences = z.infer<typeof NewsletterPreferences>;

/** `POST /api/newsletter/subscribe`: a wish to be written to, and the words that were agreed to. */
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
  /** Filled in by programs only; such a wish is answered like any other and goes nowhere. */
  website: z.string().max(limit.trapCharsMax).optional(),
});
export type SubscribeRequest = z.infer<typeof SubscribeRequest>;

/** A wish that was taken: a link to confirm it is on its way, or the address is on the list already. */
export const SubscribeAnswer = z.object({
  status: z.enum(["confirmation_sent", alreadySubscribedStatus]),
});
export type SubscribeAnswer = z.infer<typeof SubscribeAnswer>;

/** A token out of a mailed link. Its form is known to the ledger alone. */
export const NewsletterToken = z
  .string()
  .min(1)
  .max(limit.tokenCharsMax)
  .regex(/^[A-Za-z0-9_-]+$/);

/** `POST /api/newsletter/confirm` and `/resend`, with the token of a confirmation mail. */
export const TokenRequest = z.object({ token: NewsletterToken });
export type TokenRequest = z.infer<typeof TokenRequest>;

export const ConfirmAnswer = z.object({
  status: z.literal("confirmed"),
  /** Shown to whoever confirmed it, on the next page. */
  email: z.string(),
});
export type ConfirmAnswer = z.infer<typeof ConfirmAnswer>;

export const ResendAnswer = z.object({ status: z.literal("confirmation_sent") });
export type ResendAnswer = z.infer<typeof ResendAnswer>;

/** `GET /api/newsletter/preferences?token=`: what is known about a subscriber, to the subscriber. */
export const SubscriberAnswer = z.object({
  status: z.enum(["subscribed", "unsubscribed"]),
  email: z.string(),
  language: Locale,
  frequency: z.enum(newsletterFrequencies),
  topics: z.array(z.enum(newsletterTopics)),
});
export type SubscriberAnswer = z.infer<typeof SubscriberAnswer>;

/** `POST /api/newsletter/preferences`; answered with a SubscriberAnswer. */
export const PreferencesRequest = z.object({
  token: NewsletterToken,
  language: Locale,
  frequency: z.enum(newsletterFrequencies),
  topics: z
    .array(z.enum(newsletterTopics))
    .min(1)
    .max(newsletterTopics.length)
    .refine(unique, "each topic once"),
});
export type PreferencesRequest = z.infer<typeof PreferencesRequest>;

/** `POST /api/newsletter/unsubscribe`, from the preference page. Mail programs post without a body. */
export const UnsubscribeAnswer = z.object({ status: z.literal("unsubscribed") });
export type UnsubscribeAnswer = z.infer<typeof UnsubscribeAnswer>;

/** What the forms read of a refusal: a text for the visitor. */
export const SubscribeRefusal = z.object({ error: z.string().max(limit.errorCharsMax) });
export type SubscribeRefusal = z.infer<typeof SubscribeRefusal>;

/** `POST /internal/newsletter/bounces`: what a mail provider reports about a subscriber's mail. */
export const BounceReport = z.object({
  subscriberId: Uuid,
  kind: z.enum(["hard", "soft", "complaint"]),
});
export type BounceReport = z.infer<typeof BounceReport>;

export const BounceAnswer = z.object({ status: z.literal("recorded") });
export type BounceAnswer = z.infer<typeof BounceAnswer>;
