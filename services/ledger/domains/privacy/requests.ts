import { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { publicStatusOf, transitions } from "@pro-talent/schemas/privacy/transitions";

import type { StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import { type PrivacyCommand, privacyDecider, type PrivacyRefusal } from "./decider.ts";
import type { PrivacyState } from "./state.decider.ts";
import { timersOf } from "./timers.ts";

const endings = Object.values(transitions)
  .flat()
  .filter(({ from, to }) => to === "completed" && !from.includes("completed"))
  .map(({ event }) => event);

export const privacyEvents = defineEvents("privacy", PrivacyEvent);

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
  reply: (state) =>
    state.status === "none"
      ? { status: "none" }
      : { status: publicStatusOf[state.status], outcome: state.outcome },
  timers: timersOf,
  // What was written with a request is not needed any more once it is completed, or erases its account.
  erasure: { events: [...new Set(endings), "EraseClaimed", "JournalReapplied"], timers: [] },
};
