import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import type { SignedLog } from "@pro-talent/platform/files/signed-log";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { JournalledErasure } from "@pro-talent/schemas/privacy/erasure-journal";

import type { CommandContext } from "../../../kernel/commands.ts";
import type { Erased, ErasedPerson, Eraser } from "../../../kernel/erasers.ts";
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
  /** In this order; what is found by the address comes before the account, the key last. */
  readonly erasers: readonly Eraser[];
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
  const data = { steps: erasers.map(({ step }) => step), ...(register && { register }) };
  return async (id, why) => {
    const request = await findRequest(context.ledger.sql, id);
    const unused = request?.identity === "inactivity" ? request.accountId : null;
    // Signing in keeps the account up to the last moment; the deletion is cancelled by a process.
    if (unused !== null && (await isUsedAgain?.(context, unused, why)) === true)
      throw new UsedAgain();
    await recordWork(context, id, { type: "EraseClaimed", data }, why);
  };
}

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
  const person = (): Promise<ErasedPerson> => parts.personOf(accountOf(state));
  if (state.status === "claimed") {
    const work = async ({ now }: CommandContext) =>
      journalled(parts, requestId, await person(), now);
    return { name: "journal", work };
  }
  if (!state.suppressed) {
    const work = async (why: CommandContext): Promise<Recordable> => {
      await parts.close(await person(), why);
      return { type: "SuppressionConfirmed", data: {} };
    };
    return { name: "suppression", work };
  }
  const eraser = parts.erasers.find(({ step }) => state.open.includes(step));
  if (eraser === undefined) return { name: "scan", work: () => scanned(parts, requestId) };
  const work = async (why: CommandContext): Promise<Recordable> => {
    const erased = await eraseWhole(parts, eraser, await person(), why);
    return { type: "StepDone", data: { step: eraser.step, ...erased } };
  };
  return { name: eraser.step, work };
}

/** The entry is on disk before the first destructive step. */
async function journalled(
  { context, journal, erasers }: ErasureParts,
  requestId: string,
  person: ErasedPerson,
  now: Instant,
): Promise<Recordable> {
  if (journal === undefined) throw new Error("No erasure journal is configured");
  const of = await Promise.all(
    erasers.map(async ({ subjectsOf }) => (await subjectsOf?.(context, person)) ?? []),
  );
  const { number: entry, sha256 } = await writeEntry(journal, context.ledger.sql, {
    requestId,
    erasedAt: now,
    subjectIds: [...new Set([requestId, ...of.flat()])],
    accountId: person.accountId,
    visitorIds: [],
  });
  return { type: "JournalWritten", data: { entry, sha256 } };
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

function accountOf({ accountId }: KnownRequest): string {
  if (accountId === null) throw new Error("A deletion without an account");
  return accountId;
}
