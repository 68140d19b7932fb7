import { z } from "zod";

import { emailCharsMax, looksLikeEmail } from "../primitives/email-shape.ts";
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

/** What the forms read of a refusal: a text for the visitor. */
export const SubscribeRefusal = z.object({ error: z.string().max(limit.errorCharsMax) });
export type SubscribeRefusal = z.infer<typeof SubscribeRefusal>;
