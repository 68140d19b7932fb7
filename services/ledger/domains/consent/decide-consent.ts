import type { DecideConsent } from "@pro-talent/schemas/consent/commands";
import type { ConsentEvent, ConsentPurpose } from "@pro-talent/schemas/consent/events";
import type {
  ConsentDecisionAnswer,
  ConsentDecisionRequest,
} from "@pro-talent/schemas/consent/http";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { EventStore } from "../event-store/event-store.ts";
import {
  type CommandAnswer,
  type CommandHandler,
  handleCommand,
  type StoreRefusalCode,
} from "../event-store/handle-command.ts";
import type { Refusal } from "../event-store/types.ts";
import { consentEvents, consentStream } from "./consent-events.ts";
import { currentConsent } from "./current-consent.projection.ts";
import { consentDecider, type ConsentRefusalCode, type ConsentStates, stateOf } from "./decider.ts";
import { receiptIdOf } from "./receipt-id.ts";

/** Records a visitor's decision, if it is one. The reply is a ConsentDecisionAnswer. */
export function decideConsent(
  store: EventStore,
  request: ConsentDecisionRequest,
  now: Instant,
): Promise<CommandAnswer | Refusal<ConsentRefusalCode | StoreRefusalCode>> {
  const { commandId, visitorId, purpose, decision, method, notice } = request;
  return handleCommand(store, handlerFor(purpose), {
    commandId,
    stream: consentStream(visitorId),
    body: request,
    command: {
      type: "DecideConsent",
      purpose,
      decision,
      method,
      notice,
      receiptId: receiptIdOf(commandId),
    },
    now,
  });
}

function handlerFor(
  purpose: ConsentPurpose,
): CommandHandler<ConsentStates, DecideConsent, ConsentEvent, ConsentRefusalCode> {
  return {
    decider: consentDecider,
    family: consentEvents,
    inline: [currentConsent],
    reply: (states, events): ConsentDecisionAnswer => {
      const known = stateOf(states, purpose);
      return {
        state: known.status,
        recorded: events.length > 0,
        receiptId: known.status === "none" ? null : known.receiptId,
      };
    },
  };
}
