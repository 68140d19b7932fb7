import { instantPlus } from "@pro-talent/schemas/primitives/instant";

import type { Recordable } from "../../guards.decider.ts";
import { accountId, dana, denied, omar } from "../facts.ts";
import type { Moment } from "../request-model.ts";
import { type Action, dayMs, only } from "./action.ts";
import { clock, worker } from "./actions-of-workers.ts";
import type { Found } from "./stage.ts";
import { plans } from "./staged-work.ts";

const minuteMs = 60_000;
const noFacts: readonly Recordable[] = [];

/** Over the end of a lease; of a day; of the time to object; of an identity; of a grace period; of backups. */
const waits: readonly Action[] = [31, 24 * 60 + 1, 8 * 24 * 60, 16 * 24 * 60, 31 * 24 * 60].map(
  (minutes) => ({
    name: `${minutes} minutes pass`,
    waitMs: minutes * minuteMs,
    facts: () => noFacts,
    real: async () => undefined,
  }),
);

const isForm = ({ request }: Moment) => request.relation !== null;
const cancels: Recordable = { type: "DeletionCancelled", data: { cancellationId: omar } };
const withdraws: Recordable = { type: "RequestWithdrawn", data: {} };

const holder: readonly Action[] = [
  {
    name: "the holder withdraws it",
    facts: (moment) => only(!isForm(moment), withdraws),
    real: (replay) => replay.holder("/withdraw"),
  },
  {
    name: "the holder cancels the deletion",
    facts: (moment) => only(!isForm(moment), cancels),
    real: (replay) => replay.holder("cancel-deletion"),
  },
  {
    name: "the holder waives the grace period",
    facts: (moment) => only(!isForm(moment), { type: "GraceWaived", data: {} }),
    real: (replay) => replay.holder("waive-grace"),
  },
  {
    name: "the holder downloads the package",
    facts: (moment) => only(!isForm(moment), { type: "PackageDownloaded", data: {} }),
    real: (replay) => replay.downloads(),
  },
];

/** What is recorded about the data subject of a form. */
function identified({ request }: Moment, found: Found): readonly Recordable[] | undefined {
  const { relation } = request;
  if (found === "away") return noFacts;
  if (found === "account")
    return only(relation !== "mailbox", { type: "SubjectIdentified", data: { accountId } });
  if (found === "nothing")
    return only(relation !== "authorised", { type: "NothingHeld", data: {} });
  return [{ type: "SubjectIdentified", data: { accountId: null } }];
}

const founds: readonly Found[] = ["account", "mailbox", "nothing", "away"];
const canDownload = ({ request, now }: Moment) => {
  const last = request.codes.askedAt.at(-1);
  return !request.codes.used && last !== undefined && now < instantPlus(last, 30 * minuteMs);
};
const form: readonly Action[] = [
  ...founds.map((found): Action => ({
    name: `the code is entered, and is of: ${found}`,
    facts: (moment) => {
      const next = identified(moment, found);
      return isForm(moment) && moment.request.status === "received" && next
        ? [{ type: "IdentityVerified", data: { method: "mailed-code" } }, ...next]
        : undefined;
    },
    real: (replay, moment) => replay.entersCode("/verification", moment, found),
  })),
  ...founds.slice(0, -1).map((found): Action => ({
    name: `the worker finds out: ${found}`,
    facts: (moment) =>
      isForm(moment) && moment.request.status === "verified" && !moment.request.identified
        ? identified(moment, found)
        : undefined,
    real: async (replay) => {
      replay.gate.found = found;
      await replay.fires("privacy.identify");
    },
  })),
  {
    name: "a code or the link is asked for again",
    facts: (moment) => only(isForm(moment), { type: "IdentityChallengeSent", data: {} }),
    real: (replay, moment) => replay.asksAgain(moment),
  },
  {
    name: "a wrong code is entered",
    facts: (moment) =>
      only(moment.request.status === "received" || canDownload(moment), {
        type: "IdentityFailed",
        data: {},
      }),
    real: (replay, moment) => replay.entersWrongCode(moment),
  },
  {
    name: "the package is opened by a code",
    facts: (moment) =>
      only(isForm(moment) && canDownload(moment), { type: "PackageDownloaded", data: {} }),
    real: (replay, moment) => replay.entersCode("/package", moment, "mailbox"),
  },
  {
    name: "the sender ends it",
    facts: (moment) =>
      only(isForm(moment), moment.request.status === "scheduled" ? cancels : withdraws),
    real: (replay) => replay.ends(),
  },
];

const approvals = ({ request }: Moment, officerId: string): Recordable => {
  if (request.type === "delete") return { type: "DeletionApproved", data: { officerId } };
  if (request.type === "correct")
    return { type: "CorrectionApproved", data: { officerId, steps: ["phone"] } };
  const steps = [...(request.accountId === null ? plans.mailbox : plans.access)];
  return { type: "AccessApproved", data: { officerId, steps } };
};

function byOfficer(officerId: string): readonly Action[] {
  const who = officerId === dana ? "Dana" : "Omar";
  const act = (
    name: string,
    fact: (moment: Moment) => Recordable | undefined,
    path: string,
    body: (moment: Moment) => object = () => ({}),
  ): Action => ({
    name: `${who} ${name}`,
    facts: (moment) => {
      const made = fact(moment);
      return made === undefined ? undefined : [made];
    },
    real: (replay, moment) => replay.decides(officerId, path, body(moment)),
  });
  const reviewAt = ({ now }: Moment) => instantPlus(now, 30 * dayMs);
  const both = [
    act("takes it", () => ({ type: "Assigned", data: { officerId } }), "claim"),
    act(
      "denies it",
      () => denied(officerId),
      "deny",
      () => ({ reason: "no-match" }),
    ),
    act(
      "suspects fraud",
      ({ request }) => {
        const isSecond = request.denialBy.some((id) => id !== officerId);
        const data = { officerId, reason: "suspected-fraud" as const };
        return { type: isSecond ? "RequestDenied" : "DenialProposed", data };
      },
      "deny",
      () => ({ reason: "suspected-fraud" }),
    ),
    act(
      "approves it",
      (moment) => approvals(moment, officerId),
      "approve",
      ({ request }) => (request.type === "correct" ? { held: "as shown" } : {}),
    ),
  ];
  if (officerId === omar) return both;
  const ofHold =
    (make: (holdId: string, moment: Moment) => Recordable) =>
    (moment: Moment): Recordable | undefined => {
      const [holdId] = moment.request.holds;
      return holdId === undefined ? undefined : make(holdId, moment);
    };
  return [
    ...both,
    act("gives it back", () => ({ type: "AssignmentReleased", data: { officerId } }), "release"),
    act(
      "checks the identity",
      () => ({ type: "IdentityChecked", data: { officerId, check: "account-details" } }),
      "check",
      () => ({ check: "account-details" }),
    ),
    act(
      "declares an extension",
      () => ({ type: "ExtensionDeclared", data: { officerId, law: "gdpr" } }),
      "extend",
      () => ({ law: "gdpr" }),
    ),
    act(
      "places a hold",
      (moment) => {
        const data = { officerId, holdId: dana, law: "A law", reviewAt: reviewAt(moment) };
        return moment.request.holds.length > 0 ? undefined : { type: "HoldPlaced", data };
      },
      "hold",
      (moment) => ({ law: "A law", reviewAt: reviewAt(moment) }),
    ),
    act(
      "prolongs the hold",
      ofHold((holdId, moment) => ({
        type: "HoldReviewed",
        data: { officerId, holdId, reason: "proceedings", reviewAt: reviewAt(moment) },
      })),
      "holds/:holdId/review",
      (moment) => ({ reason: "proceedings", reviewAt: reviewAt(moment) }),
    ),
    act(
      "releases the hold",
      ofHold((holdId) => ({ type: "HoldReleased", data: { officerId, holdId } })),
      "holds/:holdId/release",
    ),
    act("tries again", () => ({ type: "Retried", data: { officerId } }), "retry"),
  ];
}

/** Of a request whose sender was not signed in, and that came by no form. */
const byCommand: readonly Action[] = [
  {
    name: "the identity is verified",
    facts: (moment) =>
      only(!isForm(moment), { type: "IdentityVerified", data: { method: "step-up" } }),
    real: (replay) => replay.records({ type: "IdentityVerified", data: { method: "step-up" } }),
  },
];

export const actions: readonly Action[] = [
  ...holder,
  ...form,
  ...byOfficer(dana),
  ...byOfficer(omar),
  ...clock,
  ...worker,
  ...byCommand,
  ...waits,
];
