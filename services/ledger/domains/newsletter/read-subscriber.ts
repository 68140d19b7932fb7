import { SubscriberAddress } from "@pro-talent/schemas/newsletter/events";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { EventStore } from "../event-store/event-store.ts";
import { readSealed } from "../event-store/read-sealed.ts";
import { loadStream } from "../event-store/read-stream.ts";
import type { Subjects } from "../subjects/subjects.ts";
import { newsletterDecider } from "./decider.ts";
import type { NewsletterLinks } from "./links.ts";
import { newsletterEvents, newsletterStream } from "./newsletter-events.ts";
import { isKnown, type Known, type SubscriptionState } from "./subscription-state.decider.ts";

/** Everything about a subscriber, the address opened. For the subscriber's own eyes and mails. */
export type Subscriber = {
  readonly id: string;
  readonly state: Known;
  readonly email: string;
};

export type SubscriberSource = { readonly store: EventStore; readonly subjects: Subjects };

/** Where a subscriber stands, without the address. */
export async function readSubscription(
  store: EventStore,
  subscriberId: string,
): Promise<SubscriptionState> {
  const { events } = await loadStream(store, newsletterEvents, newsletterStream(subscriberId));
  return events.reduce(
    (before, { event }) => newsletterDecider.evolve(before, event),
    newsletterDecider.initialState,
  );
}

/** Undefined when there is no such subscriber, or no longer. */
export async function readSubscriber(
  { store, subjects }: SubscriberSource,
  subscriberId: string,
): Promise<Subscriber | undefined> {
  const state = await readSubscription(store, subscriberId);
  if (!isKnown(state)) return undefined;
  const stream = newsletterStream(subscriberId);
  const sealed = await readSealed(store, stream, "SubscriptionRequested");
  const subject = await subjects.find(subscriberId);
  if (sealed === undefined || subject === undefined) return undefined;
  const { email } = subject.open(sealed.bytes, SubscriberAddress);
  return { id: subscriberId, state, email };
}

/** A reader of an issue, as the delivery needs it. */
export type Reader = {
  readonly email: string;
  readonly language: Locale;
  readonly manageUrl: string;
  readonly unsubscribeUrl: string;
};

/** Asks whether somebody is (still) to be written to, and where. */
export function createReaderLookup(
  source: SubscriberSource,
  links: NewsletterLinks,
): (subscriberId: string) => Promise<Reader | undefined> {
  return async (subscriberId) => {
    const subscriber = await readSubscriber(source, subscriberId);
    if (subscriber?.state.status !== "confirmed") return undefined;
    return {
      email: subscriber.email,
      language: subscriber.state.asked.language,
      manageUrl: links.manage(subscriberId),
      unsubscribeUrl: links.unsubscribe(subscriberId),
    };
  };
}
