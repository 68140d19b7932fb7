import { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import { WaitlistEvent, WaitlistState } from "@pro-talent/schemas/waitlist/events";

import type { StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import { defineProcess } from "../../kernel/processes.ts";
import { column, readModel } from "../../kernel/read-model.ts";
import { defineSnapshot } from "../../kernel/streams.ts";
import { type WaitlistCommand, waitlistDecider } from "./decider.ts";

/** The events of one place. */
export const waitlistEvents = defineEvents("waitlist", WaitlistEvent);

const places: StreamDefinition<WaitlistState, WaitlistCommand, WaitlistEvent, never> = {
  events: waitlistEvents,
  decider: waitlistDecider,
  durableWith: "each append",
  snapshot: defineSnapshot(1, WaitlistState),
  reply: ({ status }) => ({ status }),
};

/** Places in the order in which they were requested. */
export const waitlistPlaces = readModel({
  table: "waitlist_place",
  version: 1,
  mode: "following",
  purpose: "Who waits for the launch, in which order",
  retention: "As long as the events that it is built from; a released place has no row",
  events: waitlistEvents,
  key: { subscriber_id: column.uuid("pseudonym", "Names the subscriber") },
  columns: {
    requested_at: column.instant("operational", "When the place was requested"),
    confirmed: column.boolean("coarse", "Whether the address was confirmed"),
  },
  evolve: (row, { occurredAt, event: { type } }) => {
    switch (type) {
      case "PlaceRequested":
        return { requested_at: occurredAt, confirmed: false };
      case "PlaceConfirmed":
        return row && { ...row, confirmed: true };
      case "PlaceReleased":
        return null;
    }
  },
  indexes: [{ on: "(requested_at) where confirmed" }],
});

/** Newsletter subscribers who signed up for the waitlist get, confirm and lose their places. */
export const followSubscribers = defineProcess({
  name: "waitlist.follow-subscribers",
  reads: { category: "newsletter", contract: NewsletterEvent },
  stream: places,
  react: ({ id, event }) => {
    const command = commandAfter(event);
    return command && { id, command };
  },
});

type Withdrawn = Extract<NewsletterEvent, { type: "BounceWithdrawn" }>["data"];

function restorePlace({ status, tags }: Withdrawn): WaitlistCommand | undefined {
  if (!tags.includes("waitlist")) return undefined;
  return { type: "RestorePlace", confirmed: status === "confirmed" };
}

function commandAfter(event: NewsletterEvent): WaitlistCommand | undefined {
  switch (event.type) {
    case "SubscriptionRequested":
      return event.data.tags.includes("waitlist") ? { type: "RequestPlace" } : undefined;
    case "SubscriptionConfirmed":
      return { type: "ConfirmPlace" };
    case "MailBounced":
      return event.data.kind === "hard" ? { type: "ReleasePlace" } : undefined;
    case "BounceWithdrawn":
      return restorePlace(event.data);
    case "Unsubscribed":
    case "MailComplained":
    case "SubscriberErased":
      return { type: "ReleasePlace" };
    case "ConfirmationResent":
    case "PreferencesLinkRequested":
    case "PreferencesChanged":
    case "MailAccepted":
    case "MailDelivered":
      return undefined;
  }
}
