import { z } from "zod";

import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { AcceptedDocument } from "../site/accepted-document.ts";
import {
  newsletterFrequencies,
  newsletterTags,
  newsletterTopics,
  sourceContexts,
} from "./categories.ts";

/** What a subscriber asked for. */
export const Preferences = z.object({
  language: Locale,
  frequency: z.enum(newsletterFrequencies),
  topics: z.array(z.enum(newsletterTopics)),
});

/**
 * Proof of the text that was agreed to: its hash and language, and its version where it is a text of
 * this product. Other texts are sealed beside the address.
 */
export const AgreedText = z.object({
  language: Locale,
  version: z.string().nullable(),
  /** SHA-256 of the text, in hexadecimal. */
  textHash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type AgreedText = z.infer<typeof AgreedText>;

/** `SubscriptionRequested` as it was stored before it named the documents that the text accepts. */
export const SubscriptionRequestedV1 = Preferences.extend({
  sourceContext: z.enum(sourceContexts),
  tags: z.array(z.enum(newsletterTags)),
  agreed: AgreedText,
  /** Number of the confirmation mail that follows; its token names it. */
  mail: z.number().int().positive(),
  requestedAt: Instant,
  confirmBy: Instant,
});

/** Events of a newsletter stream (`newsletter-<subscriberId>`), free of personal data. */
export const SubscriptionRequested = z.object({
  type: z.literal("SubscriptionRequested"),
  data: SubscriptionRequestedV1.extend({
    /** What the text accepts, as it was in force; empty where that is not known. */
    documents: z.array(AcceptedDocument),
  }),
});

/** One mail of a subscriber, as in `confirm-2`. */
const MailName = z.string().regex(/^[a-z][\w.-]{0,79}$/);

export type Preferences = z.infer<typeof Preferences>;
export type SubscriptionRequested = z.infer<typeof SubscriptionRequested>;

export const NewsletterEvent = z.discriminatedUnion("type", [
  SubscriptionRequested,
  /** Another confirmation mail was requested; tokens of earlier mails stop working. */
  z.object({
    type: z.literal("ConfirmationResent"),
    data: z.object({ mail: z.number().int().positive(), requestedAt: Instant, confirmBy: Instant }),
  }),
  z.object({ type: z.literal("SubscriptionConfirmed"), data: z.object({}) }),
  z.object({ type: z.literal("PreferencesChanged"), data: Preferences }),
  /** A lost link to the preferences is mailed anew. */
  z.object({
    type: z.literal("PreferencesLinkRequested"),
    data: z.object({ requestedAt: Instant }),
  }),
  z.object({
    type: z.literal("Unsubscribed"),
    data: z.object({
      /**
       * `never_again`: by the link that puts the mailbox on the do-not-mail list. `do_not_mail`: the
       * mailbox was on it when a mail was due.
       */
      method: z.enum(["one_click", "preferences", "never_again", "do_not_mail"]),
    }),
  }),
  /** The address does not take mail: for good, or this time. */
  z.object({ type: z.literal("MailBounced"), data: z.object({ kind: z.enum(["hard", "soft"]) }) }),
  /** The mail server accepted a mail that was written for this subscriber alone; `mail` names it. */
  z.object({ type: z.literal("MailAccepted"), data: z.object({ mail: MailName }) }),
  /** It counts as delivered: no permanent bounce came back for two days. */
  z.object({ type: z.literal("MailDelivered"), data: z.object({ mail: MailName }) }),
  /** A permanent bounce was wrong: mails are sent again, as before it. */
  z.object({
    type: z.literal("BounceWithdrawn"),
    data: z.object({
      status: z.enum(["pending", "confirmed"]),
      tags: z.array(z.enum(newsletterTags)),
    }),
  }),
  /** The subscriber marked a mail as unwanted. */
  z.object({ type: z.literal("MailComplained"), data: z.object({}) }),
  /** The last event of a subscriber: the key to the address is destroyed with it. */
  z.object({
    type: z.literal("SubscriberErased"),
    data: z.object({
      /** Never confirmed; left or complained; cannot be reached; requested by a privacy request. */
      reason: z.enum(["unconfirmed", "left", "unreachable", "asked"]),
    }),
  }),
]);
export type NewsletterEvent = z.infer<typeof NewsletterEvent>;

/** The personal part of a subscriber, sealed under the subscriber's key (`SubscriptionRequested`). */
export const SubscriberAddress = z.object({
  email: z.string(),
  /** What was agreed to, where the text is not the product's own. */
  agreedText: z.string().nullable(),
});
export type SubscriberAddress = z.infer<typeof SubscriberAddress>;
