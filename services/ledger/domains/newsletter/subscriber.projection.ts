import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";

import type { Projection, RowChange } from "../event-store/projection.ts";
import { newsletterEvents, subscriberOf } from "./newsletter-events.ts";

const standing = "newsletter_standing";
const wishes = "newsletter_wishes";

/**
 * Who is written to, and about what; without addresses. Written with the append: whoever has left
 * is not written to from that moment on. Both tables are read together through the view
 * `ledger.newsletter_subscriber (subscriber_id, status, confirmed, language, frequency, topics)`.
 */
export const newsletterSubscriber: Projection<NewsletterEvent> = {
  name: "newsletter_subscriber",
  mode: "inline",
  family: newsletterEvents,
  tables: { [standing]: ["subscriber_id"], [wishes]: ["subscriber_id"] },
  evolve: ({ event, stream }) => changes(event, subscriberOf(stream)),
};

function changes(event: NewsletterEvent, id: string): readonly RowChange[] {
  switch (event.type) {
    case "SubscriptionRequested":
      return [stands(id, "pending"), wished(id, event.data)];
    case "SubscriptionConfirmed":
      return [stands(id, "confirmed")];
    case "PreferencesChanged":
      return [wished(id, event.data)];
    case "Unsubscribed":
      return [stands(id, "unsubscribed")];
    case "MailBounced":
      return event.data.kind === "hard" ? [stands(id, "bounced")] : [];
    case "MailComplained":
      return [stands(id, "complained")];
    case "ConfirmationResent":
      return [];
    case "SubscriberErased":
      return [
        { table: standing, gone: { subscriber_id: id } },
        { table: wishes, gone: { subscriber_id: id } },
      ];
  }
}

function stands(id: string, status: string): RowChange {
  return { table: standing, put: { subscriber_id: id, status } };
}

type Wishes = { language: string; frequency: string; topics: readonly string[] };

function wished(id: string, { language, frequency, topics }: Wishes): RowChange {
  return {
    table: wishes,
    put: { subscriber_id: id, language, frequency, topics: topics.join() },
  };
}
