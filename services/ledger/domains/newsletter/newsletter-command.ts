import { randomUUID } from "node:crypto";

import type { NewsletterCommand } from "@pro-talent/schemas/newsletter/commands";
import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { Sealed } from "../event-store/append.ts";
import type { EventStore } from "../event-store/event-store.ts";
import {
  type CommandHandler,
  type Effects,
  type EffectsInput,
  handleCommand,
  type StoreRefusalCode,
} from "../event-store/handle-command.ts";
import type { Refusal } from "../event-store/types.ts";
import { eraseAt, newsletterDecider, type NewsletterRefusalCode } from "./decider.ts";
import { newsletterEvents, newsletterStream, subscriberOf } from "./newsletter-events.ts";
import { newsletterSubscriber } from "./subscriber.projection.ts";
import { isKnown, type SubscriptionState } from "./subscription-state.decider.ts";

/** What the newsletter sends through the outbox, and the timers that it sets. */
export const confirmAddressMessage = "newsletter.confirm-address";
export const welcomeMessage = "newsletter.welcome";
export const eraseUnconfirmedTimer = "newsletter.erase-unconfirmed";
export const eraseDepartedTimer = "newsletter.erase-departed";

/** Where the subscriber stands after the command. */
const Standing = z.object({
  status: z.enum([
    "none",
    "pending",
    "confirmed",
    "unsubscribed",
    "bounced",
    "complained",
    "erased",
  ]),
});

export type NewsletterOutcome =
  | { readonly kind: "answer"; readonly status: SubscriptionState["status"] }
  | Refusal<NewsletterRefusalCode | StoreRefusalCode>;

const handler: CommandHandler<
  SubscriptionState,
  NewsletterCommand,
  NewsletterEvent,
  NewsletterRefusalCode
> = {
  decider: newsletterDecider,
  family: newsletterEvents,
  inline: [newsletterSubscriber],
  reply: (state) => ({ status: state.status }),
  effects,
};

/** Carries out a command on one subscriber, with the mails and the timer that follow from it. */
export async function commandSubscriber(
  store: EventStore,
  request: {
    readonly subscriberId: string;
    readonly command: NewsletterCommand;
    readonly now: Instant;
    /** Made by the client, so that a repetition changes nothing. */
    readonly commandId?: string | undefined;
    readonly address?: Sealed;
  },
): Promise<NewsletterOutcome> {
  const { subscriberId, command, now, address } = request;
  const outcome = await handleCommand(store, handler, {
    commandId: request.commandId ?? randomUUID(),
    stream: newsletterStream(subscriberId),
    command,
    // The subscriber's id stands for the address: a hash of the address could be guessed back.
    body: { subscriberId, command },
    now,
    ...(address === undefined ? {} : { sealed: { ...address, type: "SubscriptionRequested" } }),
  });
  if (outcome.kind === "refusal") return outcome;
  return { kind: "answer", ...Standing.parse(JSON.parse(outcome.reply)) };
}

/**
 * Each request leads to a mail and begins the time to confirm anew; whoever goes is forgotten.
 * Erasing leaves its timer alone: it is the one that is going off.
 */
function effects(input: EffectsInput<SubscriptionState, NewsletterEvent>): Effects {
  const { stream, state, now } = input;
  const subscriberId = subscriberOf(stream);
  const [event] = input.events;
  if (!isKnown(state) || event === undefined) return {};
  switch (event.type) {
    case "SubscriptionRequested":
    case "ConfirmationResent":
      return {
        messages: [{ name: confirmAddressMessage, payload: { subscriberId, mail: state.mail } }],
        timers: [
          { put: { name: eraseUnconfirmedTimer, dueAt: eraseAt(state) } },
          { gone: { name: eraseDepartedTimer } },
        ],
      };
    case "SubscriptionConfirmed":
      return {
        messages: [{ name: welcomeMessage, payload: { subscriberId } }],
        timers: [{ gone: { name: eraseUnconfirmedTimer } }],
      };
    case "Unsubscribed":
    case "MailComplained":
      return { timers: [{ put: { name: eraseDepartedTimer, dueAt: now } }] };
    case "MailBounced":
      if (event.data.kind === "soft") return {};
      return { timers: [{ put: { name: eraseDepartedTimer, dueAt: unreachableUntil(now) } }] };
    case "PreferencesChanged":
    case "SubscriberErased":
      return {};
  }
}

function unreachableUntil(now: Instant): Instant {
  return instantPlus(now, newsletterLimits.unreachableDays * 24 * 60 * 60 * 1000);
}
