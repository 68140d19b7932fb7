import type { SendContactMessage } from "@pro-talent/schemas/contact/commands";
import type { ContactEvent } from "@pro-talent/schemas/contact/events";
import { contactLimits } from "@pro-talent/schemas/contact/limits";

import { type Decider, type Refusal, refuse } from "../event-store/types.ts";

export type ContactState = { readonly status: "none" | "received" };

/** A stream holds one message; another one must not pass as received. */
export type ContactRefusalCode = "already_received";

/**
 * Every message is kept. What may be withheld is the acknowledgement: from programs that fill in
 * forms, and from addresses that were written to several times today, since anybody can enter them.
 */
export const contactDecider: Decider<
  ContactState,
  SendContactMessage,
  ContactEvent,
  ContactRefusalCode
> = { initialState: { status: "none" }, decide, evolve };

function decide(
  command: SendContactMessage,
  state: ContactState,
): readonly ContactEvent[] | Refusal<ContactRefusalCode> {
  if (state.status === "received") return refuse("already_received");
  const { reference, category, language, suspected, recentAcknowledgements } = command;
  const acknowledged = !suspected && recentAcknowledgements < contactLimits.acknowledgementsPerDay;
  const data = { reference, category, language, suspected, acknowledged };
  return [{ type: "ContactMessageReceived", data }];
}

/** The only fact there is: the message came. */
function evolve(): ContactState {
  return { status: "received" };
}
