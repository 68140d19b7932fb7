import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { publicStatusOf } from "@pro-talent/schemas/privacy/transitions";
import { z } from "zod";

import type { OutboxMessage } from "../../kernel/append.ts";
import type { StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import { type PrivacyCommand, privacyDecider, type PrivacyRefusal } from "./decider.ts";
import type { PrivacyState } from "./state.decider.ts";
import { timersOf } from "./timers.ts";

export const privacyEvents = defineEvents("privacy", PrivacyEvent);

export const deletionMailMessage = "privacy.deletion-mail";
export const DeletionMailPayload = z.object({
  requestId: Uuid,
  mail: z.enum(["scheduled", "cancelled"]),
});

/** The mail that follows from an event of a request, if one does. */
function mailsAfter(requestId: string, { type }: PrivacyEvent): OutboxMessage[] {
  const of = (mail: "scheduled" | "cancelled") => [
    { name: deletionMailMessage, payload: { requestId, mail } },
  ];
  if (type === "DeletionScheduled") return of("scheduled");
  return type === "DeletionCancelled" ? of("cancelled") : [];
}

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
  // A reason is erased with the account, and not needed any more once the deletion is cancelled.
  erasure: { events: ["DeletionCancelled", "EraseClaimed"], timers: [] },
  effects: ({ id, events }) => ({ messages: events.flatMap((event) => mailsAfter(id, event)) }),
};
