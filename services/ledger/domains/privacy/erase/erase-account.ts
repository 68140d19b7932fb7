import { setTimeout as pause } from "node:timers/promises";

import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import { searchStep } from "@pro-talent/schemas/privacy/erasure-search";
import { keyStep } from "@pro-talent/schemas/privacy/events";

import type { CommandContext } from "../../../kernel/commands.ts";
import type { Erased, ErasedPerson, Eraser } from "../../../kernel/erasers.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { TimerHandler } from "../../../kernel/timers.ts";
import type { Recordable } from "../guards.decider.ts";
import { findRequest } from "../read-models.ts";
import { privacyRequests } from "../requests.ts";
import { preparedSearch, prepareSearch, searchSubject } from "../search/searches.ts";
import type { KnownRequest } from "../state.decider.ts";
import { recordWork } from "../work.ts";
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
  /** In this order; what is found by the address comes before the account, the key last. */
  readonly erasers: readonly Eraser[];
  /** What the accounts service knows that names its holder alone. */
  readonly tracesOf: (accountId: string) => Promise<Traces>;
  /** How the account is known; the address is null once it is erased. */
  readonly personOf: (accountId: string) => Promise<ErasedPerson>;
  /** Ends every way into the account, and what other domains do for it. May be repeated. */
  readonly close: (person: ErasedPerson, why: CommandContext) => Promise<void>;
  readonly isUsedAgain?: IsUsedAgain | undefined;
  /** SHA-256 of the record of processing activities. */
  readonly register?: string | undefined;
};

/** Other processes and services have so long to finish their part of a step before it has failed. */
const waitMs = 20_000;
const pauseMs = 250;

/** When the grace period is over: from here on nothing takes the deletion back. */
export function claimHandler({
  context,
  erasers,
  register,
  isUsedAgain,
}: Pick<ErasureParts, "context" | "erasers" | "register" | "isUsedAgain">): TimerHandler {
  const data = { steps: stepsOf({ erasers }), ...(register && { register }) };
  return async (id, why) => {
    const request = await findRequest(context.ledger.sql, id);
    const unused = request?.identity === "inactivity" ? request.accountId : null;
    // Signing in keeps the account up to the last moment; the deletion is cancelled by a process.
    if (unused !== null && (await isUsedAgain?.(context, unused, why)) === true)
      throw new UsedAgain();
    await recordWork(context, id, { type: "EraseClaimed", data }, why);
  };
}

/** What is searched for is sealed until the search has found nothing: the key goes after it. */
export const stepsOf = ({ erasers }: Pick<ErasureParts, "erasers">): string[] =>
  erasers.flatMap(({ step }) => (step === keyStep ? [searchStep, step] : [step]));

/**
 * Erases an account, step by step, each recorded when it is done. Killed at any time it goes on with the
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
  const person = (): Promise<ErasedPerson> => personIn(parts, accountOf(state), requestId);
  if (state.status === "claimed") {
    const work = async (why: CommandContext) => journalled(parts, requestId, await person(), why);
    return { name: "journal", work };
  }
  if (!state.suppressed) {
    const work = async (why: CommandContext): Promise<Recordable> => {
      await parts.close(await person(), why);
      return { type: "SuppressionConfirmed", data: {} };
    };
    return { name: "suppression", work };
  }
  const step = stepsOf(parts).find((one) => state.open.includes(one));
  if (step === searchStep)
    return { name: searchStep, work: () => searched(parts, state, requestId) };
  const eraser = parts.erasers.find((one) => one.step === step);
  if (eraser === undefined) return { name: "scan", work: () => scanned(parts, requestId) };
  const work = async (why: CommandContext): Promise<Recordable> => {
    const erased = await eraseWhole(parts, eraser, await person(), why);
    return { type: "StepDone", data: { step: eraser.step, ...erased } };
  };
  return { name: eraser.step, work };
}

/** Once the account is erased the address is known from what is searched for, until that is destroyed. */
async function personIn(
  { context, personOf }: ErasureParts,
  accountId: string,
  requestId: string,
): Promise<ErasedPerson> {
  const { email } = await personOf(accountId);
  return { accountId, email: email ?? (await preparedSearch(context, requestId))?.email ?? null };
}

/** The entry is on disk before the first destructive step, and what is searched for is sealed. */
async function journalled(
  parts: ErasureParts,
  requestId: string,
  person: ErasedPerson,
  why: CommandContext,
): Promise<Recordable> {
  const { context, journal, erasers } = parts;
  if (journal === undefined) throw new Error("No erasure journal is configured");
  const subjects = new Map<string, readonly string[]>();
  for (const { step, subjectsOf } of erasers)
    subjects.set(step, (await subjectsOf?.(context, person)) ?? []);
  await prepare(parts, requestId, { person, subjects, why });
  const subjectIds = [requestId, searchSubject(requestId), ...[...subjects.values()].flat()];
  const { number: entry, sha256 } = await writeEntry(journal, context.ledger.sql, {
    requestId,
    erasedAt: why.now,
    subjectIds: [...new Set(subjectIds)],
    accountId: person.accountId,
    visitorIds: [],
  });
  return { type: "JournalWritten", data: { entry, sha256 } };
}

type Prepared = {
  readonly person: ErasedPerson;
  /** Ids by step. */
  readonly subjects: ReadonlyMap<string, readonly string[]>;
  readonly why: CommandContext;
};

/** Seals what every store is searched for: what the accounts service and each eraser know of the person. */
async function prepare(
  { context, erasers, tracesOf }: ErasureParts,
  requestId: string,
  { person, subjects, why }: Prepared,
): Promise<void> {
  // Without an account there is nothing to be searched for but its id.
  if (person.email === null) return;
  const known = await Promise.all([
    tracesOf(person.accountId),
    ...erasers.map(async (eraser) => (await eraser.tracesOf?.(context, person)) ?? {}),
  ]);
  const values = known.flatMap((traces) => traces.values ?? []);
  // What is sealed with the requests themselves goes last, after the search.
  const erased = [...subjects].flatMap(([step, ids]) => (step === keyStep ? [] : ids));
  const ids = known.flatMap((traces) => traces.ids ?? []);
  const traces = {
    values: [...new Set([person.email, ...values])],
    ids: [...new Set([person.accountId, ...erased, ...ids])],
  };
  await prepareSearch(context, requestId, { email: person.email, traces }, why);
}

/** Erases until nothing is left, as far as that does not take too long. */
async function eraseWhole(
  { context }: ErasureParts,
  eraser: Eraser,
  person: ErasedPerson,
  why: CommandContext,
): Promise<Erased> {
  const until = performance.now() + waitMs;
  let found = 0;
  for (;;) {
    const erased = await eraser.erase(context, person, why);
    found = Math.max(found, erased.found);
    if (erased.left === 0) return { found, left: 0 };
    if (performance.now() >= until) throw new StepIncomplete(`${eraser.step} holds something`);
    await pause(pauseMs, undefined, { signal: context.stopping });
  }
}

function accountOf({ accountId }: KnownRequest): string {
  if (accountId === null) throw new Error("A deletion without an account");
  return accountId;
}
