import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import type { SignedLog } from "@pro-talent/platform/files/signed-log";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { JournalledErasure } from "@pro-talent/schemas/privacy/erasure-journal";

import type { CommandContext } from "../../../kernel/commands.ts";
import type { Addressed, Erased, Eraser } from "../../../kernel/erasers.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { TimerHandler } from "../../../kernel/timers.ts";
import type { Recordable } from "../guards.decider.ts";
import { findRequest } from "../read-models.ts";
import { privacyRequests } from "../requests.ts";
import type { KnownRequest } from "../state.decider.ts";
import { recordWork } from "../work.ts";
import { writeEntry } from "./journal.ts";

/** Whether an account that was to be deleted because it was not used is used again. */
export type IsUsedAgain = (
  context: WorkerContext,
  accountId: string,
  why: CommandContext,
) => Promise<boolean>;

/** What an erasure works with. */
export type ErasureParts = {
  readonly context: WorkerContext;
  /** Undefined where none is configured: then no erasure begins. */
  readonly journal: SignedLog<JournalledErasure> | undefined;
  /** What a deletion covers: an account, or a mailbox without one. */
  readonly scopeOf: (requestId: string, accountId: string | null) => ErasureScope;
  readonly isUsedAgain?: IsUsedAgain | undefined;
  /** SHA-256 of the record of processing activities. */
  readonly register?: string | undefined;
};

/** What one deletion erases. */
export type ErasureScope = {
  readonly accountId: string | null;
  /** In this order; what is found by the address comes before the account, the key last. */
  readonly steps: readonly ErasureStep[];
  /** Ends every way into the account, and what other domains do for it. May be repeated. */
  readonly close: (why: CommandContext) => Promise<void>;
};

/** An eraser with the person whose data it erases. */
export type ErasureStep = {
  readonly step: string;
  readonly subjects: () => Promise<readonly string[]>;
  readonly erase: (why: CommandContext) => Promise<Erased>;
};

/** The steps of one person; each asks anew how the person is known. */
export function stepsFor<Person extends Addressed>(
  context: WorkerContext,
  erasers: readonly Eraser<Person>[],
  person: () => Promise<Person>,
): readonly ErasureStep[] {
  return erasers.map(({ step, subjectsOf, erase }) => ({
    step,
    subjects: async () => (await subjectsOf?.(context, await person())) ?? [],
    erase: async (why) => await erase(context, await person(), why),
  }));
}

/** Other processes and services have so long to finish their part of a step before it has failed. */
const waitMs = 20_000;
const pauseMs = 250;

/** When the grace period is over: from here on nothing takes the deletion back. */
export function claimHandler({
  context,
  scopeOf,
  register,
  isUsedAgain,
}: Omit<ErasureParts, "journal">): TimerHandler {
  return async (id, why) => {
    const { state } = await loadState(context.ledger.sql, privacyRequests, id);
    if (state.status === "none") return;
    const request = await findRequest(context.ledger.sql, id);
    const unused = request?.identity === "inactivity" ? state.accountId : null;
    // Signing in keeps the account up to the last moment; the deletion is cancelled by a process.
    if (unused !== null && (await isUsedAgain?.(context, unused, why)) === true)
      throw new UsedAgain();
    const steps = scopeOf(id, state.accountId).steps.map(({ step }) => step);
    const data = { steps, ...(register && { register }) };
    await recordWork(context, id, { type: "EraseClaimed", data }, why);
  };
}

/**
 * Erases an account or a mailbox, step by step, each recorded when it is done. Killed at any time it goes on with the
 * step that was not recorded; a step that fails is tried again later, by the timer of the request.
 */
export function eraseHandler(parts: ErasureParts): TimerHandler {
  return async (id, { now, cause }) => {
    const begun = performance.now();
    const why = (): CommandContext => ({
      now: instantPlus(now, Math.round(performance.now() - begun)),
      cause,
    });
    for (;;) {
      const { state } = await loadState(parts.context.ledger.sql, privacyRequests, id);
      if (state.status !== "claimed" && state.status !== "erasing") return;
      const next = phaseOf(state, parts, id);
      let fact: Recordable;
      try {
        fact = await next.work(why());
      } catch (error) {
        if (parts.context.stopping.aborted) throw error;
        const code = error instanceof StepIncomplete ? "items_left" : "unavailable";
        await recordWork(
          parts.context,
          id,
          { type: "StepFailed", data: { step: next.name, code } },
          why(),
        );
        return;
      }
      await recordWork(parts.context, id, fact, why());
    }
  };
}

/** The cancellation of a deletion is recorded, and takes its timer away, in a moment. */
class UsedAgain extends Error {
  override readonly name = "UsedAgain";
}

/** Something of the person is still there when a step has had its time. */
class StepIncomplete extends Error {
  override readonly name = "StepIncomplete";
}

type Phase = {
  readonly name: string;
  readonly work: (why: CommandContext) => Promise<Recordable>;
};

function phaseOf(state: KnownRequest, parts: ErasureParts, requestId: string): Phase {
  const scope = parts.scopeOf(requestId, state.accountId);
  if (state.status === "claimed") {
    const work = ({ now }: CommandContext) => journalled(parts, requestId, scope, now);
    return { name: "journal", work };
  }
  if (!state.suppressed) {
    const work = async (why: CommandContext): Promise<Recordable> => {
      await scope.close(why);
      return { type: "SuppressionConfirmed", data: {} };
    };
    return { name: "suppression", work };
  }
  const eraser = scope.steps.find(({ step }) => state.open.includes(step));
  if (eraser === undefined) return { name: "scan", work: () => scanned(parts, requestId) };
  const work = async (why: CommandContext): Promise<Recordable> => {
    const erased = await eraseWhole(parts, eraser, why);
    return { type: "StepDone", data: { step: eraser.step, ...erased } };
  };
  return { name: eraser.step, work };
}

/** The entry is on disk before the first destructive step. */
async function journalled(
  { context, journal }: ErasureParts,
  requestId: string,
  { accountId, steps }: ErasureScope,
  now: Instant,
): Promise<Recordable> {
  if (journal === undefined) throw new Error("No erasure journal is configured");
  const of = await Promise.all(steps.map(({ subjects }) => subjects()));
  const { number: entry, sha256 } = await writeEntry(journal, context.ledger.sql, {
    requestId,
    erasedAt: now,
    subjectIds: [...new Set([requestId, ...of.flat()])],
    accountId,
    visitorIds: [],
  });
  return { type: "JournalWritten", data: { entry, sha256 } };
}

/** Erases until nothing is left, as far as that does not take too long. */
async function eraseWhole(
  { context }: ErasureParts,
  { step, erase }: ErasureStep,
  why: CommandContext,
): Promise<Erased> {
  const until = performance.now() + waitMs;
  let found = 0;
  for (;;) {
    const erased = await erase(why);
    found = Math.max(found, erased.found);
    if (erased.left === 0) return { found, left: 0 };
    if (performance.now() >= until) throw new StepIncomplete(`${step} holds something`);
    await pause(pauseMs, undefined, { signal: context.stopping });
  }
}

/**
 * Looks for what the journal names: no key may be there, and nothing that was sealed under one. Every
 * store has counted what it held when its step was recorded.
 */
async function scanned({ context, journal }: ErasureParts, requestId: string): Promise<Recordable> {
  const entries = (await journal?.read()) ?? [];
  const entry = entries.find((one) => one.requestId === requestId);
  if (entry === undefined) throw new Error("The journal does not name the erasure");
  const ids = entry.subjectIds;
  const [left] = await context.ledger.sql<{ left: number }[]>`
    select (select count(*) from ledger.subject where subject_id = any (${ids}::uuid[]))
         + (select count(*) from ledger.event
             where key_id = any (${ids}::uuid[]) and sealed is not null) as left`;
  return left?.left === 0
    ? { type: "ScanClean", data: { scanId: randomUUID() } }
    : { type: "ScanHit", data: {} };
}
