import {
  NewsletterEvent,
  SubscriberAddress,
  type SubscriptionRequested,
  SubscriptionRequestedV1,
} from "@pro-talent/schemas/newsletter/events";
import { type Known, SubscriberState } from "@pro-talent/schemas/newsletter/subscriber-state";
import { z } from "zod";

import type { ConsentFact, ConsentSource } from "../../held.ts";
import type { Sealed } from "../../kernel/append.ts";
import {
  type CommandContext,
  type Effects,
  type EffectsInput,
  type Ledger,
  runCommand,
  type StoreRefusalCode,
  type StreamDefinition,
} from "../../kernel/commands.ts";
import { type Addressed, type Eraser, streamsOfPerson } from "../../kernel/erasers.ts";
import { defineEvents, upcast } from "../../kernel/events.ts";
import { defineSnapshot, loadState, loadStream, readSealed } from "../../kernel/streams.ts";
import type { SubjectKind, Subjects } from "../../kernel/subjects.ts";
import type { Timer } from "../../kernel/timers.ts";
import type { RecordedEvent, Refusal } from "../../kernel/types.ts";
import {
  deliveredAt,
  eraseAt,
  eraseDepartedAt,
  type NewsletterCommand,
  newsletterDecider,
  type NewsletterRefusalCode,
} from "./decider.ts";
import { isKnown } from "./subscriber-state.decider.ts";

/** The events of one subscriber. */
export const newsletterEvents = defineEvents("newsletter", NewsletterEvent, {
  SubscriptionRequested: [upcast(SubscriptionRequestedV1, (data) => ({ ...data, documents: [] }))],
});

/** One per address. */
export const newsletterSubscriber: SubjectKind = "newsletter.subscriber";

/** Outbox messages and timers of a subscriber. */
export const confirmAddressMessage = "newsletter.confirm-address";
export const welcomeMessage = "newsletter.welcome";
export const preferencesLinkMessage = "newsletter.preferences-link";
export const eraseUnconfirmedTimer = "newsletter.erase-unconfirmed";
export const eraseDepartedTimer = "newsletter.erase-departed";
export const destroyKeyTimer = "newsletter.destroy-key";
export const mailDeliveredTimer = "newsletter.mail-delivered";

/** Commands lead to mails, and in the end to the erasure of the address. */
export const subscribers: StreamDefinition<
  SubscriberState,
  NewsletterCommand,
  NewsletterEvent,
  NewsletterRefusalCode
> = {
  events: newsletterEvents,
  decider: newsletterDecider,
  durableWith: "answer",
  snapshot: defineSnapshot(3, SubscriberState),
  reply: (state) => ({ status: state.status }),
  timers,
  erasure: { events: ["SubscriberErased"], timers: [eraseUnconfirmedTimer, eraseDepartedTimer] },
  effects,
};

/**
 * A request that is not confirmed is erased, and so is who left or cannot be reached. An accepted mail
 * counts as delivered after two days. Once the erasure is a fact, the key must be destroyed: by what recorded the fact, or else by a timer of its own.
 */
function timers(state: SubscriberState): readonly Timer[] {
  if (state.status === "none") return [];
  if (state.status === "erased") return [{ name: destroyKeyTimer, dueAt: state.erasedAt }];
  const departedAt = eraseDepartedAt(state);
  return [
    ...(state.proven ? [] : [{ name: eraseUnconfirmedTimer, dueAt: eraseAt(state) }]),
    ...(departedAt === null ? [] : [{ name: eraseDepartedTimer, dueAt: departedAt }]),
    // The oldest is the first.
    ...state.accepted
      .slice(0, 1)
      .map((accepted) => ({ name: mailDeliveredTimer, dueAt: deliveredAt(accepted) })),
  ];
}

/** Each request leads to a mail, and so do a confirmation and a lost link. */
function effects(input: EffectsInput<SubscriberState, NewsletterEvent>): Effects {
  const { id: subscriberId, state } = input;
  const [event] = input.events;
  if (!isKnown(state) || event === undefined) return {};
  switch (event.type) {
    case "SubscriptionRequested":
    case "ConfirmationResent": {
      const payload = { subscriberId, mail: state.mail };
      return { messages: [{ name: confirmAddressMessage, payload }] };
    }
    case "SubscriptionConfirmed":
      return { messages: [{ name: welcomeMessage, payload: { subscriberId } }] };
    case "PreferencesLinkRequested": {
      const payload = { subscriberId, requestedAt: event.data.requestedAt };
      return { messages: [{ name: preferencesLinkMessage, payload }] };
    }
    case "Unsubscribed":
    case "MailComplained":
    case "MailBounced":
    case "MailAccepted":
    case "MailDelivered":
    case "BounceWithdrawn":
    case "PreferencesChanged":
    case "SubscriberErased":
      return {};
  }
}

/** The subscriber's status after a command. */
const Reply = z.object({
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

export type SubscriberResult =
  | { readonly kind: "answer"; readonly status: SubscriberState["status"] }
  | Refusal<NewsletterRefusalCode | StoreRefusalCode>;

/** Carries out a command on one subscriber, with the mails and the timers that follow from it. */
export async function commandSubscriber(
  ledger: Ledger,
  subscriberId: string,
  command: NewsletterCommand,
  { address, ...context }: CommandContext & { readonly address?: Sealed },
): Promise<SubscriberResult> {
  const result = await runCommand(ledger, subscribers, {
    ...context,
    id: subscriberId,
    command,
    // The subscriber's id replaces the address: a hash of the address could be guessed back.
    body: { subscriberId, command },
    ...(address && { sealed: { ...address, type: "SubscriptionRequested" } }),
  });
  if (result.kind === "refusal") return result;
  return { kind: "answer", ...Reply.parse(JSON.parse(result.reply)) };
}

/** Where subscribers are stored. */
export type SubscriberStores = { readonly ledger: Ledger; readonly subjects: Subjects };

/** A subscriber's state, without the address. */
export async function readSubscriberState(
  { sql }: Ledger,
  subscriberId: string,
): Promise<SubscriberState> {
  return (await loadState(sql, subscribers, subscriberId)).state;
}

/** The address of a subscriber; undefined when it does not exist, or no longer. */
export async function readAddress(
  { ledger, subjects }: SubscriberStores,
  subscriberId: string,
): Promise<string | undefined> {
  const stream = newsletterEvents.streamOf(subscriberId);
  const sealed = await readSealed(ledger.sql, stream, "SubscriptionRequested");
  const subject = await subjects.find(subscriberId);
  return sealed && subject?.open(sealed.bytes, SubscriberAddress).email;
}

/** Everything about a subscriber, for the subscriber's own view and mails. */
export type Subscriber = {
  readonly id: string;
  readonly state: Known;
  readonly email: string;
};

/** Undefined when there is no such subscriber, or none any longer. */
export async function readSubscriber(
  stores: SubscriberStores,
  id: string,
): Promise<Subscriber | undefined> {
  const state = await readSubscriberState(stores.ledger, id);
  if (!isKnown(state)) return undefined;
  const email = await readAddress(stores, id);
  return email === undefined ? undefined : { id, state, email };
}

/** The subscription of a person: agreed to by confirming the address, and withdrawn. */
export const newsletterConsents: ConsentSource<Addressed> = async (
  { ledger, subjects },
  { email },
) => {
  const ids = email === null ? [] : await subjects.idsOfAddress(newsletterSubscriber, email);
  const streams = ids.map((id) =>
    loadStream(ledger.sql, newsletterEvents, newsletterEvents.streamOf(id)),
  );
  return (await Promise.all(streams)).flatMap(({ events }) => decisionsIn(events));
};

function decisionsIn(events: readonly RecordedEvent<NewsletterEvent>[]): ConsentFact[] {
  const facts: ConsentFact[] = [];
  let asked: SubscriptionRequested["data"] | undefined;
  for (const { event, eventId, position, occurredAt } of events) {
    const place = { eventId, position, occurredAt };
    if (event.type === "SubscriptionRequested") asked = event.data;
    if (event.type === "SubscriptionConfirmed" && asked !== undefined) {
      const granted = { ...place, decision: "granted" } as const;
      facts.push({ ...granted, subject: "newsletter", ...asked.agreed });
      for (const { document: subject, ...text } of asked.documents)
        facts.push({ ...granted, subject, ...text });
    }
    if (event.type === "Unsubscribed") {
      const none = { version: null, language: null, textHash: null };
      facts.push({ ...place, subject: "newsletter", decision: "withdrawn", ...none });
    }
  }
  return facts;
}

/** Erases the subscription of a person, and with it their place on the waitlist. */
export const newsletterEraser: Eraser<Addressed> = {
  step: "newsletter",
  subjectsOf: async ({ subjects }, { email }) =>
    email === null ? [] : await subjects.idsOfAddress(newsletterSubscriber, email),
  erase: async ({ ledger, subjects }, person, why) => {
    const { email } = person;
    const of = { kind: newsletterSubscriber, events: newsletterEvents };
    const ids = await streamsOfPerson({ ledger, subjects }, of, person);
    for (const id of ids) {
      const result = await commandSubscriber(ledger, id, { type: "EraseAsked" }, why);
      if (result.kind === "refusal") throw new Error(`No subscriber was erased: ${result.code}`);
      await subjects.shred(id);
    }
    const left = email === null ? [] : await subjects.idsOfAddress(newsletterSubscriber, email);
    return { found: ids.length, left: left.length };
  },
};
