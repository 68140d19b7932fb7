import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import type { SignedLog } from "@pro-talent/platform/files/signed-log";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import type { JournalledErasure } from "@pro-talent/schemas/privacy/erasure-journal";
import {
  type SearchedStore,
  searchStep,
  verdictOf,
} from "@pro-talent/schemas/privacy/erasure-search";

import { causeAfterLast } from "../../../kernel/causes.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { TimerHandler } from "../../../kernel/timers.ts";
import type { Recordable } from "../guards.decider.ts";
import { requestsNamed } from "../read-models.ts";
import { privacyRequests } from "../requests.ts";
import { preparedSearch, searchSubject } from "../search/searches.ts";
import type { KnownRequest } from "../state.decider.ts";
import { recordWork } from "../work.ts";
import { journalledSubjects } from "./journal.ts";

/** What a scan works with. */
export type SearchParts = {
  readonly context: WorkerContext;
  /** Undefined where none is configured: then no erasure begins. */
  readonly journal: SignedLog<JournalledErasure> | undefined;
  /** Searches every store of the product. */
  readonly search: (traces: Traces) => Promise<readonly SearchedStore[]>;
  /** How long something that was found may still be on its way out, in milliseconds. */
  readonly searchWaitMs?: number;
};

const searchWaitMsUsual = 20_000;
/** Files and rows that follow from an event are removed moments after it. */
const pauseMs = 1_000;

const evidenceOf = (stores: readonly SearchedStore[], { values, ids }: Traces) => ({
  stores: [...stores],
  searchedFor: { values: values.length, ids: ids.length },
});

/**
 * The step before the key is destroyed: every store is searched for what was erased. Where something is
 * found, everything is erased anew; found again after that, the search waits for its next attempt, so that
 * what no eraser reaches ends with an officer. A store that cannot be searched is never taken for clean.
 */
export async function searched(
  parts: SearchParts,
  { accountId, attempts, hits }: KnownRequest,
  requestId: string,
): Promise<Recordable> {
  const { context, search, searchWaitMs = searchWaitMsUsual } = parts;
  const traces =
    (await preparedSearch(context, requestId)) ??
    (await journalledTraces(parts, { requestId, accountId }));
  const until = performance.now() + searchWaitMs;
  for (;;) {
    const stores = await search(traces);
    const evidence = evidenceOf(stores, traces);
    const verdict = verdictOf(stores);
    if (verdict === "clean")
      return { type: "StepDone", data: { step: searchStep, found: 0, left: 0, ...evidence } };
    if (verdict === "unknown" || performance.now() >= until) {
      if (verdict === "hit" && hits <= (attempts[searchStep] ?? 0))
        return { type: "ScanHit", data: evidence };
      const code = verdict === "hit" ? "items_left" : "unknown";
      return { type: "StepFailed", data: { step: searchStep, code, ...evidence } };
    }
    await pause(pauseMs, undefined, { signal: context.stopping });
  }
}

/** After a restore no address is known any more: the ids that the journal names, but of requests, whose keys go last. */
async function journalledTraces(
  { context, journal }: SearchParts,
  { requestId, accountId }: { readonly requestId: string; readonly accountId: string | null },
): Promise<Traces> {
  const subjectIds = await journalledSubjects(journal, requestId);
  const requests = await requestsNamed(context.ledger.sql, subjectIds);
  const last = new Set([
    requestId,
    searchSubject(requestId),
    ...requests.map((request) => request.requestId),
  ]);
  const erased = subjectIds.filter((id) => !last.has(id));
  return { values: [], ids: [...(accountId === null ? [] : [accountId]), ...erased] };
}

/** Looks for what the journal names: no key may be there, and nothing that was sealed under one. */
export async function scanned(parts: SearchParts, requestId: string): Promise<Recordable> {
  const { subjectIds } = await entryOf(parts, requestId);
  return (await keysLeft(parts, subjectIds)) === 0
    ? { type: "ScanClean", data: { scanId: randomUUID() } }
    : { type: "ScanHit", data: {} };
}

async function entryOf({ journal }: SearchParts, requestId: string): Promise<JournalledErasure> {
  const entries = (await journal?.read()) ?? [];
  const entry = entries.find((one) => one.requestId === requestId);
  if (entry === undefined) throw new Error("The journal does not name the erasure");
  return entry;
}

async function keysLeft({ context }: SearchParts, ids: readonly string[]): Promise<number> {
  const [row] = await context.ledger.sql<{ left: number }[]>`
    select (select count(*) from ledger.subject where subject_id = any (${ids}::uuid[]))
         + (select count(*) from ledger.event
             where key_id = any (${ids}::uuid[]) and sealed is not null) as left`;
  return row?.left ?? 0;
}

/** Between attempts of a scan that could not search every store. */
const retryMs = 10 * 60_000;

/**
 * Scans again what was erased a day, a week or a restore ago. What its holder was called is destroyed by
 * then: the ids are searched for that the journal holds.
 * @returns a handler that throws where a store could not be searched; the timer stays due
 */
export function rescanHandler(parts: SearchParts): TimerHandler {
  const triedAt = new Map<string, number>();
  return async (id, why) => {
    const { state } = await loadState(parts.context.ledger.sql, privacyRequests, id);
    if (state.status !== "erased") return;
    if (performance.now() - (triedAt.get(id) ?? Number.NEGATIVE_INFINITY) < retryMs)
      throw new Error("A store could not be searched minutes ago");
    const { accountId, subjectIds } = await entryOf(parts, id);
    const traces = { values: [], ids: [...(accountId === null ? [] : [accountId]), ...subjectIds] };
    const stores = await parts.search(traces);
    const evidence = evidenceOf(stores, traces);
    const verdict = (await keysLeft(parts, subjectIds)) > 0 ? "hit" : verdictOf(stores);
    if (verdict === "unknown") {
      triedAt.set(id, performance.now());
      throw new Error("A store could not be searched");
    }
    triedAt.delete(id);
    const fact: Recordable =
      verdict === "clean"
        ? { type: "ScanClean", data: { scanId: randomUUID(), ...evidence } }
        : { type: "ScanHit", data: evidence };
    await recordWork(parts.context, id, fact, why);
  };
}

/** Deletions whose last scan is older than the newest restore of the ledger. */
export async function requestsToScan(sql: Queryable): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select r.request_id as id from ledger.privacy_request r
     where r.status = 'erased' and (select epoch from ledger.head) > (
       select max(e.epoch) from ledger.event e
        where e.stream = 'privacy-' || r.request_id and e.type = 'ScanClean')`;
  return rows.map(({ id }) => id);
}

/** Scans again what was erased before the ledger was restored. */
export function rescanRestored(parts: SearchParts): () => Promise<void> {
  const rescan = rescanHandler(parts);
  const { ledger, clock } = parts.context;
  return async () => {
    for (const requestId of await requestsToScan(ledger.sql)) {
      const stream = privacyRequests.events.streamOf(requestId);
      const cause = await causeAfterLast(ledger.sql, "service:privacy", stream);
      await rescan(requestId, { now: instantFromMs(clock()), cause });
    }
  };
}
