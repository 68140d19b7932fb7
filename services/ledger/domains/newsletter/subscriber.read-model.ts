import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";

import { column, readModel, type RowOf } from "../../kernel/read-model.ts";
import { newsletterEvents } from "./subscribers.ts";

const columns = {
  status: column.text("coarse", "Pending, confirmed, or ended, and how"),
  language: column.text("coarse", "Of the mails"),
  frequency: column.text("coarse", "How often"),
  topics: column.texts("coarse", "About what"),
};
type Row = RowOf<typeof columns>;

/**
 * Subscribers by status and preferences, without addresses. Written with the append: an issue is not
 * delivered to a subscriber who has left, from that moment on.
 */
export const newsletterSubscribers = readModel({
  table: "newsletter_subscriber",
  version: 1,
  mode: "inline",
  purpose: "Who may be written to, and about what",
  retention: "As long as the events that it is built from; an erased subscriber has no row",
  events: newsletterEvents,
  key: {
    subscriber_id: column.uuid(
      "pseudonym",
      "Names the subscriber; the address is sealed elsewhere",
    ),
  },
  columns,
  evolve: (row, { event }) => evolve(row, event),
  indexes: [{ on: "(subscriber_id) where status = 'confirmed'" }],
});

const withStatus = (row: Row | null, status: string): Row | null => row && { ...row, status };

function evolve(row: Row | null, event: NewsletterEvent): Row | null {
  switch (event.type) {
    case "SubscriptionRequested": {
      const { language, frequency, topics } = event.data;
      return { status: "pending", language, frequency, topics };
    }
    case "SubscriptionConfirmed":
      return withStatus(row, "confirmed");
    case "PreferencesChanged":
      return row && { ...row, ...event.data };
    case "Unsubscribed":
      return withStatus(row, "unsubscribed");
    case "MailBounced":
      return event.data.kind === "hard" ? withStatus(row, "bounced") : row;
    case "MailComplained":
      return withStatus(row, "complained");
    case "BounceWithdrawn":
      return withStatus(row, event.data.status);
    case "MailAccepted":
    case "MailDelivered":
    case "ConfirmationResent":
    case "PreferencesLinkRequested":
      return row;
    case "SubscriberErased":
      return null;
  }
}
