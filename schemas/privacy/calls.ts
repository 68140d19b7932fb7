import { z } from "zod";

import { Email } from "../accounts/calls.ts";
import { signedIn } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { defineProblems } from "../primitives/problem.ts";
import { OwnConsent } from "./consent-receipt.ts";
import { Correction, DeniedFields } from "./correction.ts";
import { PrivacyEventType } from "./events.ts";
import { HeldSection } from "./held-data.ts";
import { privacyLimits } from "./limits.ts";
import { denialReasons } from "./reasons.ts";
import { Withheld } from "./redaction.ts";
import { outcomes, partReasons, publicStatuses, RequestType } from "./request.ts";

export const privacyProblems = defineProblems({
  request_unknown: [404, "There is no such privacy request."],
  receipt_unknown: [404, "There is no such consent receipt."],
  email_differs: [422, "This is not the e-mail address of the account."],
  unchanged: [422, "The account holds these values already."],
  no_deletion: [409, "No deletion is scheduled."],
  erasing_already: [409, "The erasure has begun and cannot be stopped."],
  on_hold: [409, "A legal hold stands: the deletion cannot be brought forward."],
  not_possible_now: [409, "The request is in another state by now."],
  own_request: [403, "Another officer decides about this request: it is your own."],
  assigned_elsewhere: [409, "Another officer has the request."],
  not_assigned: [409, "The request is not assigned to this officer."],
  fields_unfit: [
    422,
    "Some of the fields that are asked for are denied, never all, and no others.",
  ],
  values_changed: [409, "The values that are held have changed since they were shown."],
  collection_lost: [410, "What was collected cannot be read any more: it must be collected again."],
  redaction_unfit: [422, "A passage that is to be withheld is not in what was collected."],
  own_proposal: [403, "Another officer confirms this proposal, or sends it back."],
  second_officer: [
    409,
    "Another officer wanted something to be withheld: it takes two to release it.",
  ],
  package_ended: [410, "The package is no longer available."],
});
const problems = privacyProblems;

/** Steps of a request, in the order of `at`. */
export const historySteps = [
  "received",
  "verified",
  "scheduled",
  "extended",
  "waived",
  "held",
  "hold-reviewed",
  "hold-released",
  "working",
  "reviewing",
  "redaction-proposed",
  "redaction-returned",
  "reviewed",
  "ready",
  "downloaded",
  "failed",
  "cancelled",
  "withdrawn",
  "denied",
  "expired",
  "erased",
  "completed",
  "checked",
  "approved",
] as const;

/** Steps that its holder reads: what officers propose to each other is not decided yet. */
export const OwnStep = z.enum(historySteps).exclude(["redaction-proposed", "redaction-returned"]);

/** A request as its holder sees it. */
export const OwnRequest = z.object({
  requestId: Uuid,
  type: RequestType,
  status: z.enum(publicStatuses),
  /** Null while it is open. */
  outcome: z.enum(outcomes).nullable(),
  /** Why it was complied with in part only; empty when it was as a whole. */
  partly: z.array(z.enum(partReasons)),
  /** What the person who asked can do now, by the event that it leads to. */
  possible: z.array(PrivacyEventType).readonly(),
  denialReason: z.enum(denialReasons).nullable(),
  /** Fields of a correction that were denied while others were corrected. */
  deniedFields: DeniedFields,
  receivedAt: Instant,
  /** The end of the last day on which the decision is in time. */
  dueAt: Instant,
  /** Of a deletion: when the data is erased, and until when every backup that holds it is gone. */
  deletion: z
    .object({
      eraseAt: Instant,
      backupsGoneBy: Instant,
      /** Until the erasure begins. */
      cancellable: z.boolean(),
      waived: z.boolean(),
      held: z.boolean(),
    })
    .nullable(),
  /** Of an access request whose package can be downloaded. */
  package: z.object({ expiresAt: Instant, downloadsLeft: z.int().nonnegative() }).nullable(),
  /** What is left out of a copy because it is about other people, and why. */
  withheld: z.array(Withheld),
  history: z.array(z.object({ step: OwnStep, at: Instant })),
});
export type OwnRequest = z.infer<typeof OwnRequest>;

const OwnRequestAnswer = z.object({ request: OwnRequest });
const RequestParams = z.object({ requestId: Uuid });

/** For account holders about their requests. */
export const ownRequestCalls = defineCalls({
  "GET /api/privacy/held": {
    summary: "Everything that is held about the account, in sections; without a request",
    access: signedIn,
    answer: z.object({
      sections: z.array(HeldSection),
      /** Sections whose store did not answer: the rest is shown all the same. */
      missing: z.array(HeldSection.shape.section),
    }),
  },
  "GET /api/privacy/requests": {
    summary: "The account's privacy requests, the newest first",
    access: signedIn,
    answer: z.object({ requests: z.array(OwnRequest) }),
  },
  "GET /api/privacy/consents": {
    summary: "What the account's holder agreed to and withdrew, the newest first",
    access: signedIn,
    answer: z.object({ consents: z.array(OwnConsent) }),
  },
  "GET /api/privacy/consents/:receiptId/receipt": {
    summary: "A signed receipt of one decision, which can be verified offline",
    access: signedIn,
    params: z.object({ receiptId: Uuid }),
    file: "application/json",
    answer: z.never(),
    problems: [problems.receipt_unknown],
  },
  "POST /api/privacy/requests/delete": {
    summary: "Schedules the deletion of the account; a scheduled one is answered as it is",
    access: { ...signedIn, stepUp: true },
    body: z.object({
      /** Of the account, retyped. */
      email: Email,
      /** Sealed with the data of the account, and erased with it. */
      reason: z.string().trim().max(privacyLimits.reasonCharsMax).default(""),
    }),
    status: 201,
    answer: OwnRequestAnswer,
    problems: [problems.email_differs],
  },
  "POST /api/privacy/requests/cancel-deletion": {
    summary: "Cancels the scheduled deletion; the deletion is answered with its outcome",
    access: signedIn,
    body: z.object({}),
    answer: OwnRequestAnswer,
    problems: [problems.no_deletion, problems.erasing_already, problems.not_possible_now],
  },
  "POST /api/privacy/requests/waive-grace": {
    summary: "Gives up the days that are left: the deletion begins at once",
    access: { ...signedIn, stepUp: true },
    body: z.object({ email: Email }),
    answer: OwnRequestAnswer,
    problems: [
      problems.email_differs,
      problems.no_deletion,
      problems.erasing_already,
      problems.on_hold,
      problems.not_possible_now,
    ],
  },
  "POST /api/privacy/requests/access": {
    summary: "Asks for a copy of all data; an open request is answered instead of a second one",
    access: { ...signedIn, stepUp: true },
    body: z.object({}),
    status: 201,
    answer: OwnRequestAnswer,
  },
  "POST /api/privacy/requests/correct": {
    summary: "Asks for a correction of the fields that are named; an open request is answered",
    access: { ...signedIn, stepUp: true },
    body: z.object({
      fields: Correction.refine((fields) => Object.keys(fields).length > 0, "at least one field"),
    }),
    status: 201,
    answer: OwnRequestAnswer,
    problems: [problems.unchanged],
  },
  "POST /api/privacy/requests/:requestId/withdraw": {
    summary: "Withdraws an access or correction request that is not fulfilled yet",
    access: signedIn,
    params: RequestParams,
    body: z.object({}),
    answer: OwnRequestAnswer,
    problems: [problems.request_unknown, problems.not_possible_now],
  },
  "GET /api/privacy/requests/:requestId/package": {
    summary: "The package of an access request; each time it is read counts as a download",
    access: { ...signedIn, stepUp: true },
    params: RequestParams,
    file: "application/zip",
    answer: z.never(),
    problems: [problems.request_unknown, problems.package_ended, problems.not_possible_now],
  },
});
