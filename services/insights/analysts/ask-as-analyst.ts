import { Readable } from "node:stream";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { type Query, queryProblems } from "@pro-talent/schemas/analysts/calls";
import type { QueryEnd, QueryFacts, QueryFormat } from "@pro-talent/schemas/analysts/events";
import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";

import type { Admitted } from "./gate.ts";
import type { LedgerOfQueries } from "./ledger-of-queries.ts";
import {
  openQuery,
  type QueryEngine,
  type QueryOutput,
  type RunRequest,
  runQuery,
} from "./run-query.ts";
import type { Place, RunningQueries } from "./running.ts";

/** What queries of analysts use. */
export type AnalystsContext = LedgerOfQueries & {
  /** The engine as one analyst uses it. */
  readonly engineOf: (analystId: string) => QueryEngine;
  readonly running: RunningQueries;
  readonly clock: Clock;
};

export type Asker = Pick<QueryFacts, "analystId" | "channel">;
export type AskedQuery = Query &
  Pick<RunRequest, "otherFormat" | "settings" | "isEscaped" | "isCounting"> & {
    readonly format: QueryFormat;
    /** What is run instead of the text, where a tool asked about the views. */
    readonly runs?: string;
    /** Looks at what will be executed. @throws ProblemError when it may not be */
    readonly requires?: (admitted: Admitted) => void;
    /** How long it may wait for others to end. */
    readonly waitMs?: number;
  };

const hourMs = 60 * 60 * 1000;

/**
 * Takes a place for a query of an analyst whose hour is not used up.
 * @throws ProblemError `queries_running`, `query_id_used`, `query_quota_used`, `ledger_unavailable`
 */
async function placeFor(
  { running, usedBy, clock }: AnalystsContext,
  analystId: string,
  { queryId, waitMs = 0 }: AskedQuery,
): Promise<Place> {
  const place = await running.beginWithin(waitMs, analystId, queryId);
  try {
    const { queries, rowsRead, firstAt } = await usedBy(analystId);
    if (queries < limit.queriesPerHour && rowsRead < limit.rowsReadPerHour) return place;
    const againMs = firstAt === null ? 0 : Date.parse(firstAt) + hourMs - clock();
    const retryAfterSeconds = Math.max(1, Math.ceil(againMs / 1000));
    throw new ProblemError(queryProblems.query_quota_used, { retryAfterSeconds });
  } catch (error) {
    place.end();
    throw error;
  }
}

/**
 * Runs a query of an analyst. Whatever becomes of it is a fact of the ledger before anything is answered: a result that
 * was not recorded is not handed out.
 * @throws ProblemError of `queryProblems`, `ledger_unavailable`, `upstream_unavailable`
 */
export async function askAsAnalyst(
  context: AnalystsContext,
  asker: Asker,
  query: AskedQuery,
): Promise<QueryOutput & { readonly milliseconds: number }> {
  const { engineOf, record, clock } = context;
  const { queryId, text, parameters, format, requires, isCounting = false } = query;
  const place = await placeFor(context, asker.analystId, query);
  const startedMs = clock();
  const about = { ...asker, queryId, text, parameters, format };
  let views: readonly string[] = [];
  const recordAs = (became: Pick<QueryFacts, "outcome" | "problem" | "rowsRead" | "resultBytes">) =>
    record({ ...about, ...became, views: [...views], milliseconds: clock() - startedMs });
  try {
    const engine = engineOf(asker.analystId);
    const { signal } = place;
    const onAdmitted = (admitted: Admitted): void => {
      ({ views } = admitted);
      requires?.(admitted);
    };
    const output = await runQuery(engine, {
      queryId,
      text,
      parameters,
      format,
      isCounting,
      ...(!isCounting && { turn: place.turn }),
      signal,
      onAdmitted,
    });
    const milliseconds = clock() - startedMs;
    const { length: resultBytes } = output.bytes;
    await recordAs({ outcome: "shown", problem: null, rowsRead: output.rowsRead, resultBytes });
    return { ...output, milliseconds };
  } catch (error) {
    if (!(error instanceof ProblemError) || unrecorded.has(error.code)) throw error;
    const outcome = outcomes[error.code] ?? "failed";
    await recordAs({ outcome, problem: error.code, rowsRead: null, resultBytes: 0 });
    throw error;
  } finally {
    place.end();
  }
}

/**
 * Runs a query of an analyst and sends its result as it comes. Before the first byte it is a fact of the ledger that the
 * result has begun; before the last one, that it is complete: when that cannot be recorded, the result breaks off. One
 * that is left unfinished, or of which its reader takes nothing for a while, is recorded as broken off, with the bytes that
 * were sent.
 * @throws ProblemError as {@link askAsAnalyst}, before the first byte
 */
export async function streamAsAnalyst(
  context: AnalystsContext,
  asker: Asker,
  query: AskedQuery,
): Promise<{ readonly stream: Readable; readonly type: string }> {
  const { engineOf, record, clock } = context;
  const { queryId, text, parameters, format } = query;
  const place = await placeFor(context, asker.analystId, query);
  const startedMs = clock();
  let views: readonly string[] = [];
  const none = { rowsRead: null, resultBytes: 0 };
  const about = { ...asker, queryId, text, parameters, format, ...none };
  const recordAs = (became: Pick<QueryFacts, "outcome" | "problem">) =>
    record({ ...about, ...became, views: [...views], milliseconds: clock() - startedMs });
  try {
    const onAdmitted = (admitted: Admitted): void => {
      ({ views } = admitted);
      query.requires?.(admitted);
    };
    const { signal, turn } = place;
    const request = { ...query, text: query.runs ?? text, signal, turn, onAdmitted };
    const engine = engineOf(asker.analystId);
    const { parts, type } = await openQuery(engine, request);
    await recordAs({ outcome: "begun", problem: null });
    const result = resultOf(context, { asker, queryId, place, startedMs });
    const stalledMs = 1000 * (engine.stalledSecondsMax ?? limit.stalledSecondsMax);
    const taken = takenWithin(stalledMs, result.sent(parts), () => void stream.destroy());
    const stream: Readable = Readable.from(taken, { objectMode: false });
    onLeaving(stream, () => result.leave());
    // A reader who has stopped reading would not see it.
    place.signal.addEventListener("abort", () => void stream.destroy());
    return { stream, type };
  } catch (error) {
    place.abort();
    place.end();
    if (!(error instanceof ProblemError) || unrecorded.has(error.code)) throw error;
    await recordAs({ outcome: outcomes[error.code] ?? "failed", problem: error.code });
    throw error;
  }
}

type Begun = {
  readonly asker: Asker;
  readonly queryId: string;
  readonly place: Place;
  readonly startedMs: number;
};

/** A result on its way. It ends once, by its engine, its reader or a cancellation. */
function resultOf(
  { recordEnd, clock }: AnalystsContext,
  { asker: { analystId }, queryId, place, startedMs }: Begun,
) {
  const { progress } = place;
  let recorded: Promise<void> | undefined;
  let isLeft = false;
  const finish = (end: Pick<QueryEnd, "outcome" | "problem">): Promise<void> => {
    if (recorded !== undefined) return recorded;
    place.end();
    const rowsRead = progress.rowsRead === 0 ? null : progress.rowsRead;
    const size = { rowsRead, resultBytes: progress.resultBytes, milliseconds: clock() - startedMs };
    recorded = recordEnd({ analystId, queryId, ...end, ...size });
    return recorded;
  };
  return {
    sent: async function* sent(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
      try {
        for await (const bytes of parts) {
          progress.resultBytes += bytes.length;
          if (progress.resultBytes > limit.fileBytesMax) {
            throw new ProblemError(queryProblems.query_limited);
          }
          yield bytes;
        }
      } catch (error) {
        const problem = error instanceof ProblemError ? error.code : "internal_error";
        await finish(isLeft ? broken : { outcome: endings[problem] ?? "failed", problem });
        throw error;
      }
      await finish({ outcome: "shown", problem: null });
    },
    /** Its reader has left, or it was cancelled. When that cannot be recorded, it stays begun. */
    leave: (): void => {
      if (recorded !== undefined) return;
      isLeft = !place.signal.aborted;
      const cancelled = { outcome: "cancelled", problem: "query_cancelled" } as const;
      finish(isLeft ? broken : cancelled).catch(() => undefined);
      // The place has been given back: this ends the query in the engine.
      if (isLeft) place.abort();
    },
  };
}

const broken = { outcome: "broken", problem: null } as const;

/**
 * A reader who takes nothing for so long leaves: else the result would keep its place in the engine for as long as the
 * connection stays.
 */
async function* takenWithin(
  milliseconds: number,
  parts: AsyncIterable<Buffer>,
  leave: () => void,
): AsyncGenerator<Buffer, void> {
  for await (const bytes of parts) {
    const timer = setTimeout(leave, milliseconds);
    try {
      yield bytes;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** As soon as a reader leaves, not only once the engine has sent more, and also before anything was read. */
function onLeaving(stream: Readable, act: () => void): void {
  const destroy = stream._destroy.bind(stream);
  stream._destroy = (error, callback) => {
    act();
    destroy(error, callback);
  };
}

const endings: Readonly<Record<string, QueryEnd["outcome"]>> = {
  query_limited: "limited",
  query_cancelled: "cancelled",
};

/** Of the recording itself. */
const unrecorded = new Set<string>(["query_id_used", "ledger_unavailable"]);

const outcomes: Readonly<Record<string, QueryFacts["outcome"]>> = {
  query_wrong: "wrong",
  query_refused: "refused",
  query_not_withheld: "refused",
  query_limited: "limited",
  query_cancelled: "cancelled",
};
