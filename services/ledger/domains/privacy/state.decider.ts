import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { type Clocks, warningsOf } from "@pro-talent/schemas/privacy/clocks";
import {
  isOfficerWarning,
  type Notice,
  type PrivacyEvent,
} from "@pro-talent/schemas/privacy/events";
import type { Outcome, RequestType } from "@pro-talent/schemas/privacy/request";
import { type RequestStatus, transitionOf } from "@pro-talent/schemas/privacy/transitions";

import {
  copyReviewAfter,
  type CopyReviewState,
  endsAssignment,
  noCopyReview,
} from "./copy-review.decider.ts";
import { formAfter, type FormState, needsReview, noForm } from "./form-state.decider.ts";

/** A request that was received. */
export type KnownRequest = FormState &
  CopyReviewState & {
    readonly type: RequestType;
    /** Whose data it is about; null until the identity of a form's sender is verified. */
    readonly accountId: string | null;
    readonly status: Exclude<RequestStatus, "none">;
    readonly outcome: Outcome | null;
    readonly receivedAt: Instant;
    /** Of a deletion, `eraseAt` is earlier when its holder waived the grace period. */
    readonly clocks: Clocks;
    readonly lease: { readonly officerId: string; readonly until: Instant } | null;
    /** Officers who proposed a denial. */
    readonly denialBy: readonly string[];
    readonly extensions: readonly string[];
    readonly overdue: boolean;
    /** Ids of the holds that stand. */
    readonly holds: readonly string[];
    /** All steps of fulfilment, and those that are not done. */
    readonly plan: readonly string[];
    readonly open: readonly string[];
    /** Items that the steps that are done have found. */
    readonly found: Readonly<Record<string, number>>;
    /** Failed attempts by step, since the last retry by an officer. */
    readonly attempts: Readonly<Record<string, number>>;
    readonly suppressed: boolean;
    /** Scans that found something, since the claim or the last retry by an officer. */
    readonly hits: number;
    /** When a scan first found nothing in the live stores. */
    readonly erasedAt: Instant | null;
    /** When one did so last. */
    readonly scannedAt: Instant | null;
    readonly package: { readonly expiresAt: Instant; readonly downloads: number } | null;
    /** What its holder is to be notified of and officers are to be warned of, from when on, and how often that was tried. */
    readonly notices: readonly OwedNotice[];
    readonly changedAt: Instant;
  };
export type OwedNotice = {
  readonly notice: Notice;
  readonly at: Instant;
  readonly tries: number;
};
export type PrivacyState = { readonly status: "none" } | KnownRequest;

const received: Omit<
  KnownRequest,
  "type" | "accountId" | "clocks" | "receivedAt" | "changedAt" | "notices"
> = {
  ...noForm,
  ...noCopyReview,
  status: "received",
  outcome: null,
  lease: null,
  denialBy: [],
  extensions: [],
  overdue: false,
  holds: [],
  plan: [],
  open: [],
  found: {},
  attempts: {},
  suppressed: false,
  hits: 0,
  erasedAt: null,
  scannedAt: null,
  package: null,
};

/** @throws RangeError for an event that the table of transitions does not have in this state */
export function evolve(state: PrivacyState, event: PrivacyEvent, at: Instant): PrivacyState {
  if (event.type === "RequestReceived") {
    const { requestType, accountId, clocks, relation = null } = event.data;
    const first = { type: requestType, accountId, clocks, relation, receivedAt: at, changedAt: at };
    // A deletion is announced once it is scheduled.
    const isNotified =
      accountId !== null && (requestType === "access" || requestType === "correct");
    return { ...received, ...first, notices: isNotified ? [owed("received", at)] : [] };
  }
  if (state.status === "none") throw new RangeError(`${event.type} before RequestReceived`);
  const form = formAfter(state, event, { at, isReady: state.status === "ready" });
  if (event.type === "NoticeTried")
    return { ...state, ...form, notices: noticesAfterTry(state, event, at) };
  const row = transitionOf(state.type, state.status, event.type);
  if (row === undefined || row.to === "none")
    throw new RangeError(`${event.type} of a request that is ${state.status}`);
  return {
    ...state,
    ...form,
    ...copyReviewAfter(state, event),
    ...changesOfReview(state, event),
    ...changesOfWork(state, event, at),
    ...changesOfPackage(state, event),
    notices: noticesAfter({ ...state, ...form }, event, at),
    status: row.to,
    outcome: row.outcome ?? state.outcome,
    changedAt: at,
  };
}

const owed = (notice: Notice, at: Instant): OwedNotice => ({ notice, at, tries: 0 });

/** Without an account or a form there is only an officer to write to. */
function noticesAfter(
  state: KnownRequest,
  event: PrivacyEvent,
  at: Instant,
): readonly OwedNotice[] {
  const notices = noticesBy(state, event, at);
  return state.accountId === null && state.relation === null
    ? notices.filter(({ notice }) => isOfficerWarning(notice))
    : notices;
}

/** What was not sent before these is not sent any more: each has its own notice, or none. */
const noticesAlone: Partial<Readonly<Record<PrivacyEvent["type"], readonly Notice[]>>> = {
  NothingHeld: ["nothing-held"],
  PackageSealed: ["ready"],
  RecipientsNotified: ["corrected"],
  RequestDenied: ["denied"],
  DeletionScheduled: ["scheduled"],
  DeletionCancelled: ["cancelled"],
  // Its last mail is a step of the erasure.
  EraseClaimed: [],
  JournalReapplied: [],
  RequestEndedByErasure: [],
  PackageExpired: [],
  IdentityExpired: [],
  IdentityRefused: [],
};

/** What only officers can go on with from here. */
const backWithOfficers: ReadonlySet<PrivacyEvent["type"]> = new Set([
  "PackageCollected",
  "RedactionProposed",
  "RedactionReturned",
  "CorrectionOutdated",
  "RequestStalled",
]);

function noticesBy(state: KnownRequest, event: PrivacyEvent, at: Instant): readonly OwedNotice[] {
  const { type, relation, clocks, notices } = state;
  const alone = noticesAlone[event.type];
  if (alone !== undefined) return alone.map((notice) => owed(notice, at));
  if (backWithOfficers.has(event.type))
    return type === "delete" ? notices : warnedAgain(notices, clocks, at);
  switch (event.type) {
    case "IdentityVerified":
      // Whatever becomes of it, officers are warned until its holder has the answer.
      return type === "access" || type === "correct"
        ? [...notices, ...warningsOf(clocks).map(({ warning, at: when }) => owed(warning, when))]
        : notices;
    case "SubjectIdentified":
      return [...notices, ...noticesOfForm(state, at)];
    case "RequestWithdrawn":
      return relation === null ? [] : [owed("withdrawn", at)];
    case "ExtensionDeclared":
      return [...notices, owed("extended", at)];
    case "HoldPlaced":
      return [...without(notices, "held", "hold-released"), owed("held", at)];
    case "HoldReleased":
      return [...without(notices, "held", "hold-released"), owed("hold-released", at)];
    default:
      return notices;
  }
}

/** A deletion that needs no officer is announced once it is scheduled. */
function noticesOfForm(state: KnownRequest, at: Instant): readonly OwedNotice[] {
  if (needsReview(state)) {
    // It waits for officers as a copy does.
    const warnings = state.type === "delete" ? warningsOf(state.clocks) : [];
    return [
      owed("received", at),
      owed("asked-for-you", at),
      ...warnings.map(({ warning, at: when }) => owed(warning, when)),
    ];
  }
  return state.type === "delete" ? [] : [owed("received", at)];
}

/** It is with the officers again: the newest warning that was due is sent once more. */
function warnedAgain(
  notices: readonly OwedNotice[],
  clocks: Clocks,
  at: Instant,
): readonly OwedNotice[] {
  const newest = warningsOf(clocks).findLast((one) => one.at <= at);
  return newest === undefined
    ? notices
    : [...without(notices, newest.warning), owed(newest.warning, at)];
}

const without = (notices: readonly OwedNotice[], ...kinds: Notice[]): readonly OwedNotice[] =>
  notices.filter(({ notice }) => !kinds.includes(notice));

function noticesAfterTry(
  { notices }: KnownRequest,
  { data: { notice, result } }: Extract<PrivacyEvent, { type: "NoticeTried" }>,
  at: Instant,
): readonly OwedNotice[] {
  return notices.flatMap((one) => {
    if (one.notice !== notice) return [one];
    return result === "later" ? [{ notice, at, tries: one.tries + 1 }] : [];
  });
}

function changesOfReview(state: KnownRequest, event: PrivacyEvent): Partial<KnownRequest> {
  if (endsAssignment(event)) return { lease: null };
  switch (event.type) {
    case "Assigned":
      return { lease: event.data };
    case "AssignmentReleased":
      return { lease: null };
    case "CollectionDiscarded":
      return { open: state.plan, found: {}, lease: null };
    case "ExtensionDeclared":
      return { extensions: [...state.extensions, event.data.law] };
    case "DenialProposed":
      return { denialBy: [...new Set([...state.denialBy, event.data.officerId])] };
    case "DueDateMissed":
      return { overdue: true };
    case "HoldPlaced":
      return { holds: [...state.holds, event.data.holdId].toSorted() };
    case "HoldReleased":
      return { holds: state.holds.filter((id) => id !== event.data.holdId) };
    default:
      return {};
  }
}

function changesOfWork(
  state: KnownRequest,
  event: PrivacyEvent,
  at: Instant,
): Partial<KnownRequest> {
  switch (event.type) {
    case "GraceWaived":
      return { clocks: { ...state.clocks, eraseAt: at } };
    case "AccessApproved":
    case "CorrectionApproved":
    case "EraseClaimed":
    case "JournalReapplied": {
      const plan = [...new Set(event.data.steps)];
      const none = { found: {}, attempts: {}, hits: 0, suppressed: false };
      return { ...none, plan, open: plan, erasedAt: null };
    }
    case "CorrectionOutdated":
      return { plan: [], open: [], attempts: {}, lease: null };
    case "SuppressionConfirmed":
      return { suppressed: true };
    case "StepDone": {
      const { step, found } = event.data;
      return {
        open: state.open.filter((one) => one !== step),
        found: { ...state.found, [step]: found },
      };
    }
    case "StepFailed": {
      const { step } = event.data;
      return { attempts: { ...state.attempts, [step]: (state.attempts[step] ?? 0) + 1 } };
    }
    case "Retried":
      return { attempts: {}, hits: 0 };
    case "ScanClean":
      return { erasedAt: state.erasedAt ?? at, scannedAt: at, hits: 0 };
    case "ScanHit":
      return { erasedAt: null, open: state.plan, hits: state.hits + 1 };
    default:
      return {};
  }
}

function changesOfPackage(state: KnownRequest, event: PrivacyEvent): Partial<KnownRequest> {
  if (event.type === "PackageSealed")
    return { package: { expiresAt: event.data.expiresAt, downloads: 0 } };
  if (event.type !== "PackageDownloaded" || state.package === null) return {};
  return { package: { ...state.package, downloads: state.package.downloads + 1 } };
}
