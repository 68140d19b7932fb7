import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { clocksOf, leaseMs, packageMs } from "@pro-talent/schemas/privacy/clocks";
import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import type { FormRelation } from "@pro-talent/schemas/privacy/form";
import type { Guard } from "@pro-talent/schemas/privacy/guards";
import type { RequestType } from "@pro-talent/schemas/privacy/request";
import { transitionOf, transitions } from "@pro-talent/schemas/privacy/transitions";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";
import { type EventOf, guards, type Recordable } from "./guards.decider.ts";
import { evolve, type KnownRequest, type PrivacyState } from "./state.decider.ts";

export type PrivacyCommand =
  | {
      readonly type: "ReceiveRequest";
      readonly requestType: RequestType;
      readonly accountId: string | null;
      /** Of an account's holder, who signed in anew for it. */
      readonly identity: EventOf<"IdentityVerified">["data"]["method"] | null;
    }
  /** By the public form; a code is mailed. */
  | {
      readonly type: "ReceiveForm";
      readonly requestType: RequestType;
      readonly relation: FormRelation;
    }
  | { readonly type: "Record"; readonly fact: Recordable };

/** The guard that does not hold, or why the event is not possible whatever the guards say. */
export type PrivacyRefusal = Guard | "already-received" | "not-possible-now" | "erasing-already";

type Decision = readonly PrivacyEvent[] | Refusal<PrivacyRefusal>;

/** A privacy request: its table of transitions decides what may happen, and when. */
export const privacyDecider: Decider<PrivacyState, PrivacyCommand, PrivacyEvent, PrivacyRefusal> = {
  initialState: { status: "none" },
  decide: (command, state, { now }) => {
    switch (command.type) {
      case "ReceiveRequest":
        return receive(command, state, now);
      case "ReceiveForm":
        return receiveForm(command, state, now);
      case "Record":
        return record(command, state, now);
    }
  },
  evolve,
};

type Receive = Extract<PrivacyCommand, { type: "ReceiveRequest" }>;

function receive(command: Receive, state: PrivacyState, now: Instant): Decision {
  if (state.status !== "none") return refuse("already-received");
  const { requestType, accountId, identity } = command;
  const clocks = clocksOf(requestType, now);
  const first = { type: "RequestReceived" as const, data: { requestType, accountId, clocks } };
  if (identity === null) return [first];
  const verified = { type: "IdentityVerified" as const, data: { method: identity } };
  return [first, ...withRules(evolve(state, first, now), verified, now)];
}

function receiveForm(
  { requestType, relation }: Extract<PrivacyCommand, { type: "ReceiveForm" }>,
  state: PrivacyState,
  now: Instant,
): Decision {
  if (state.status !== "none") return refuse("already-received");
  const clocks = clocksOf(requestType, now);
  return [
    { type: "RequestReceived", data: { requestType, accountId: null, clocks, relation } },
    { type: "IdentityChallengeSent", data: { number: 1 } },
  ];
}

function record({ fact }: { fact: Recordable }, state: PrivacyState, now: Instant): Decision {
  if (state.status === "none") return refuse("not-possible-now");
  const refusal = refusalOf(fact, state, now);
  return refusal === undefined ? withRules(state, dated(fact, state, now), now) : refuse(refusal);
}

/** Why a fact cannot be recorded now; undefined when it can. */
export function refusalOf(
  fact: Recordable,
  state: KnownRequest,
  now: Instant,
): PrivacyRefusal | undefined {
  const row = transitionOf(state.type, state.status, fact.type);
  if (row === undefined)
    return isIrreversible(state) && isTooLate(fact) ? "erasing-already" : "not-possible-now";
  return row.guards.find((name) => !guards[name](state, fact, now));
}

/** Whether a deletion was claimed: from then on nothing takes it back. */
const isIrreversible = ({ type, status }: KnownRequest): boolean =>
  type === "delete" && ["claimed", "erasing", "erased", "stalled"].includes(status);
const isTooLate = ({ type }: Recordable): boolean =>
  type === "DeletionCancelled" || type === "HoldPlaced" || type === "GraceWaived";

function dated(fact: Recordable, { codes }: KnownRequest, now: Instant): PrivacyEvent {
  switch (fact.type) {
    case "IdentityChallengeSent":
      return { type: fact.type, data: { number: codes.number + 1 } };
    case "Assigned":
      return { type: fact.type, data: { ...fact.data, until: instantPlus(now, leaseMs) } };
    case "PackageSealed":
      return { type: fact.type, data: { ...fact.data, expiresAt: instantPlus(now, packageMs) } };
    default:
      return fact;
  }
}

/** An event with those that follow from it by rule. */
function withRules(before: PrivacyState, event: PrivacyEvent, now: Instant): PrivacyEvent[] {
  const state = evolve(before, event, now);
  if (state.status === "none") return [event];
  const row = transitions[state.type].find(
    ({ by, from, guards: names }) =>
      by === "rule" &&
      from.includes(state.status) &&
      names.every((name) => guards[name](state, event, now)),
  );
  const next = row && ruleEvent(row.event, state);
  return next === undefined ? [event] : [event, ...withRules(state, next, now)];
}

function ruleEvent(type: PrivacyEvent["type"], { clocks }: KnownRequest): PrivacyEvent | undefined {
  switch (type) {
    case "DeletionScheduled":
      return clocks.eraseAt === null ? undefined : { type, data: { eraseAt: clocks.eraseAt } };
    case "RequestStalled":
    case "CancellationRecorded":
    case "IdentityRefused":
      return { type, data: {} };
    default:
      return undefined;
  }
}
