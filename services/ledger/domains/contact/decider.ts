import type { ContactEvent, ContactMessageReceived } from "@pro-talent/schemas/contact/events";
import { contactLimits } from "@pro-talent/schemas/contact/limits";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";

/** Sends a message; its personal part is sealed beside the command. */
export type SendContactMessage = Omit<ContactMessageReceived["data"], "acknowledged"> & {
  readonly type: "SendContactMessage";
  /** Acknowledgements to the same address within the last day. */
  readonly recentAcknowledgements: number;
};

export type ContactCommand = SendContactMessage | { readonly type: "SettleContactMatter" };

export type ContactState = { readonly status: "none" | "received" | "settled" };

/** A stream holds one message: another one is refused, and an unknown one cannot be settled. */
export type ContactRefusalCode = "already_received" | "not_received";

/**
 * Every message is kept. Only the acknowledgement may be withheld: from suspected programs, and from
 * addresses that received several today, since any visitor can enter any address.
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
