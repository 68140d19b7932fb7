import {
  type Day,
  dayIn,
  dayPlus,
  latestDay,
  startOfDay,
} from "@pro-talent/schemas/primitives/calendar";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { refusedMs, retryMs } from "@pro-talent/schemas/primitives/notice-retries";
import {
  inactiveSince,
  type InactivityEvent,
  type InactivityExemption,
  type InactivityNotice,
  inactivityNoticeDays,
  type KnownInactivity,
} from "@pro-talent/schemas/privacy/inactivity";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";

/** The zone in which the days of notices and deletions begin. */
const zone = "Asia/Jerusalem";
/** An account that is exempt is looked at again. */
const exemptMs = 30 * 24 * 60 * 60_000;

type Result = Extract<InactivityEvent, { type: "InactivityNoticeTried" }>["data"]["result"];

export type InactivityCommand =
  | { readonly type: "NoteInactivity"; readonly activeOn: Day }
  | { readonly type: "RecordNotice"; readonly notice: InactivityNotice; readonly result: Result }
  | { readonly type: "RecordReturn"; readonly notice: InactivityNotice }
  | { readonly type: "Exempt"; readonly reason: InactivityExemption }
  | { readonly type: "RequestDeletion"; readonly requestId: string }
  | { readonly type: "EndInactivity"; readonly reason: "used" | "closed" };

export type InactivityState = { readonly status: "none" } | KnownInactivity;
export type InactivityRefusal = "not-noted" | "not-due";

/** What is due for an account that is not used. */
export type InactivityStep = InactivityNotice | "deletion";

/** An account that is not used: two delivered notices, and then a request to delete it. */
export const inactivityDecider: Decider<
  InactivityState,
  InactivityCommand,
  InactivityEvent,
  InactivityRefusal
> = {
  initialState: { status: "none" },
  decide: (command, state, { now }) => decide(command, state, now),
  evolve,
};

type Decision = readonly InactivityEvent[] | Refusal<InactivityRefusal>;

function decide(command: InactivityCommand, state: InactivityState, now: Instant): Decision {
  if (command.type === "NoteInactivity")
    return state.status === "none"
      ? [{ type: "InactivityNoted", data: { activeOn: command.activeOn } }]
      : [];
  if (state.status === "none") return command.type === "EndInactivity" ? [] : refuse("not-noted");
  const { requestId } = state;
  switch (command.type) {
    case "EndInactivity":
      return [{ type: "InactivityEnded", data: { reason: command.reason, requestId } }];
    case "RecordReturn": {
      const { notice } = command;
      if (state.sent[notice] === null) return [];
      return [{ type: "InactivityNoticeReturned", data: { notice, requestId } }];
    }
    case "RecordNotice": {
      const { notice, result } = command;
      if (!isDue(state, notice, now)) return refuse("not-due");
      return [{ type: "InactivityNoticeTried", data: { notice, result } }];
    }
    case "Exempt":
      if (!isDue(state, "deletion", now)) return refuse("not-due");
      return [{ type: "InactivityExempted", data: { reason: command.reason } }];
    case "RequestDeletion":
      if (!isDue(state, "deletion", now)) return refuse("not-due");
      return [{ type: "InactiveDeletionRequested", data: { requestId: command.requestId } }];
  }
}

const isDue = (state: KnownInactivity, step: InactivityStep, now: Instant): boolean => {
  const next = nextStep(state);
  return next?.step === step && next.dueAt <= now;
};

/** The day on which the deletion is asked for, if the notices that are left arrive when they are due. */
export function plannedOn({ activeOn, sent }: KnownInactivity): Day {
  const { first, second } = inactivityNoticeDays;
  return latestDay(
    inactiveSince(activeOn),
    ...(sent.first === null ? [] : [dayPlus(sent.first, first)]),
    ...(sent.second === null ? [] : [dayPlus(sent.second, second)]),
  );
}

/** What is due next, and when; nothing while the deletion takes its course. */
export function nextStep(
  state: KnownInactivity,
): { readonly step: InactivityStep; readonly dueAt: Instant } | null {
  if (state.status === "requested") return null;
  const { sent, notBefore } = state;
  const step = sent.first === null ? "first" : sent.second === null ? "second" : "deletion";
  const ahead = step === "deletion" ? 0 : inactivityNoticeDays[step];
  const dueAt = startOfDay(dayPlus(plannedOn(state), -ahead), zone);
  return { step, dueAt: notBefore !== null && notBefore > dueAt ? notBefore : dueAt };
}

function evolve(state: InactivityState, event: InactivityEvent, at: Instant): InactivityState {
  if (event.type === "InactivityNoted") return { ...fresh, activeOn: event.data.activeOn };
  if (state.status === "none" || event.type === "InactivityEnded") return { status: "none" };
  switch (event.type) {
    case "InactivityNoticeTried":
      return afterNotice(state, event.data, at);
    case "InactivityNoticeReturned": {
      const sent = { ...state.sent, [event.data.notice]: null };
      const notBefore = instantPlus(at, refusedMs);
      return { ...state, ...settled, status: "noted", sent, notBefore, refused: true };
    }
    case "InactivityExempted": {
      const notBefore = instantPlus(at, exemptMs);
      return { ...state, ...settled, notBefore, exemption: event.data.reason };
    }
    case "InactiveDeletionRequested":
      return { ...state, ...settled, status: "requested", requestId: event.data.requestId };
  }
}

const settled = {
  notBefore: null,
  failed: 0,
  refused: false,
  exemption: null,
  requestId: null,
} as const;
const fresh = { ...settled, status: "noted", sent: { first: null, second: null } } as const;

function afterNotice(
  state: KnownInactivity,
  { notice, result }: { readonly notice: InactivityNotice; readonly result: Result },
  at: Instant,
): KnownInactivity {
  if (result === "sent")
    return { ...state, ...settled, sent: { ...state.sent, [notice]: dayIn(at, zone) } };
  const failed = state.failed + 1;
  const notBefore = instantPlus(at, retryMs(result, failed));
  return { ...state, failed, refused: result === "refused", notBefore };
}
