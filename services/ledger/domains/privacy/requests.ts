import { PrivacyEvent, RecipientsNotifiedV1 } from "@pro-talent/schemas/privacy/events";
import { publicStatusOf } from "@pro-talent/schemas/privacy/transitions";

import type { StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents, upcast } from "../../kernel/events.ts";
import { type PrivacyCommand, privacyDecider, type PrivacyRefusal } from "./decider.ts";
import type { PrivacyState } from "./state.decider.ts";
import { timersOf } from "./timers.ts";

/** Mails a code to the address of a form. */
export const codeMessage = "privacy.mail-code";

export const privacyEvents = defineEvents("privacy", PrivacyEvent, {
  RecipientsNotified: [upcast(RecipientsNotifiedV1, () => ({ recipients: [] }))],
});

/** One privacy request: `privacy-<requestId>`. */
export const privacyRequests: StreamDefinition<
  PrivacyState,
  PrivacyCommand,
  PrivacyEvent,
  PrivacyRefusal
> = {
  events: privacyEvents,
  decider: privacyDecider,
  durableWith: "each append",
  correlation: "of the first event",
  reply: (state) =>
    state.status === "none"
      ? { status: "none" }
      : { status: publicStatusOf[state.status], outcome: state.outcome },
  timers: timersOf,
  // What was written with a request is not needed any more once it is completed and its mails are sent, or
  // it erases its account.
  erasure: {
    events: ["EraseClaimed", "JournalReapplied", "RequestEndedByErasure", "ContentsForgotten"],
    timers: [],
  },
  effects: ({ id, events }) => ({
    messages: events.flatMap((event) =>
      event.type === "IdentityChallengeSent"
        ? [{ name: codeMessage, payload: { requestId: id, number: event.data.number } }]
        : [],
    ),
  }),
};
