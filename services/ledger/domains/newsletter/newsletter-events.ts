import { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";

import type { EventFamily } from "../event-store/event-registry.ts";

const category = "newsletter";

/** Every event of a newsletter stream, all in their first version. */
export const newsletterEvents: EventFamily<NewsletterEvent> = {
  category,
  contract: NewsletterEvent,
  upcasts: {
    SubscriptionRequested: [],
    ConfirmationResent: [],
    SubscriptionConfirmed: [],
    PreferencesChanged: [],
    Unsubscribed: [],
    MailBounced: [],
    MailComplained: [],
    SubscriberErased: [],
  },
};

/** The stream of one subscriber. */
export function newsletterStream(subscriberId: string): string {
  return `${category}-${subscriberId.toLowerCase()}`;
}

/** The subscriber (a random id) whose stream it is. */
export function subscriberOf(stream: string): string {
  return stream.slice(category.length + 1);
}
