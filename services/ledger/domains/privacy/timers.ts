import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { packageMs } from "@pro-talent/schemas/privacy/clocks";
import { privacyLimits } from "@pro-talent/schemas/privacy/limits";

import { isAddressNeeded } from "./form-state.decider.ts";
import type { KnownRequest, OwedNotice, PrivacyState } from "./state.decider.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** From the erasure to the scans that repeat it. */
const rescansMs = [24 * hourMs, 7 * 24 * hourMs] as const;
const backupsMs = privacyLimits.backupDays * 24 * hourMs;

/** Waiting time before an attempt, by the failed ones of the same step. */
const retryMs = [0, minuteMs, 10 * minuteMs, hourMs, 12 * hourMs, 24 * hourMs] as const;

type Due = { readonly name: string; readonly dueAt: Instant };

/**
 * The timers that a request must have: what is promised happens by them, with or without a queue. A hold
 * takes the timer of the erasure away, and its release brings it back.
 */
export function timersOf(state: PrivacyState): readonly Due[] {
  return state.status === "none" ? [] : [...timerOfStatus(state), ...timerOfNotices(state)];
}

/** The next attempt of a notice that is owed: a law demands it, so that it is never given up. */
function timerOfNotices({ notices }: KnownRequest): readonly Due[] {
  const [first] = notices.map((notice) => noticeDue(notice)).toSorted((a, b) => (a < b ? -1 : 1));
  return first === undefined ? [] : timer("privacy.notice", first);
}

/** When a notice is tried, for the first time or again. */
export const noticeDue = ({ at, tries }: OwedNotice): Instant =>
  instantPlus(at, retryMs[Math.min(tries, retryMs.length - 1)] ?? 0);

function timerOfStatus(state: KnownRequest): readonly Due[] {
  switch (state.status) {
    case "received":
      return [{ name: "privacy.identity", dueAt: state.clocks.identityBy }];
    case "verified":
      return timersOfReview(state);
    case "scheduled":
      return timer("privacy.erase", dueErasure(state));
    case "review":
      return timersOfDueDate(state);
    case "ready":
      return [
        ...timer("privacy.package", state.package?.expiresAt ?? null),
        // What was collected for a review holds what is withheld.
        ...timer("privacy.unredacted", state.kept ? sealedAt(state) : null),
      ];
    case "erased":
      // Looked for every hour; by then it is overdue.
      return [
        ...timer("privacy.backups", instantPlus(state.receivedAt, backupsMs)),
        ...timer("privacy.rescan", nextScan(state)),
      ];
    case "collecting":
    case "applying":
    case "claimed":
    case "erasing":
      return timer("privacy.work", nextAttempt(state));
    case "completed":
      return timer("privacy.destroy-key", doneAt(state));
    default:
      return [];
  }
}

const timersOfDueDate = ({ overdue, clocks }: KnownRequest): readonly Due[] =>
  overdue ? [] : [{ name: "privacy.due", dueAt: clocks.dueAt }];

const timersOfReview = (state: KnownRequest): readonly Due[] => [
  ...timersOfDueDate(state),
  ...(state.relation === null || state.identified
    ? []
    : [{ name: "privacy.identify", dueAt: state.changedAt }]),
];
/** One that was late, or done for another reason meanwhile, takes the place of those before it. */
function nextScan({ erasedAt, scannedAt }: KnownRequest): Instant | null {
  if (erasedAt === null) return null;
  const due = rescansMs.map((ms) => instantPlus(erasedAt, ms));
  return due.find((at) => at > (scannedAt ?? erasedAt)) ?? null;
}

const dueErasure = ({ holds, clocks }: KnownRequest): Instant | null =>
  holds.length > 0 ? null : clocks.eraseAt;

const timer = (name: string, dueAt: Instant | null): readonly Due[] =>
  dueAt === null ? [] : [{ name, dueAt }];

const sealedAt = (state: KnownRequest): Instant | null =>
  state.package && instantPlus(state.package.expiresAt, -packageMs);

/** What was sealed with it is needed no more. Of an erasure, it was destroyed with everything else. */
function doneAt(state: KnownRequest): Instant | null {
  const { type, outcome, changedAt } = state;
  if (isAddressNeeded(state) || state.forgotten) return null;
  const isDone = type === "delete" ? outcome !== "fulfilled" : type !== "cancel-deletion";
  return isDone ? changedAt : null;
}

function nextAttempt({ attempts, changedAt }: KnownRequest): Instant {
  const failed = Math.max(0, ...Object.values(attempts));
  return instantPlus(changedAt, retryMs[Math.min(failed, retryMs.length - 1)] ?? 0);
}
