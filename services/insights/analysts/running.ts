import { setTimeout as delay } from "node:timers/promises";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { queryProblems } from "@pro-talent/schemas/analysts/calls";
import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";

/** How far a query has come, as it was seen last. */
export type SeenProgress = {
  startedMs: number;
  resultBytes: number;
  rowsRead: number;
  bytesRead: number;
  rowsToRead: number;
};

const retryMs = 20;

/** A query's place among those that run: `signal` is aborted when it is cancelled; `end` gives the place back. */
export type Place = {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  readonly progress: SeenProgress;
  /**
   * Resolves when the engine may begin with it: it has few queries at once, and of one analyst another only when the one
   * before has ended. Also when the query is cancelled meanwhile.
   */
  readonly turn: () => Promise<void>;
  readonly end: () => void;
};

/** The queries that run in this process. */
export class RunningQueries {
  readonly #running = new Map<
    string,
    { analystId: string; cancel: AbortController; progress: SeenProgress }
  >();
  /** In the engine, with their analysts; and those that wait for that, in order. */
  readonly #executing = new Map<string, string>();
  readonly #waiting = new Map<string, { analystId: string; begin: () => void }>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Takes a place for a query.
   * @throws ProblemError `queries_running`, `query_id_used`
   */
  begin(analystId: string, queryId: string): Place {
    if (this.#running.has(queryId)) throw new ProblemError(queryProblems.query_id_used);
    const own = [...this.#running.values()].filter((query) => query.analystId === analystId);
    if (own.length >= limit.runningEachMax || this.#running.size >= limit.runningMax) {
      throw new ProblemError(queryProblems.queries_running, { retryAfterSeconds: 1 });
    }
    const cancel = new AbortController();
    const none = { resultBytes: 0, rowsRead: 0, bytesRead: 0, rowsToRead: 0 };
    const progress = { startedMs: this.#clock(), ...none };
    this.#running.set(queryId, { analystId, cancel, progress });
    return {
      signal: cancel.signal,
      abort: () => cancel.abort(),
      progress,
      turn: () => this.#turn(analystId, queryId, cancel.signal),
      end: () => {
        this.#running.delete(queryId);
        this.#executing.delete(queryId);
        this.#waiting.delete(queryId);
        this.#beginNext();
      },
    };
  }

  /**
   * Takes a place as soon as there is one.
   * @throws ProblemError as {@link begin}, when there is none in time
   */
  async beginWithin(milliseconds: number, analystId: string, queryId: string): Promise<Place> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      try {
        return this.begin(analystId, queryId);
      } catch (error) {
        const isFull = error instanceof ProblemError && error.code === "queries_running";
        if (!isFull || performance.now() > deadline) throw error;
      }
      await delay(retryMs);
    }
  }

  #turn(analystId: string, queryId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
      this.#waiting.set(queryId, { analystId, begin: resolve });
      this.#beginNext();
    });
  }

  #beginNext(): void {
    for (const [queryId, { analystId, begin }] of this.#waiting) {
      if (this.#executing.size >= limit.executingMax) return;
      if ([...this.#executing.values()].includes(analystId)) continue;
      this.#waiting.delete(queryId);
      this.#executing.set(queryId, analystId);
      begin();
    }
  }

  /** Ends a query of the analyst in the engine. @returns whether it was running */
  cancel(analystId: string, queryId: string): boolean {
    const query = this.#running.get(queryId);
    if (query?.analystId !== analystId) return false;
    query.cancel.abort();
    return true;
  }

  /** How far a query of the analyst has come; undefined when it does not run. */
  progressOf(analystId: string, queryId: string): SeenProgress | undefined {
    const query = this.#running.get(queryId);
    return query?.analystId === analystId ? query.progress : undefined;
  }
}
