import type {
  ConsentDecisionAnswer,
  ConsentDecisionRequest,
} from "@pro-talent/schemas/consent/calls";
import {
  type ConsentEvent,
  type ConsentPurpose,
  ConsentStates,
} from "@pro-talent/schemas/consent/events";
import { v5 as uuidV5 } from "uuid";

import {
  type CommandContext,
  type CommandResult,
  type Ledger,
  runCommand,
  type StreamDefinition,
} from "../../kernel/commands.ts";
import { defineSnapshot } from "../../kernel/streams.ts";
import { consentDecider, type ConsentRefusalCode, type DecideConsent, stateOf } from "./decider.ts";
import { consentEvents } from "./read-models.ts";

/** Namespace of receipt ids: drawn at random once, fixed for ever. */
const receiptNamespace = "8d1f0a5e-c6b2-4f0d-9a3e-e6c27bb5f4a1";

/**
 * Records a visitor's decision, if it is one. The reply is a ConsentDecisionAnswer. The receipt's id
 * follows from the command's id, so that a repeated command names the same receipt; it is as hard to
 * guess as the command's id, which its caller draws at random and keeps.
 */
export function decideConsent(
  ledger: Ledger,
  request: ConsentDecisionRequest,
  context: CommandContext,
): Promise<CommandResult<ConsentRefusalCode>> {
  const { commandId, visitorId, purpose, decision, method, notice } = request;
  const receiptId = uuidV5(commandId.toLowerCase(), receiptNamespace);
  return runCommand(ledger, streamFor(purpose), {
    id: visitorId,
    body: request,
    command: { type: "DecideConsent", purpose, decision, method, notice, receiptId },
    ...context,
    commandId,
  });
}

const consentSnapshot = defineSnapshot<ConsentStates>(1, ConsentStates);

function streamFor(
  purpose: ConsentPurpose,
): StreamDefinition<ConsentStates, DecideConsent, ConsentEvent, ConsentRefusalCode> {
  return {
    events: consentEvents,
    decider: consentDecider,
    // The collector acts on a decision at once: it must be on disk with its append.
    durableWith: "each append",
    snapshot: consentSnapshot,
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
