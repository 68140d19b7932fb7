import { setTimeout as pause } from "node:timers/promises";

import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import { searchStep } from "@pro-talent/schemas/privacy/erasure-search";
import { keyStep } from "@pro-talent/schemas/privacy/events";

import type { CommandContext } from "../../../kernel/commands.ts";
import type { Addressed, Erased, Eraser } from "../../../kernel/erasers.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { TimerHandler } from "../../../kernel/timers.ts";
import type { Recordable } from "../guards.decider.ts";
import { findRequest } from "../read-models.ts";
import { privacyRequests } from "../requests.ts";
import { prepareSearch, searchSubject } from "../search/searches.ts";
import type { KnownRequest } from "../state.decider.ts";
import { logFailure, recordWork } from "../work.ts";
import { writeEntry } from "./journal.ts";
import { scanned, searched, type SearchParts } from "./scan.ts";

/** Whether an account that was to be deleted because it was not used is used again. */
export type IsUsedAgain = (
  context: WorkerContext,
  accountId: string,
  why: CommandContext,
) => Promise<boolean>;

/** What an erasure works with. */
export type ErasureParts = SearchParts & {
  /** What a deletion covers: an account, or a mailbox without one. */
  readonly scopeOf: (requestId: string, accountId: string | null) => ErasureScope;
  readonly isUsedAgain?: IsUsedAgain | undefined;
  /** SHA-256 of the record of processing activities. */
  readonly register?: string | undefined;
};

/** What one deletion erases. */
export type ErasureScope = {
  readonly accountId: string | null;
  /** Null once the account is erased. */
  readonly email: () => Promise<string | null>;
  /** What names the person alone, beside the address and what the steps know. */
  readonly traces: () => Promise<Partial<Traces>>;
  /** In this order; what is found by the address comes before the account, the key last. */
  readonly steps: readonly ErasureStep[];
  /** Ends every way into the account, and what other domains do for it. May be repeated. */
  readonly close: (why: CommandContext) => Promise<void>;
};

/** An eraser with the person whose data it erases. */
export type ErasureStep = {
  readonly step: string;
  readonly subjects: () => Promise<readonly string[]>;
  readonly traces: () => Promise<Partial<Traces>>;
  readonly erase: (why: CommandContext) => Promise<Erased>;
};

/** The steps of one person; each asks anew how the person is known. */
export function stepsFor<Person extends Addressed>(
  context: WorkerContext,
  erasers: readonly Eraser<Person>[],
  person: () => Promise<Person>,
): readonly ErasureStep[] {
  return erasers.map(({ step, subjectsOf, tracesOf, erase }) => ({
    step,
    subjects: async () => (await subjectsOf?.(context, await person())) ?? [],
    traces: async () => (await tracesOf?.(context, await person())) ?? {},
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
}: Omit<ErasureParts, keyof SearchParts> & Pick<ErasureParts, "context">): TimerHandler {
  return async (id, why) => {
    const { state } = await loadState(context.ledger.sql, privacyRequests, id);
    if (state.status === "none") return;
    const request = await findRequest(context.ledger.sql, id);
    const unused = request?.identity === "inactivity" ? state.accountId : null;
    // Signing in keeps the account up to the last moment; the deletion is cancelled by a process.
    if (unused !== null && (await isUsedAgain?.(context, unused, why)) === true)
      throw new UsedAgain();
    const steps = stepsOf(scopeOf(id, state.accountId));
    const data = { steps, ...(register && { register }) };
    await recordWork(context, id, { type: "EraseClaimed", data }, why);
  };
}

/** What is searched for is sealed until the search has found nothing: the key goes after it. */
export const stepsOf = ({ steps }: Pick<ErasureScope, "steps">): string[] =>
  steps.flatMap(({ step }) => (step === keyStep ? [searchStep, step] : [step]));

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
        logFailure(parts.context, next.name)(error);
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
      if (fact.type === "StepFailed") return;
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
    const work = (why: CommandContext) => journalled(parts, requestId, scope, why);
    return { name: "journal", work };
  }
  if (!state.suppressed) {
    const work = async (why: CommandContext): Promise<Recordable> => {
      await scope.close(why);
      return { type: "SuppressionConfirmed", data: {} };
    };
    return { name: "suppression", work };
  }
  const step = stepsOf(scope).find((one) => state.open.includes(one));
  if (step === searchStep)
    return { name: searchStep, work: () => searched(parts, state, requestId) };
  const eraser = scope.steps.find((one) => one.step === step);
  if (eraser === undefined) return { name: "scan", work: () => scanned(parts, requestId) };
  const work = async (why: CommandContext): Promise<Recordable> => {
    const erased = await eraseWhole(parts, eraser, why);
    return { type: "StepDone", data: { step: eraser.step, ...erased } };
  };
  return { name: eraser.step, work };
}

/** The entry is on disk before the first destructive step, and what is searched for is sealed. */
async function journalled(
  { context, journal }: ErasureParts,
  requestId: string,
  scope: ErasureScope,
  why: CommandContext,
): Promise<Recordable> {
  if (journal === undefined) throw new Error("No erasure journal is configured");
  const subjects = await prepareTraces(context, requestId, scope, why);
  const subjectIds = [requestId, searchSubject(requestId), ...[...subjects.values()].flat()];
  const { number: entry, sha256 } = await writeEntry(journal, context.ledger.sql, {
    requestId,
    erasedAt: why.now,
    subjectIds: [...new Set(subjectIds)],
    accountId: scope.accountId,
    visitorIds: [],
  });
  return { type: "JournalWritten", data: { entry, sha256 } };
}

/**
 * Seals what is searched for, as far as an address leads to it. Without one nothing is left to be searched
 * for but ids.
 * @returns the subjects of each step
 */
export async function prepareTraces(
  context: WorkerContext,
  requestId: string,
  scope: ErasureScope,
  why: CommandContext,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const subjects = new Map<string, readonly string[]>();
  for (const { step, subjects: read } of scope.steps) subjects.set(step, await read());
  const email = await scope.email();
  if (email !== null) {
    const traces = await tracesIn(scope, email, subjects);
    await prepareSearch(context, requestId, { email, traces }, why);
  }
  return subjects;
}

/** What every store is searched for: what is known of the person, and what each step knows to be theirs. */
async function tracesIn(
  { accountId, steps, traces }: ErasureScope,
  email: string,
  subjects: ReadonlyMap<string, readonly string[]>,
): Promise<Traces> {
  const known = await Promise.all([traces(), ...steps.map((step) => step.traces())]);
  // What is sealed with the requests themselves goes last, after the search.
  const erased = [...subjects].flatMap(([step, ids]) => (step === keyStep ? [] : ids));
  const ids = known.flatMap((one) => one.ids ?? []);
  return {
    values: [...new Set([email, ...known.flatMap(({ values }) => values ?? [])])],
    ids: [...new Set([...(accountId === null ? [] : [accountId]), ...erased, ...ids])],
  };
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
    if (erased.left === 0) return { found, left: 0, ...(erased.kept ? { kept: erased.kept } : {}) };
    if (performance.now() >= until) throw new StepIncomplete(`${step} holds something`);
    await pause(pauseMs, undefined, { signal: context.stopping });
  }
}
