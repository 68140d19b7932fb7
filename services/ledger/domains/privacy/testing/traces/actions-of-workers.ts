import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import { searchStep } from "@pro-talent/schemas/privacy/erasure-search";

import type { Recordable } from "../../guards.decider.ts";
import { noticeDue, timersOf } from "../../timers.ts";
import { accountId, journalled, scanClean, stepDone, stepFailed, suppressed } from "../facts.ts";
import type { Moment } from "../request-model.ts";
import { type Action, dayMs, only } from "./action.ts";
import type { Replay } from "./replay.ts";
import { plans } from "./staged-work.ts";

const isDue = ({ request, now }: Moment, timerName: string) =>
  timersOf(request).some(({ name, dueAt }) => name === timerName && dueAt <= now);
const timer = (
  name: string,
  facts: Action["facts"],
  set: Partial<Replay["gate"]> = {},
  what = name,
): Action => ({
  name: what,
  facts: (moment) => (isDue(moment, name) ? facts(moment) : undefined),
  real: async (replay) => {
    Object.assign(replay.gate, set);
    await replay.fires(name);
  },
});

export const clock: readonly Action[] = [
  timer("privacy.identity", () => [{ type: "IdentityExpired", data: {} }]),
  timer("privacy.due", () => [{ type: "DueDateMissed", data: {} }]),
  timer("privacy.package", () => [{ type: "PackageExpired", data: {} }]),
  timer("privacy.destroy-key", ({ request: { type, relation, package: sealed } }) =>
    only(relation !== null || sealed !== null || type === "correct" || type === "delete", {
      type: "ContentsForgotten",
      data: {},
    }),
  ),
  ...(["sent", "later"] as const).map((result) =>
    timer(
      "privacy.notice",
      ({ request, now }) => {
        const due = request.notices.filter((owed) => noticeDue(owed) <= now);
        const tried = due.map(({ notice }): Recordable => ({
          type: "NoticeTried",
          data: { notice, result },
        }));
        return tried.length === 0 ? undefined : tried;
      },
      { mailAway: result === "later" },
      `notices are tried: ${result}`,
    ),
  ),
];

/** What the worker records about a copy until `fails` does not answer. */
function collecting({ request }: Moment, fails: string): readonly Recordable[] | undefined {
  if (request.status !== "collecting") return undefined;
  if (fails === "links") return [stepFailed(request.accountId === null ? "newsletter" : "links")];
  const read = request.open.filter((step) => step !== "files").map((step) => stepDone(step));
  if (fails === "package") return only(request.accountId !== null, ...read, stepFailed("package"));
  const files = request.open.includes("files") ? [stepDone("files")] : [];
  return [...read, ...files, { type: "PackageSealed", data: { sha256: "0".repeat(64) } }];
}

function applying({ request }: Moment, fails: string): readonly Recordable[] | undefined {
  if (request.status !== "applying") return undefined;
  if (fails === "outdated") return [{ type: "CorrectionOutdated", data: {} }];
  if (fails === "profile") return [stepFailed(request.open[0] ?? "notices")];
  const done = request.open.map((step) => stepDone(step));
  if (fails === "recipients") return [...done, stepFailed("notices")];
  return [...done, { type: "RecipientsNotified", data: { recipients: [] } }];
}

const erasingFails = ["journal", "suppression", "visits", searchStep, "found", ""] as const;
function erasing(
  { request }: Moment,
  fails: (typeof erasingFails)[number],
): readonly Recordable[] | undefined {
  if (request.status !== "claimed" && request.status !== "erasing") return undefined;
  if (fails === "journal") return only(request.status === "claimed", stepFailed("journal"));
  const begun: Recordable[] = request.status === "claimed" ? [journalled] : [];
  if (fails === "suppression")
    return only(!request.suppressed, ...begun, stepFailed("suppression"));
  if (!request.suppressed) begun.push(suppressed);
  const at = request.open.indexOf(fails === "found" ? searchStep : fails);
  const done = (steps: readonly string[]) => steps.map((step) => stepDone(step));
  if (fails === "") return [...begun, ...done(request.open), scanClean];
  if (at < 0) return undefined;
  if (fails === "found")
    return only(
      request.hits <= (request.attempts[searchStep] ?? 0),
      ...begun,
      ...done(request.open.slice(0, at)),
      { type: "ScanHit", data: {} },
      ...done(request.plan),
      scanClean,
    );
  return [...begun, ...done(request.open.slice(0, at)), stepFailed(fails)];
}

const works = <Fails extends string>(
  fails: readonly Fails[],
  facts: (moment: Moment, fails: Fails) => readonly Recordable[] | undefined,
): readonly Action[] =>
  fails.map((one) =>
    timer(
      "privacy.work",
      (moment) => facts(moment, one),
      { fails: one },
      one === "" ? "the worker works" : `the worker works, and fails at: ${one}`,
    ),
  );

export const worker: readonly Action[] = [
  ...works(["", "links", "package"], collecting),
  ...works(["", "profile", "recipients", "outdated"], applying),
  ...works(erasingFails, erasing),
  timer("privacy.erase", ({ request }) => {
    const steps = [...(request.accountId === null ? plans.mailboxErasure : plans.erasure)];
    return [{ type: "EraseClaimed", data: { steps } }];
  }),
  timer(
    "privacy.rescan",
    ({ request }) => only(request.status === "erased", scanClean),
    { fails: "" },
    "it is scanned again, and clean",
  ),
  timer(
    "privacy.rescan",
    ({ request }) => only(request.status === "erased", { type: "ScanHit", data: {} }),
    { fails: "found" },
    "it is scanned again, and found",
  ),
  {
    name: "a restore re-applies the journal",
    facts: ({ request: { status, plan } }) =>
      only(status !== "completed" && !(status === "erasing" && plan.length === 0), {
        type: "JournalReapplied",
        data: { entry: 1, accountId, steps: [...plans.erasure] },
      }),
    real: (replay, moment) => replay.reapplies(moment),
  },
  {
    name: "the account is erased by another request",
    facts: () => [{ type: "RequestEndedByErasure", data: {} }],
    real: (replay, moment) => replay.endedByErasure(moment),
  },
  {
    name: "the backups have aged",
    facts: ({ request: { erasedAt, receivedAt }, now }) => {
      if (erasedAt === null || now < instantPlus(receivedAt, 90 * dayMs)) return undefined;
      const oldestRestorableAt = instantPlus(erasedAt, dayMs);
      return [{ type: "BackupsAged", data: { oldestRestorableAt } }];
    },
    real: (replay, moment) => replay.backupsAge(moment),
  },
];
