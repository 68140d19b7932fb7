import type { ContactCommand, SendContactMessage } from "@pro-talent/schemas/contact/commands";
import type { ContactEvent } from "@pro-talent/schemas/contact/events";
import { contactLimits } from "@pro-talent/schemas/contact/limits";

import { type Decider, type Refusal, refuse } from "../event-store/types.ts";

export type ContactState = { readonly status: "none" | "received" | "settled" };

/**
 * A stream holds one message: another one must not pass as received, and what never came is not
 * settled.
 */
export type ContactRefusalCode = "already_received" | "not_received";

/**
 * Every message is kept. What may be withheld is the acknowledgement: from programs that fill in
 * forms, and from addresses that were written to several times today, since anybody can enter them.
 */
export const contactDecider: Decider<
  ContactState,
  ContactCommand,
  ContactEvent,
  ContactRefusalCode
> = { initialState: { status: "none" }, decide, evolve };

type Decision = readonly ContactEvent[] | Refusal<ContactRefusalCode>;

function decide(command: ContactCommand, state: ContactState): Decision {
  return command.type === "SettleContactMatter" ? settle(state) : receive(command, state);
}

function settle({ status }: ContactState): Decision {
  if (status === "none") return refuse("not_received");
  return status === "settled" ? [] : [{ type: "ContactMatterSettled", data: {} }];
}

function receive(command: SendContactMessage, state: ContactState): Decision {
  if (state.status !== "none") return refuse("already_received");
  const { reference, category, language, suspected, recentAcknowledgements } = command;
  const acknowledged = !suspected && recentAcknowledgements < contactLimits.acknowledgementsPerDay;
  const data = { reference, category, language, suspected, acknowledged };
  return [{ type: "ContactMessageReceived", data }];
}

function evolve(_state: ContactState, event: ContactEvent): ContactState {
  return { status: event.type === "ContactMatterSettled" ? "settled" : "received" };
}
