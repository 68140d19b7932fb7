import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { platformProblems } from "../primitives/problem.ts";
import { calendarKinds } from "./calendar-kinds.ts";
import { historySteps, privacyProblems } from "./calls.ts";
import { Correction, DeniedFields } from "./correction.ts";
import { PrivacyEventType } from "./events.ts";
import { formRelations } from "./form.ts";
import { HeldRecord, HeldSection } from "./held-data.ts";
import { denialReasons, extensionLaws, holdReasons, identityChecks } from "./reasons.ts";
import { outcomes, partReasons, publicStatuses, RequestType } from "./request.ts";

const problems = privacyProblems;
const officer = { roles: ["officer"] } as const;

const Lease = z.object({
  officerId: Uuid,
  /** Null when the accounts service does not know it now. */
  name: z.string().nullable(),
  mine: z.boolean(),
  until: Instant,
});

/** A request in the queue. No name and no address: the queue shows what is due, not whose it is. */
export const QueuedRequest = z.object({
  requestId: Uuid,
  type: RequestType,
  status: z.enum(publicStatuses),
  outcome: z.enum(outcomes).nullable(),
  /** Why it was complied with in part only; empty when it was as a whole. */
  partly: z.array(z.enum(partReasons)),
  /** Whose data a form asks about; null when its holder signed in to ask. */
  relation: z.enum(formRelations).nullable(),
  receivedAt: Instant,
  dueAt: Instant,
  /** The clock that ends first, and which one it is; null when none runs. */
  clock: z.object({ kind: z.enum(calendarKinds), endsAt: Instant }).nullable(),
  /** The law by which an extension was announced; it moves no due date. */
  extension: z.enum(extensionLaws).nullable(),
  overdue: z.boolean(),
  held: z.boolean(),
  /** Work has failed as often as it may: an officer must try it again. */
  stalled: z.boolean(),
  /** An officer decides it next. */
  needsDecision: z.boolean(),
  /** Its copy was collected, and is reviewed for passages about other people. */
  inReview: z.boolean(),
  lease: Lease.nullable(),
});
export type QueuedRequest = z.infer<typeof QueuedRequest>;

const Hold = z.object({ holdId: Uuid, law: z.string(), reviewAt: Instant, officerId: Uuid });

/** One request, with everything an officer decides by. */
export const ReviewedRequest = QueuedRequest.extend({
  /** Sent back with each decision: a decision on an older version is refused. */
  version: z.int().positive(),
  /** It is about the account of this officer, who may not decide it. */
  own: z.boolean(),
  /** What this officer can do now, by the event that it leads to. */
  possible: z.array(PrivacyEventType).readonly(),
  identity: z.enum(["open", "step-up", "mailed-code", "inactivity", "expired"]),
  /** Of a form: what shows that its sender may ask. */
  form: z
    .object({
      /** Whether it is about an account; else about a mailbox. */
      isAccount: z.boolean(),
      /** Whether a mailed code is not enough: a check and the time to object are needed too. */
      needsReview: z.boolean(),
      /** What the sender wrote; null once it is destroyed. */
      text: z.string().nullable(),
      checks: z.array(z.object({ check: z.enum(identityChecks), officerId: Uuid, at: Instant })),
      /** Null until the person was notified. */
      objectionUntil: Instant.nullable(),
      /** Of a deletion, which needs two. */
      approvedBy: z.array(Uuid),
    })
    .nullable(),
  eraseAt: Instant.nullable(),
  /** By a first officer; the denial needs a second one. */
  proposedDenial: z
    .object({ reason: z.enum(denialReasons), officerId: Uuid, mine: z.boolean() })
    .nullable(),
  denialReason: z.enum(denialReasons).nullable(),
  /** Of a correction: fields that are denied while others are approved. */
  deniedFields: DeniedFields,
  holds: z.array(Hold),
  /** Of a correction: what is held now, and what it should become. Null once it is decided. */
  correction: z.object({ held: Correction, asked: Correction }).nullable(),
  /** Steps of the work, with the items that were found; each is done when none is left. */
  steps: z.array(
    z.object({
      step: z.string(),
      state: z.enum(["open", "done", "failed"]),
      attempts: z.int().nonnegative(),
      found: z.int().nonnegative().nullable(),
    }),
  ),
  history: z.array(
    z.object({ step: z.enum(historySteps), at: Instant, officerId: Uuid.nullable() }),
  ),
});
export type ReviewedRequest = z.infer<typeof ReviewedRequest>;

const params = z.object({ requestId: Uuid });
/** Of the request as the officer read it. */
export const Version = { version: z.int().positive() };
export const decisionRefusals = [
  problems.request_unknown,
  problems.not_possible_now,
  problems.own_request,
  problems.assigned_elsewhere,
  problems.not_assigned,
  platformProblems.version_conflict,
] as const;

/** What every decision of an officer about a request has. */
export const decision = {
  access: officer,
  params,
  answer: z.object({ status: z.literal("recorded") }),
  problems: decisionRefusals,
} as const;

/** For officers about the requests of account holders. */
export const privacyOfficerCalls = defineCalls({
  "GET /api/console/privacy/requests": {
    summary: "Privacy requests by due date, at most 100; open ones unless a status is asked for",
    access: officer,
    query: z.object({
      type: RequestType.optional(),
      status: z.enum(publicStatuses).optional(),
      /** `mine`: assigned to this officer; `overdue`, `stalled`, `held` as they say. */
      only: z.enum(["mine", "overdue", "stalled", "held"]).optional(),
      /** Its number, or the eight characters with which the number begins. */
      number: z
        .string()
        .regex(/^[0-9a-f]{8}(?:-[0-9a-f-]{27})?$/)
        .optional(),
    }),
    answer: z.object({ requests: z.array(QueuedRequest), open: z.int(), overdue: z.int() }),
  },
  "GET /api/console/privacy/requests/:requestId": {
    summary: "One privacy request",
    access: officer,
    params,
    answer: z.object({ request: ReviewedRequest }),
    problems: [problems.request_unknown],
  },
  "GET /api/console/privacy/requests/:requestId/preview": {
    summary: "How many items of each store the request touches, counted now",
    access: officer,
    params,
    answer: z.object({
      stores: z.array(z.object({ store: HeldSection.shape.section, items: z.int().nonnegative() })),
      /** Stores that did not answer. */
      missing: z.array(HeldSection.shape.section),
      /** The recipients of the last three years, and how each is notified. */
      recipients: z.array(HeldRecord),
    }),
    problems: [problems.request_unknown],
  },
  "POST /api/console/privacy/requests/:requestId/claim": {
    ...decision,
    summary: "Assigns the request to this officer for 30 minutes, or prolongs that",
    body: z.object(Version),
  },
  "POST /api/console/privacy/requests/:requestId/release": {
    ...decision,
    summary: "Ends the assignment",
    body: z.object(Version),
  },
  "POST /api/console/privacy/requests/:requestId/approve": {
    ...decision,
    summary: "Approves a request; a deletion by form needs two officers, and is then scheduled",
    body: z.object({
      ...Version,
      /** Of a correction: what was shown as held. A value that changes until it is applied stays. */
      held: Correction.optional(),
      /** Of a correction: fields that are denied; the others are approved. */
      denied: DeniedFields.optional(),
      /** Of a copy: whether it is reviewed, also where no text of others is found. */
      review: z.boolean().optional(),
    }),
    problems: [...decisionRefusals, problems.values_changed, problems.fields_unfit],
  },
  "POST /api/console/privacy/requests/:requestId/check": {
    ...decision,
    summary: "Records what shows that the sender of a form may ask, beside the mailed code",
    body: z.object({ ...Version, check: z.enum(identityChecks) }),
  },
  "POST /api/console/privacy/requests/:requestId/deny": {
    ...decision,
    summary: "Denies it, or proposes to: suspected fraud is denied by a second officer",
    body: z.object({ ...Version, reason: z.enum(denialReasons) }),
  },
  "POST /api/console/privacy/requests/:requestId/extend": {
    ...decision,
    summary: "Announces an extension to the subject; the due date stays as it is",
    body: z.object({ ...Version, law: z.enum(extensionLaws) }),
  },
  "POST /api/console/privacy/requests/:requestId/hold": {
    ...decision,
    summary: "Places a legal hold on a deletion, until it is released",
    access: { ...officer, stepUp: true },
    body: z.object({ ...Version, law: z.string().trim().min(1).max(120), reviewAt: Instant }),
    problems: [...decisionRefusals, problems.erasing_already],
  },
  "POST /api/console/privacy/requests/:requestId/holds/:holdId/release": {
    ...decision,
    summary: "Releases a legal hold",
    access: { ...officer, stepUp: true },
    params: z.object({ requestId: Uuid, holdId: Uuid }),
    body: z.object(Version),
  },
  "POST /api/console/privacy/requests/:requestId/holds/:holdId/review": {
    ...decision,
    summary: "Prolongs a legal hold, for one of the reasons of a closed list, by 90 days at most",
    access: { ...officer, stepUp: true },
    params: z.object({ requestId: Uuid, holdId: Uuid }),
    body: z.object({ ...Version, reason: z.enum(holdReasons), reviewAt: Instant }),
  },
  "POST /api/console/privacy/requests/:requestId/retry": {
    ...decision,
    summary: "Tries the failed steps of a stalled request again",
    body: z.object(Version),
  },
});
