import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { downloadsMax } from "@pro-talent/schemas/privacy/clocks";
import { DeniedFields } from "@pro-talent/schemas/privacy/correction";
import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { formRelations } from "@pro-talent/schemas/privacy/form";
import { denialReasons, identityChecks } from "@pro-talent/schemas/privacy/reasons";
import { Withheld } from "@pro-talent/schemas/privacy/redaction";
import { outcomes, partReasons, RequestType } from "@pro-talent/schemas/privacy/request";
import { requestStatuses, transitionOf } from "@pro-talent/schemas/privacy/transitions";
import { z } from "zod";

import { column, optional, readModel, type RowOf } from "../../kernel/read-model.ts";
import { endsAssignment } from "./copy-review.decider.ts";
import { partsWith } from "./in-part.ts";
import { History, stepOf } from "./request-history.ts";
import { privacyEvents } from "./requests.ts";

const Holds = z.array(
  z.object({ holdId: Uuid, law: z.string(), reviewAt: Instant, officerId: Uuid }),
);
const Reason = z.enum(denialReasons);
const Law = z.enum(["ccpa", "gdpr"]);
const Identity = z.enum(["open", "step-up", "mailed-code", "inactivity", "expired"]);
const Status = z.enum(requestStatuses).exclude(["none"]);
const Outcome = z.enum(outcomes);
const Parts = z.array(z.enum(partReasons));
const Relation = z.enum(formRelations);
const Checks = z.array(z.object({ check: z.enum(identityChecks), officerId: Uuid, at: Instant }));

const columns = {
  account_id: optional(column.uuid("pseudonym", "Names the account, if it is about one")),
  relation: optional(column.oneOf(Relation)("coarse", "Of a form, whose data it asks about")),
  type: column.oneOf(RequestType)("coarse", "What was asked for"),
  status: column.oneOf(Status)("operational", "Where it stands, in the words of its transitions"),
  outcome: optional(column.oneOf(Outcome)("operational", "How it ended")),
  partly: column.json(Parts)("operational", "Why it was complied with in part only"),
  identity: column.oneOf(Identity)("operational", "Whether and how the identity was verified"),
  checks: column.json(Checks)("coarse", "What officers checked beside the mailed code"),
  notified_at: optional(column.instant("operational", "When the person was notified of a form")),
  approved_by: column.json(z.array(Uuid))("pseudonym", "Officers who approved a deletion"),
  denial_reason: optional(column.oneOf(Reason)("coarse", "Why it was denied")),
  received_at: column.instant("operational", "When it was received"),
  due_at: column.instant("operational", "The end of the last day on which a decision is in time"),
  overdue: column.boolean("operational", "Whether that day passed without a decision"),
  extension: optional(column.oneOf(Law)("operational", "The law by which it was extended")),
  erase_at: optional(column.instant("operational", "When the data of a deletion may be erased")),
  held: column.boolean("operational", "Whether a legal hold stands"),
  holds: column.json(Holds)("coarse", "The holds that stand, with their law and review"),
  lease_officer: optional(column.uuid("pseudonym", "The officer that it is assigned to")),
  lease_until: optional(column.instant("operational", "Until when it is assigned")),
  proposed_reason: optional(column.oneOf(Reason)("coarse", "Of a denial by a first officer")),
  proposed_by: optional(column.uuid("pseudonym", "The officer who proposed the denial")),
  package_expires_at: optional(column.instant("operational", "The end of the package")),
  downloads_left: optional(column.integer("operational", "How often it can be downloaded still")),
  denied_fields: column.json(DeniedFields)("coarse", "Of a correction, what was denied, and why"),
  withheld: column.json(z.array(Withheld))("coarse", "How much of a copy is left out, and why"),
  history: column.json(History)("operational", "Its steps, with time and officer"),
  version: column.integer("operational", "Changes of the request so far, apart from notices"),
};
export type PrivacyRow = RowOf<typeof columns>;

/** Every privacy request as it stands: for its holder, for officers, and for other domains. */
export const privacyRequestRows = readModel({
  table: "privacy_request",
  version: 5,
  mode: "inline",
  purpose: "Lists the privacy requests of an account, and those that officers decide",
  retention: "As long as the events that it is built from",
  events: privacyEvents,
  key: { request_id: column.uuid("pseudonym", "Names the request") },
  columns,
  evolve: (row, { event, occurredAt }) => evolveRow(row, event, occurredAt),
  indexes: [{ on: "(account_id, received_at)" }, { on: "(due_at) where outcome is null" }],
});

const received = {
  status: "received",
  outcome: null,
  identity: "open",
  notified_at: null,
  denial_reason: null,
  overdue: false,
  extension: null,
  held: false,
  lease_officer: null,
  lease_until: null,
  proposed_reason: null,
  proposed_by: null,
  package_expires_at: null,
  downloads_left: null,
  version: 1,
} as const;

/** The row after an event; what does not fit to it changes nothing. */
export function evolveRow(
  row: PrivacyRow | null,
  event: PrivacyEvent,
  at: Instant,
): PrivacyRow | null {
  if (event.type === "RequestReceived") {
    const { accountId, requestType, clocks, relation = null } = event.data;
    const dates = { received_at: at, due_at: clocks.dueAt, erase_at: clocks.eraseAt };
    const asked = { account_id: accountId, type: requestType, relation };
    const empty = { partly: [], holds: [], checks: [], approved_by: [] };
    const parts = { withheld: [], denied_fields: [] };
    return { ...received, ...asked, ...dates, ...empty, ...parts, history: stepOf(event, at) };
  }
  if (row === null) return null;
  const transition = transitionOf(row.type, row.status, event.type);
  if (transition === undefined || transition.to === "none") return row;
  return {
    ...row,
    ...changesOfIdentity(row, event, at),
    ...changesOfReview(event),
    ...changesOfWork(row, event, at),
    status: transition.to,
    outcome: transition.outcome ?? row.outcome,
    partly: partsWith(row.partly, event),
    // A scan that is repeated and finds nothing is no news.
    history:
      row.status === "erased" && event.type === "ScanClean"
        ? row.history
        : [...row.history, ...stepOf(event, at)],
    // Nothing that an officer decides by.
    version:
      event.type === "NoticeTried" && !isObjectionNotice(event) ? row.version : row.version + 1,
  };
}

/** From this notice on the person may object. */
const isObjectionNotice = ({ data }: Extract<PrivacyEvent, { type: "NoticeTried" }>) =>
  data.notice === "asked-for-you" && data.result !== "later";

function changesOfIdentity(row: PrivacyRow, event: PrivacyEvent, at: Instant): Partial<PrivacyRow> {
  switch (event.type) {
    case "IdentityVerified":
      return { identity: event.data.method };
    case "IdentityExpired":
      return { identity: "expired" };
    case "IdentityRefused":
      return { identity: "expired", denial_reason: "insufficient-verification" };
    case "SubjectIdentified":
      return { account_id: event.data.accountId };
    case "JournalReapplied":
      return event.data.accountId === undefined ? {} : { account_id: event.data.accountId };
    case "IdentityChecked":
      return { checks: [...row.checks, { ...event.data, at }] };
    case "DeletionApproved":
      return { approved_by: [...row.approved_by, event.data.officerId] };
    case "NoticeTried":
      return isObjectionNotice(event) ? { notified_at: at } : {};
    default:
      return {};
  }
}

const noLease = { lease_officer: null, lease_until: null };

function changesOfReview(event: PrivacyEvent): Partial<PrivacyRow> {
  if (event.type === "RedactionApplied") return { withheld: event.data.withheld, ...noLease };
  if (endsAssignment(event)) return noLease;
  switch (event.type) {
    case "Assigned":
      return { lease_officer: event.data.officerId, lease_until: event.data.until };
    case "CorrectionApproved":
      return { denied_fields: event.data.denied ?? [] };
    case "CorrectionOutdated":
      return { denied_fields: [], ...noLease };
    case "AssignmentReleased":
    case "CollectionDiscarded":
    case "RequestEndedByErasure":
      return noLease;
    case "ExtensionDeclared":
      return { extension: event.data.law };
    case "DenialProposed":
      return { proposed_reason: event.data.reason, proposed_by: event.data.officerId };
    case "RequestDenied":
      return { denial_reason: event.data.reason, ...noLease };
    case "DueDateMissed":
      return { overdue: true };
    default:
      return {};
  }
}

function changesOfWork(row: PrivacyRow, event: PrivacyEvent, at: Instant): Partial<PrivacyRow> {
  switch (event.type) {
    case "GraceWaived":
      return { erase_at: at };
    case "HoldPlaced":
      return { held: true, holds: [...row.holds, event.data] };
    case "HoldReviewed": {
      const { holdId, reviewAt } = event.data;
      return {
        holds: row.holds.map((hold) => (hold.holdId === holdId ? { ...hold, reviewAt } : hold)),
      };
    }
    case "HoldReleased": {
      const holds = row.holds.filter(({ holdId }) => holdId !== event.data.holdId);
      return { held: holds.length > 0, holds };
    }
    case "PackageSealed":
      return { package_expires_at: event.data.expiresAt, downloads_left: downloadsMax };
    case "PackageDownloaded":
      return { downloads_left: (row.downloads_left ?? 1) - 1 };
    case "PackageExpired":
    case "RequestEndedByErasure":
      return { package_expires_at: null, downloads_left: null };
    default:
      return {};
  }
}

const instant = z.date().transform((date): Instant => instantFromMs(date.getTime()));
export const RequestRow = z.object({
  requestId: z.string(),
  accountId: z.string().nullable(),
  relation: Relation.nullable(),
  type: RequestType,
  status: Status,
  outcome: Outcome.nullable(),
  partly: Parts,
  identity: Identity,
  checks: Checks,
  notifiedAt: instant.nullable(),
  approvedBy: z.array(z.string()),
  denialReason: Reason.nullable(),
  receivedAt: instant,
  dueAt: instant,
  overdue: z.boolean(),
  extension: Law.nullable(),
  eraseAt: instant.nullable(),
  held: z.boolean(),
  holds: Holds,
  leaseOfficer: z.string().nullable(),
  leaseUntil: instant.nullable(),
  proposedReason: Reason.nullable(),
  proposedBy: z.string().nullable(),
  packageExpiresAt: instant.nullable(),
  downloadsLeft: z.int().nullable(),
  deniedFields: DeniedFields,
  withheld: z.array(Withheld),
  history: History,
  version: z.int(),
});
export type RequestRow = z.infer<typeof RequestRow>;

/** The columns of {@link RequestRow}. */
export const rowColumns = (sql: Queryable) => sql`
  request_id as "requestId", account_id as "accountId", relation, type, status, outcome, partly, identity,
  checks, notified_at as "notifiedAt", approved_by as "approvedBy",
  denial_reason as "denialReason", received_at as "receivedAt", due_at as "dueAt", overdue, extension,
  erase_at as "eraseAt", held, holds, lease_officer as "leaseOfficer", lease_until as "leaseUntil",
  proposed_reason as "proposedReason", proposed_by as "proposedBy",
  package_expires_at as "packageExpiresAt", downloads_left as "downloadsLeft",
  denied_fields as "deniedFields", withheld, history, version`;

export async function findRequest(
  sql: Queryable,
  requestId: string,
): Promise<RequestRow | undefined> {
  const rows = await sql<object[]>`
    select ${rowColumns(sql)} from ledger.privacy_request where request_id = ${requestId}`;
  return z.array(RequestRow).parse(rows)[0];
}

/** Those of these requests that there are, the newest first. */
export async function requestsNamed(
  sql: Queryable,
  requestIds: readonly string[],
): Promise<readonly RequestRow[]> {
  const rows = await sql<object[]>`
    select ${rowColumns(sql)} from ledger.privacy_request
     where request_id = any (${requestIds}::uuid[]) order by received_at desc, request_id`;
  return z.array(RequestRow).parse(rows);
}

/** A form that no officer has decided yet holds up nothing that the account's holder asks for. */
export const isUndecidedForm = ({ relation, status }: RequestRow): boolean =>
  relation !== null && (status === "received" || status === "verified");

export const isOpenDeletion = (row: RequestRow): boolean =>
  row.type === "delete" && row.outcome === null && !isUndecidedForm(row);

/** The requests of an account, the newest first. */
export async function requestsOf(
  sql: Queryable,
  accountId: string,
): Promise<readonly RequestRow[]> {
  const rows = await sql<object[]>`
    select ${rowColumns(sql)} from ledger.privacy_request
     where account_id = ${accountId} order by received_at desc, request_id`;
  return z.array(RequestRow).parse(rows);
}
