import type { PrivacyEvent } from "./events.ts";
import type { Guard } from "./guards.ts";
import type { Outcome, PublicStatus, RequestType } from "./request.ts";

/** Where a request stands. `none`: it was not received yet. */
export const requestStatuses = [
  "none",
  "received",
  "verified",
  "collecting",
  "ready",
  "applying",
  "scheduled",
  "claimed",
  "erasing",
  "erased",
  "stalled",
  "completed",
] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** What the account holder reads for it (specification §4). */
export const publicStatusOf: Readonly<Record<Exclude<RequestStatus, "none">, PublicStatus>> = {
  received: "pending",
  verified: "pending",
  collecting: "pending",
  ready: "completed",
  applying: "pending",
  scheduled: "scheduled",
  claimed: "pending",
  erasing: "pending",
  erased: "pending",
  stalled: "failed",
  completed: "completed",
};

/** Who brings an event about; `rule`: it follows at once when its guards hold. */
export type Party = "holder" | "officer" | "service" | "clock" | "rule";

type Type = PrivacyEvent["type"];

export type Transition = {
  readonly from: readonly RequestStatus[];
  readonly event: Type;
  readonly by: Party;
  readonly to: RequestStatus;
  readonly guards: readonly Guard[];
  readonly outcome: Outcome | null;
};

type Rest = { readonly guards?: readonly Guard[]; readonly outcome?: Outcome };

const by =
  (party: Party) =>
  (
    event: Type,
    from: RequestStatus | readonly RequestStatus[],
    to: RequestStatus,
    { guards = [], outcome }: Rest = {},
  ): Transition => ({
    by: party,
    event,
    from: typeof from === "string" ? [from] : from,
    to,
    guards,
    outcome: outcome ?? null,
  });
const holder = by("holder");
const officer = by("officer");
const service = by("service");
const clock = by("clock");
const rule = by("rule");

/** A form is verified by a mailed code, of which a few may be wrong. */
const verification = [
  holder("IdentityChallengeSent", "received", "received", {
    guards: ["by-form", "identity-in-time", "codes-left"],
  }),
  holder("IdentityFailed", "received", "received", {
    guards: ["by-form", "identity-in-time", "attempts-left"],
  }),
  rule("IdentityRefused", "received", "completed", {
    guards: ["attempts-used"],
    outcome: "denied",
  }),
  service("SubjectIdentified", "verified", "verified", { guards: ["by-form", "not-identified"] }),
  service("NothingHeld", "verified", "completed", {
    guards: ["by-form", "not-identified"],
    outcome: "nothing-held",
  }),
  officer("IdentityChecked", "verified", "verified", { guards: ["lease-held", "needs-review"] }),
];

const receipt = [
  holder("RequestReceived", "none", "received"),
  ...verification,
  service("IdentityVerified", "received", "verified", { guards: ["identity-in-time"] }),
  clock("IdentityExpired", "received", "completed", {
    guards: ["identity-lapsed"],
    outcome: "expired",
  }),
];

const open = ["received", "verified"] as const;

/** What another request of the same account is while the account is erased. */
const endedByErasure = (from: readonly RequestStatus[], guards: readonly Guard[] = []) =>
  service("RequestEndedByErasure", from, "completed", { guards, outcome: "erased" });

/** A deletion was claimed: nothing takes it back. */
const irreversible = ["claimed", "erasing", "erased"] as const;

/** Notices by mail go on beside everything else, and change nothing about where a request stands. */
const notices = requestStatuses
  .filter((status) => status !== "none")
  .map((status) => service("NoticeTried", status, status, { guards: ["notice-owed"] }));

/** Its contents are destroyed when nothing is left to say. */
const ending = [
  clock("ContentsForgotten", "completed", "completed", { guards: ["nothing-owed"] }),
  service("RequestEndedByErasure", "completed", "completed", { guards: ["by-form"] }),
];

/** Who asks again while a form is open is sent its link. */
const linked = (statuses: readonly RequestStatus[]) =>
  statuses.map((status) =>
    holder("IdentityChallengeSent", status, status, { guards: ["by-form", "codes-left"] }),
  );

/** What an officer decides, with the request assigned. */
const decided = [
  officer("Assigned", "verified", "verified", { guards: ["lease-free"] }),
  officer("AssignmentReleased", "verified", "verified", { guards: ["lease-held"] }),
  officer("ExtensionDeclared", "verified", "verified", {
    guards: ["lease-held", "before-due", "first-extension"],
  }),
  officer("DenialProposed", "verified", "verified", { guards: ["lease-held"] }),
  officer("RequestDenied", "verified", "completed", {
    guards: ["lease-held", "second-officer"],
    outcome: "denied",
  }),
  clock("DueDateMissed", "verified", "verified", { guards: ["past-due"] }),
];
const review = [
  holder("RequestWithdrawn", [...open, "collecting", "applying", "stalled"], "completed", {
    outcome: "withdrawn",
  }),
  ...decided,
];
/** A deletion waits for officers only where a mailed code is not enough. */
const reviewed = [
  holder("RequestWithdrawn", open, "completed", { guards: ["by-form"], outcome: "withdrawn" }),
  ...decided.map((row) => ({ ...row, guards: ["needs-review" as const, ...row.guards] })),
  officer("DeletionApproved", "verified", "verified", {
    guards: ["needs-review", "lease-held", "identity-enough", "first-approval"],
  }),
];

/** A package of a form is opened by a fresh code. */
const codes = [
  ...linked(["verified", "collecting", "ready", "stalled"]),
  holder("IdentityFailed", "ready", "ready", { guards: ["by-form", "attempts-left"] }),
];

const failures = (during: readonly RequestStatus[], resume: RequestStatus) => [
  ...during.map((status) => service("StepFailed", status, status, { guards: ["work-open"] })),
  rule("RequestStalled", during, "stalled", { guards: ["attempts-spent"] }),
  officer("Retried", "stalled", resume),
];

/**
 * Every transition of a privacy request, by its type. The decider, the states of the screens, the
 * diagram and the model check follow from this table; for a type, a status and an event it has at most
 * one row.
 */
export const transitions: Readonly<Record<RequestType, readonly Transition[]>> = {
  access: [
    ...receipt,
    ...review,
    officer("AccessApproved", "verified", "collecting", {
      guards: ["lease-held", "identity-enough"],
    }),
    service("StepDone", "collecting", "collecting", { guards: ["step-open"] }),
    ...failures(["collecting"], "collecting"),
    service("PackageSealed", "collecting", "ready", {
      guards: ["steps-done"],
      outcome: "fulfilled",
    }),
    ...codes,
    holder("PackageDownloaded", "ready", "ready", { guards: ["package-valid"] }),
    clock("PackageExpired", "ready", "completed", {
      guards: ["package-lapsed"],
      outcome: "fulfilled",
    }),
    ...ending,
    endedByErasure([...open, "collecting", "stalled"]),
    service("RequestEndedByErasure", "ready", "completed", { outcome: "fulfilled" }),
    ...notices,
  ],
  correct: [
    ...receipt,
    ...review,
    ...linked(["verified", "applying", "stalled"]),
    officer("CorrectionApproved", "verified", "applying", {
      guards: ["lease-held", "identity-enough"],
    }),
    service("StepDone", "applying", "applying", { guards: ["step-open", "nothing-left"] }),
    service("CorrectionOutdated", "applying", "verified"),
    ...failures(["applying"], "applying"),
    service("RecipientsNotified", "applying", "completed", {
      guards: ["steps-done"],
      outcome: "fulfilled",
    }),
    ...ending,
    endedByErasure([...open, "applying", "stalled"]),
    ...notices,
  ],
  delete: [
    ...receipt,
    ...reviewed,
    ...linked(["verified", "scheduled"]),
    rule("DeletionScheduled", "verified", "scheduled", { guards: ["approved"] }),
    holder("DeletionCancelled", "scheduled", "completed", { outcome: "cancelled" }),
    holder("GraceWaived", "scheduled", "scheduled", { guards: ["not-held", "grace-runs"] }),
    officer("HoldPlaced", "scheduled", "scheduled", {
      guards: ["hold-is-new", "hold-review-in-time"],
    }),
    officer("HoldReviewed", "scheduled", "scheduled", {
      guards: ["hold-stands", "hold-review-in-time"],
    }),
    officer("HoldReleased", "scheduled", "scheduled", { guards: ["hold-stands"] }),
    service("EraseClaimed", "scheduled", "claimed", {
      guards: ["grace-over", "not-held", "key-planned"],
    }),
    service("JournalWritten", "claimed", "erasing"),
    service("JournalReapplied", [...open, "scheduled", ...irreversible, "stalled"], "erasing", {
      guards: ["key-planned"],
    }),
    service("SuppressionConfirmed", "erasing", "erasing"),
    service("StepDone", "erasing", "erasing", {
      guards: ["suppressed", "step-open", "nothing-left", "key-last"],
    }),
    ...failures(["claimed", "erasing"], "claimed"),
    service("ScanClean", "erasing", "erased", { guards: ["steps-done"] }),
    // Scanned again, a day and a week later, and after a restore.
    service("ScanClean", "erased", "erased"),
    service("ScanHit", ["erasing", "erased"], "erasing"),
    // One that is claimed itself goes on, and finds nothing.
    endedByErasure([...open, "scheduled"], ["not-held"]),
    service("BackupsAged", "erased", "completed", {
      guards: ["backups-aged"],
      outcome: "fulfilled",
    }),
    ...ending,
    ...notices,
  ],
  "cancel-deletion": [
    ...receipt,
    rule("CancellationRecorded", "verified", "completed", { outcome: "fulfilled" }),
    ...ending,
    ...notices,
  ],
};

/** The row for an event of a request, if the table has one. */
export function transitionOf(
  type: RequestType,
  status: RequestStatus,
  event: Type,
): Transition | undefined {
  return transitions[type].find((row) => row.event === event && row.from.includes(status));
}
