import type { ContactEvent, ContactMessageReceived } from "@pro-talent/schemas/contact/events";
import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { type Instant, instantPlusMonths } from "@pro-talent/schemas/primitives/instant";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";

/** Sends a message; its personal part is sealed beside the command. */
export type SendContactMessage = Omit<ContactMessageReceived["data"], "acknowledged"> & {
  readonly type: "SendContactMessage";
  /** Acknowledgements to the same address within the last day. */
  readonly recentAcknowledgements: number;
};

export type ContactCommand =
  | SendContactMessage
  | { readonly type: "SettleContactMatter" }
  /** The matter is settled, or the time of one that never was is over. */
  | { readonly type: "EraseContactDetails" }
  /** The sender asked for the erasure of their data. */
  | { readonly type: "EraseAsked" }
  /** The time of the message is over. */
  | { readonly type: "ExpireContactMessage" };

/** A message that was received, with what became of its matter, its details and its place in the inbox. */
export type ReceivedState = {
  readonly status: "received" | "settled";
  readonly receivedAt: Instant;
  readonly settledAt: Instant | null;
  readonly erasedAt: Instant | null;
  readonly expired: boolean;
};

export type ContactState = { readonly status: "none" } | ReceivedState;

/** A stream holds one message: another one is refused, and an unknown one has no matter. */
export type ContactRefusalCode = "already_received" | "not_received";

/**
 * Every message is kept. Only the acknowledgement may be withheld: from suspected programs, and from
 * addresses that received several today, since any visitor can enter any address. The details are erased
 * when the matter is settled, and in the end also when it never was.
 */
export const contactDecider: Decider<
  ContactState,
  ContactCommand,
  ContactEvent,
  ContactRefusalCode
> = { initialState: { status: "none" }, decide, evolve };

type Decision = readonly ContactEvent[] | Refusal<ContactRefusalCode>;

function decide(
  command: ContactCommand,
  state: ContactState,
  { now }: { readonly now: Instant },
): Decision {
  if (command.type === "SendContactMessage") return receive(command, state);
  if (state.status === "none") return refuse("not_received");
  switch (command.type) {
    case "SettleContactMatter":
      return state.status === "settled" ? [] : [{ type: "ContactMatterSettled", data: {} }];
    case "EraseContactDetails":
      return erase(state, now);
    case "EraseAsked":
      return state.erasedAt === null
        ? [{ type: "ContactDetailsErased", data: { reason: "asked" } }]
        : [];
    case "ExpireContactMessage":
      if (state.expired || now < expireAt(state)) return [];
      return [...erase(state, now), { type: "ContactMessageExpired", data: {} }];
  }
}

function receive(command: SendContactMessage, state: ContactState): Decision {
  if (state.status !== "none") return refuse("already_received");
  const { reference, category, language, suspected, recentAcknowledgements } = command;
  const acknowledged = !suspected && recentAcknowledgements < contactLimits.acknowledgementsPerDay;
  const data = { reference, category, language, suspected, acknowledged };
  return [{ type: "ContactMessageReceived", data }];
}

function erase(state: ReceivedState, now: Instant): readonly ContactEvent[] {
  if (state.erasedAt !== null || now < eraseAt(state)) return [];
  const reason = state.status === "settled" ? "settled" : "overdue";
  return [{ type: "ContactDetailsErased", data: { reason } }];
}

/** When the details of a message are erased. */
export function eraseAt({ settledAt, receivedAt }: ReceivedState): Instant {
  return settledAt ?? instantPlusMonths(receivedAt, contactLimits.unsettledMonths);
}

/** When a message leaves the inbox. */
export function expireAt({ settledAt, receivedAt }: ReceivedState): Instant {
  return settledAt === null
    ? instantPlusMonths(receivedAt, contactLimits.unsettledMonths)
    : instantPlusMonths(settledAt, contactLimits.settledMonths);
}

function evolve(state: ContactState, event: ContactEvent, at: Instant): ContactState {
  if (event.type === "ContactMessageReceived") {
    const since = { receivedAt: at, settledAt: null, erasedAt: null };
    return { status: "received", ...since, expired: false };
  }
  if (state.status === "none") return state;
  switch (event.type) {
    case "ContactMatterSettled":
      return { ...state, status: "settled", settledAt: at };
    case "ContactDetailsErased":
      return { ...state, erasedAt: at };
    case "ContactMessageExpired":
      return { ...state, expired: true };
  }
}
