import {
  type ChangeNoticeEvent,
  changeNoticeDays,
  type KnownChangeNotice,
  type LegalChange,
  type LegalChangeEvent,
} from "@pro-talent/schemas/legal-changes/events";
import { Day, dayIn, dayPlus, latestDay } from "@pro-talent/schemas/primitives/calendar";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { refusedMs, retryMs } from "@pro-talent/schemas/primitives/notice-retries";

import { type Decider, type Refusal, refuse } from "../../kernel/types.ts";

/** The zone in which the days of notices and changes begin. */
export const zone = "Asia/Jerusalem";

export type ChangeCommand = {
  readonly type: "AnnounceChange";
  readonly change: LegalChange;
  /** The version in force. */
  readonly current: string;
};
export type ChangeState = { readonly announced: LegalChange | null };
export type ChangeRefusal = "too-early" | "not-newer" | "announced-otherwise";

/** A change is announced once, at least 30 days ahead. */
export const changeDecider: Decider<ChangeState, ChangeCommand, LegalChangeEvent, ChangeRefusal> = {
  initialState: { announced: null },
  decide: ({ change, current }, { announced }, { now }) => {
    if (announced !== null) return isSame(announced, change) ? [] : refuse("announced-otherwise");
    if (change.version <= current) return refuse("not-newer");
    if (change.version < dayPlus(dayIn(now, zone), changeNoticeDays)) return refuse("too-early");
    return [{ type: "ChangeAnnounced", data: change }];
  },
  evolve: (_state, { data }) => ({ announced: data }),
};

const isSame = (one: LegalChange, other: LegalChange): boolean =>
  one.summary.en === other.summary.en && one.summary.he === other.summary.he;

export type NoticeCommand =
  | ({ readonly type: "RequireNotice" } & Required)
  | { readonly type: "RecordAttempt"; readonly result: "sent" | "refused" | "later" }
  | { readonly type: "RecordReturn" }
  | { readonly type: "Acknowledge" }
  | { readonly type: "EndNotice"; readonly reason: EndReason };
type Required = Extract<ChangeNoticeEvent, { type: "ChangeNoticeRequired" }>["data"];
export type EndReason = Extract<ChangeNoticeEvent, { type: "ChangeNoticeEnded" }>["data"]["reason"];
export type NoticeState = { readonly status: "none" | "ended" } | RequiredNotice;
type RequiredNotice = { readonly status: "required" } & KnownChangeNotice;
export type NoticeRefusal = "not-required" | "not-due";

/** The notice of a change is tried until it is delivered, and again when it came back. */
export const noticeDecider: Decider<NoticeState, NoticeCommand, ChangeNoticeEvent, NoticeRefusal> =
  {
    initialState: { status: "none" },
    decide: (command, state, { now }) => decide(command, state, now),
    evolve,
  };

const attempts = {
  sent: "ChangeNoticeDelivered",
  refused: "ChangeNoticeRefused",
  later: "ChangeNoticeDelayed",
} as const;

type Decision = readonly ChangeNoticeEvent[] | Refusal<NoticeRefusal>;

function decide(command: NoticeCommand, state: NoticeState, now: Instant): Decision {
  if (command.type === "RequireNotice") {
    const { type: _, ...data } = command;
    return state.status === "none" ? [{ type: "ChangeNoticeRequired", data }] : [];
  }
  if (state.status !== "required")
    return command.type === "EndNotice" ? [] : refuse("not-required");
  switch (command.type) {
    case "EndNotice":
      return [{ type: "ChangeNoticeEnded", data: { reason: command.reason } }];
    case "Acknowledge":
      return isAcknowledged(state) ? [] : [{ type: "ChangeAcknowledged", data: {} }];
    case "RecordReturn":
      return state.deliveredOn === null || isAcknowledged(state)
        ? []
        : [{ type: "ChangeNoticeReturned", data: {} }];
    case "RecordAttempt": {
      // Acknowledged while the mail was under way.
      if (isAcknowledged(state)) return [];
      const due = nextAttempt(state);
      if (due === null || due > now) return refuse("not-due");
      return [{ type: attempts[command.result], data: {} }];
    }
  }
}

const isAcknowledged = ({ acknowledgedOn }: KnownChangeNotice): boolean => acknowledgedOn !== null;

/** When the notice is tried next; never once it is delivered. */
export const nextAttempt = ({ deliveredOn, nextAt }: KnownChangeNotice): Instant | null =>
  deliveredOn === null ? nextAt : null;

/** The day on which the change takes effect for the recipient; none is known before the delivery. */
export const effectiveFor = ({ effectiveOn, deliveredOn }: KnownChangeNotice): Day | null =>
  deliveredOn === null ? null : latestDay(effectiveOn, dayPlus(deliveredOn, changeNoticeDays));

type Versions = {
  /** When the account was opened; empty where it is not known. */
  readonly accepted: Readonly<Record<LegalChange["document"], string>> | null;
  readonly own: readonly (Pick<LegalChange, "document" | "version"> & {
    readonly effectiveOn: Day | null;
  })[];
  readonly today: Day;
};

/** The version of a document that applies to its holder: the accepted one, or what took effect since. */
export function versionFor(
  document: LegalChange["document"],
  { accepted, own, today }: Versions,
): Day | null {
  const inEffect = own.flatMap(({ effectiveOn, ...change }) =>
    change.document === document && effectiveOn !== null && effectiveOn <= today
      ? [change.version]
      : [],
  );
  return inEffect.toSorted().at(-1) ?? Day.safeParse(accepted?.[document]).data ?? null;
}

function evolve(state: NoticeState, event: ChangeNoticeEvent, at: Instant): NoticeState {
  if (event.type === "ChangeNoticeRequired") {
    const fresh = { deliveredOn: null, acknowledgedOn: null, failed: 0, refused: false };
    return { status: "required", ...event.data, ...fresh, nextAt: at };
  }
  if (state.status !== "required") return state;
  switch (event.type) {
    case "ChangeNoticeDelivered":
      return { ...state, deliveredOn: dayIn(at, zone), failed: 0, refused: false };
    case "ChangeNoticeRefused":
      return afterFailure(state, "refused", at);
    case "ChangeNoticeDelayed":
      return afterFailure(state, "later", at);
    case "ChangeNoticeReturned":
      return { ...state, deliveredOn: null, nextAt: instantPlus(at, refusedMs), refused: true };
    case "ChangeAcknowledged": {
      const acknowledgedOn = dayIn(at, zone);
      return { ...state, acknowledgedOn, deliveredOn: state.deliveredOn ?? acknowledgedOn };
    }
    case "ChangeNoticeEnded":
      return { status: "ended" };
  }
}

function afterFailure(
  state: RequiredNotice,
  result: "refused" | "later",
  at: Instant,
): RequiredNotice {
  const failed = state.failed + 1;
  const nextAt = instantPlus(at, retryMs(result, failed));
  return { ...state, failed, nextAt, refused: result === "refused" };
}
