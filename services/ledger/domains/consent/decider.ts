import { isDeepStrictEqual } from "node:util";

import type { ConsentMethod, NoticeShown } from "@pro-talent/schemas/analytics/wire";
import type {
  ConsentEvent,
  ConsentPurpose,
  ConsentState,
  ConsentStates,
} from "@pro-talent/schemas/consent/events";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";

/** A visitor's decision; the decider compares it with what is already known. */
export type DecideConsent = {
  readonly type: "DecideConsent";
  readonly purpose: ConsentPurpose;
  readonly decision: "grant" | "refuse";
  readonly method: ConsentMethod;
  readonly notice: NoticeShown | null;
  /** Made by the caller, so that a repeated command names the same receipt. */
  readonly receiptId: string;
};

/** Do Not Track and Global Privacy Control can only refuse. */
export type ConsentRefusalCode = "signal_cannot_grant";

export function stateOf(states: ConsentStates, purpose: ConsentPurpose): ConsentState {
  return states[purpose] ?? { status: "none" };
}

/**
 * When a visitor's decision becomes a fact. A refusal by an unknown visitor changes nothing: recording
 * it would break what it asks for. A repeated grant changes nothing either, unless another text was
 * shown: then it is a new consent.
 */
export const consentDecider: Decider<
  ConsentStates,
  DecideConsent,
  ConsentEvent,
  ConsentRefusalCode
> = { initialState: {}, decide, evolve };

function decide(
  command: DecideConsent,
  states: ConsentStates,
): readonly ConsentEvent[] | Refusal<ConsentRefusalCode> {
  const { purpose, method, notice, receiptId } = command;
  const known = stateOf(states, purpose);
  const data = { purpose, method, notice, receiptId };
  switch (command.decision) {
    case "grant":
      if (method === "dnt" || method === "gpc") return refuse("signal_cannot_grant");
      return known.status === "granted" && isDeepStrictEqual(known.notice, notice)
        ? []
        : [{ type: "ConsentGranted", data }];
    case "refuse":
      return known.status === "granted" ? [{ type: "ConsentWithdrawn", data }] : [];
  }
}

function evolve(states: ConsentStates, event: ConsentEvent): ConsentStates {
  const { purpose, notice, receiptId } = event.data;
  const status = event.type === "ConsentGranted" ? "granted" : "withdrawn";
  return { ...states, [purpose]: { status, notice, receiptId } };
}
