import { z } from "zod";

import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import {
  newsletterFrequencies,
  newsletterTags,
  newsletterTopics,
  sourceContexts,
} from "./categories.ts";

/** What a subscriber wishes for. */
const Wishes = z.object({
  language: Locale,
  frequency: z.enum(newsletterFrequencies),
  topics: z.array(z.enum(newsletterTopics)),
});

/**
 * Proof of the words that were agreed to: their hash and language, and their version where they are
 * words of this product. Words of others are sealed beside the address.
 */
export const AgreedText = z.object({
  language: Locale,
  version: z.string().nullable(),
  /** SHA-256 of the text, in hexadecimal. */
  textHash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type AgreedText = z.infer<typeof AgreedText>;

/** Facts of a newsletter stream (`newsletter-<subscriberId>`), free of personal data. */
export const SubscriptionRequested = z.object({
  type: z.literal("SubscriptionRequested"),
  data: Wishes.extend({
    sourceContext: z.enum(sourceContexts),
    tags: z.array(z.enum(newsletterTags)),
    agreed: AgreedText,
    /** Number of the confirmation mail that follows; its link names it. */
    mail: z.number().int().positive(),
    requestedAt: Instant,
    confirmBy: Instant,
  }),
});
/** Another mail with another link was asked for; links of earlier mails stop working. */
export const ConfirmationResent = z.object({
  type: z.literal("ConfirmationResent"),
  data: z.object({ mail: z.number().int().positive(), requestedAt: Instant, confirmBy: Instant }),
});
export const SubscriptionConfirmed = z.object({
  type: z.literal("SubscriptionConfirmed"),
  data: z.object({}),
});
export const PreferencesChanged = z.object({ type: z.literal("PreferencesChanged"), data: Wishes });
export const Unsubscribed = z.object({
  type: z.literal("Unsubscribed"),
  data: z.object({ method: z.enum(["one_click", "preferences"]) }),
});
/** The address does not take mail: for good, or this time. */
export const MailBounced = z.object({
  type: z.literal("MailBounced"),
  data: z.object({ kind: z.enum(["hard", "soft"]) }),
});
/** The reader told the mail provider that this is unwanted. */
export const MailComplained = z.object({ type: z.literal("MailComplained"), data: z.object({}) });
/** The last fact of a subscriber: the key to the address is destroyed with it. */
export const SubscriberErased = z.object({
  type: z.literal("SubscriberErased"),
  data: z.object({
    /** Never confirmed; left or complained; cannot be reached; asked for by a privacy request. */
    reason: z.enum(["unconfirmed", "left", "unreachable", "asked"]),
  }),
});

export type SubscriptionRequested = z.infer<typeof SubscriptionRequested>;

export const NewsletterEvent = z.discriminatedUnion("type", [
  SubscriptionRequested,
  ConfirmationResent,
  SubscriptionConfirmed,
  PreferencesChanged,
  Unsubscribed,
  MailBounced,
  MailComplained,
  SubscriberErased,
]);
export type NewsletterEvent = z.infer<typeof NewsletterEvent>;

/** The personal side of a subscription, sealed under the subscriber's key (`SubscriptionRequested`). */
export const SubscriberAddress = z.object({
  email: z.string(),
  /** What was agreed to, where the words are not the product's own. */
  agreedText: z.string().nullable(),
});
export type SubscriberAddress = z.infer<typeof SubscriberAddress>;
