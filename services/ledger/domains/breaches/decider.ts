import type { BreachEvent, BreachFacts } from "@pro-talent/schemas/breaches/events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { type Decider, refuse } from "../../kernel/types.ts";

type Of = "authority" | "subjects";
/** On what an officer saw, so that no two of them overwrite each other. */
type Act = { readonly officerId: string; readonly version: number };
export type BreachCommand =
  | { readonly type: "RecordBreach"; readonly officerId: string; readonly facts: BreachFacts }
  | ({ readonly type: "CorrectBreach"; readonly facts: BreachFacts } & Act)
  | ({ readonly type: "DecideNotice"; readonly of: Of; readonly notify: boolean } & Act)
  | ({ readonly type: "RecordNotice"; readonly of: Of; readonly notifiedAt: Instant } & Act)
  | ({ readonly type: "CloseBreach" } & Act)
  | { readonly type: "RecordWarning"; readonly hours: number };

export type BreachRefusal =
  | "breach_unknown"
  | "breach_closed"
  | "discovered_later"
  | "notice_not_decided"
  | "notice_sent"
  | "breach_not_settled"
  | "version_differs";

/** Null: not decided. `sentAt` is null until the notice is sent. */
type NoticeState = { readonly notify: boolean; readonly sentAt: Instant | null } | null;
export type BreachState =
  | { readonly status: "none" }
  | {
      readonly status: "open" | "closed";
      readonly discoveredAt: Instant;
      readonly authority: NoticeState;
      readonly subjects: NoticeState;
      /** Hours after the discovery at which officers were mailed. */
      readonly warned: readonly number[];
      /** Acts of officers so far. */
      readonly version: number;
    };
type Known = Exclude<BreachState, { status: "none" }>;

/** A notice is settled when it was sent, or when it was decided that none is needed. */
export const isSettled = (notice: NoticeState): boolean =>
  notice !== null && (!notice.notify || notice.sentAt !== null);

type Decision = readonly BreachEvent[] | ReturnType<typeof refuse<BreachRefusal>>;

/** The register of one breach: facts, decisions and notices, each by an officer. */
export const breachDecider: Decider<BreachState, BreachCommand, BreachEvent, BreachRefusal> = {
  initialState: { status: "none" },
  decide: (command, state, { now }) => {
    if (command.type === "RecordBreach") {
      if (state.status !== "none") return [];
      const { officerId, facts } = command;
      return facts.discoveredAt > now
        ? refuse("discovered_later")
        : [{ type: "BreachRecorded", data: { officerId, ...facts } }];
    }
    if (state.status === "none") return refuse("breach_unknown");
    if (command.type === "RecordWarning") return warn(command.hours, state);
    if (state.status === "closed") return refuse("breach_closed");
    if (command.version !== state.version) return refuse("version_differs");
    return act(command, state, now);
  },
  evolve,
};

/** A warning that is due when a breach is settled meanwhile changes nothing. */
const warn = (hours: number, { status, warned }: Known): readonly BreachEvent[] =>
  status === "closed" || warned.includes(hours)
    ? []
    : [{ type: "OfficersWarned", data: { hours } }];

type OpenCommand = Exclude<BreachCommand, { type: "RecordBreach" | "RecordWarning" }>;

function act(command: OpenCommand, state: Known, now: Instant): Decision {
  const { officerId } = command;
  switch (command.type) {
    case "CorrectBreach": {
      const { facts } = command;
      const sent = [state.authority?.sentAt, state.subjects?.sentAt, now];
      if (sent.some((at) => typeof at === "string" && facts.discoveredAt > at))
        return refuse("discovered_later");
      return [{ type: "BreachCorrected", data: { officerId, ...facts } }];
    }
    case "DecideNotice": {
      const { of, notify } = command;
      if ((state[of]?.sentAt ?? null) !== null) return refuse("notice_sent");
      const type = of === "authority" ? "AuthorityDecided" : "SubjectsDecided";
      return [{ type, data: { officerId, notify } }];
    }
    case "RecordNotice":
      return notified(command, state, now);
    case "CloseBreach":
      return isSettled(state.authority) && isSettled(state.subjects)
        ? [{ type: "BreachClosed", data: { officerId } }]
        : refuse("breach_not_settled");
  }
}

function notified(
  { of, officerId, notifiedAt }: Extract<OpenCommand, { type: "RecordNotice" }>,
  state: Known,
  now: Instant,
): Decision {
  const notice = state[of];
  if (notice === null || !notice.notify) return refuse("notice_not_decided");
  if (notice.sentAt !== null) return refuse("notice_sent");
  if (notifiedAt < state.discoveredAt || notifiedAt > now) return refuse("discovered_later");
  const type = of === "authority" ? "AuthorityNotified" : "SubjectsNotified";
  return [{ type, data: { officerId, notifiedAt } }];
}

function evolve(state: BreachState, { type, data }: BreachEvent): BreachState {
  if (type === "BreachRecorded") {
    const { discoveredAt } = data;
    return {
      status: "open",
      discoveredAt,
      authority: null,
      subjects: null,
      warned: [],
      version: 1,
    };
  }
  if (state.status === "none") return state;
  if (type === "OfficersWarned") return { ...state, warned: [...state.warned, data.hours] };
  const next = { ...state, version: state.version + 1 };
  switch (type) {
    case "BreachCorrected":
      return { ...next, discoveredAt: data.discoveredAt };
    case "AuthorityDecided":
      return { ...next, authority: { notify: data.notify, sentAt: null } };
    case "SubjectsDecided":
      return { ...next, subjects: { notify: data.notify, sentAt: null } };
    case "AuthorityNotified":
      return { ...next, authority: { notify: true, sentAt: data.notifiedAt } };
    case "SubjectsNotified":
      return { ...next, subjects: { notify: true, sentAt: data.notifiedAt } };
    case "BreachClosed":
      return { ...next, status: "closed" };
  }
}
