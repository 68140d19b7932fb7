import { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { WaitlistEvent, WaitlistState } from "@pro-talent/schemas/waitlist/events";

import type { AddressedPerson, HeldSource } from "../../held.ts";
import {
  type CommandContext,
  type CommandResult,
  type Ledger,
  runCommand,
  type StreamDefinition,
} from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import { defineProcess } from "../../kernel/processes.ts";
import { column, readModel } from "../../kernel/read-model.ts";
import { defineSnapshot } from "../../kernel/streams.ts";
import type { SubjectKind } from "../../kernel/subjects.ts";
import { type WaitlistCommand, waitlistDecider, type WaitlistRefusalCode } from "./decider.ts";

/** The events of one place. */
export const waitlistEvents = defineEvents("waitlist", WaitlistEvent);

/** Mails the invitation of a place. */
export const inviteTimer = "waitlist.invite";

export const places: StreamDefinition<
  WaitlistState,
  WaitlistCommand,
  WaitlistEvent,
  WaitlistRefusalCode
> = {
  events: waitlistEvents,
  decider: waitlistDecider,
  durableWith: "each append",
  snapshot: defineSnapshot(2, WaitlistState),
  reply: ({ status }) => ({ status }),
  timers: ({ waiting: [next] }) =>
    next === undefined ? [] : [{ name: inviteTimer, dueAt: next.invitedAt }],
};

/** Carries out a command on one place. */
export function commandPlace(
  ledger: Ledger,
  subscriberId: string,
  command: WaitlistCommand,
  context: CommandContext,
): Promise<CommandResult<WaitlistRefusalCode>> {
  return runCommand(ledger, places, { id: subscriberId, command, body: command, ...context });
}

/** Places in the order in which they were requested. */
export const waitlistPlaces = readModel({
  table: "waitlist_place",
  version: 2,
  mode: "following",
  purpose: "Who waits for the launch, in which order",
  retention: "As long as the events that it is built from; a released place has no row",
  events: waitlistEvents,
  key: { subscriber_id: column.uuid("pseudonym", "Names the subscriber") },
  columns: {
    requested_at: column.instant("operational", "When the place was requested"),
    confirmed: column.boolean("coarse", "Whether the address was confirmed"),
    invited: column.texts("operational", "Occasions on which an account was offered"),
  },
  evolve: (row, { occurredAt, event: { type, data } }) => {
    switch (type) {
      case "PlaceRequested":
        return { requested_at: occurredAt, confirmed: false, invited: row?.invited ?? [] };
      case "PlaceInvited":
        return row && { ...row, invited: [...row.invited, data.occasion] };
      case "InvitationPassedOn":
      case "AccountFound":
        return row;
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

/** Of the addresses that wait: those of the newsletter, which places are requested and confirmed with. */
const waiting: SubjectKind = "newsletter.subscriber";

/** The place of a person on the waitlist. */
export const waitlistHeld: HeldSource<AddressedPerson> = {
  section: "waitlist",
  collect: async function heldPlaces({ ledger, subjects }, { email }) {
    const address = await email();
    const ids = address === null ? [] : await subjects.idsOfAddress(waiting, address);
    const rows = await ledger.sql<{ requested: Date; confirmed: boolean; invited: number }[]>`
      select requested_at as requested, confirmed, cardinality(invited) as invited
        from ledger.waitlist_place where subscriber_id = any (${ids}::uuid[])`;
    return rows.map(({ requested, confirmed, invited }) => [
      { field: "place", word: confirmed ? "confirmed" : "pending" },
      { field: "number", count: invited },
      { field: "created-at", at: instantFromMs(requested.getTime()) },
    ]);
  },
};
