import { setTimeout as delay } from "node:timers/promises";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Sql } from "@pro-talent/platform/postgres/connect";

import { QuestionBatch } from "./question-batch.ts";

export type ConsentGate = {
  /**
   * Whether a visitor consents to analytics now.
   * @throws ProblemError `consent_unavailable` when the ledger's database does not say in time
   */
  granted(visitorId: string): Promise<boolean>;
  /** Whether the gate answers at all. */
  reachable(): Promise<boolean>;
};

type GateOptions = {
  /** A pool of two for this alone, on the primary: a replica may lag behind a decision. */
  sql: Sql;
  /** Told after each query: how many questions it answered, and how long it took. */
  onBatch: (questions: number, seconds: number) => void;
  deadlineMs?: number;
  /** Two: while one read is answered, the next one is already on its way. */
  inFlightMax?: number;
};

const retryMs = 20;
/** One more than the pool has connections. */
const attemptsMax = 3;
const nobody = "00000000-0000-0000-0000-000000000000";

/**
 * Linearizable read of who consents. A question is only ever put into a query that starts after it
 * was asked: so a grant or withdrawal that was acknowledged before an event arrived is always
 * seen, on every instance. Nothing is remembered between queries, and nothing is guessed.
 */
export function createConsentGate(options: GateOptions): ConsentGate {
  const { sql, onBatch } = options;
  const deadlineMs = options.deadlineMs ?? 2_000;
  const inFlightMax = options.inFlightMax ?? 2;
  let inFlight = 0;
  let gathering: QuestionBatch | undefined;
  let scheduled = false;

  const consenting = async (
    batch: QuestionBatch,
    attempt = 1,
  ): Promise<readonly { visitor_id: string }[]> => {
    try {
      return await sql<{ visitor_id: string }[]>`
        select visitor_id from ledger.consent_gate
        where granted and visitor_id = any(${batch.visitorIds()}::uuid[])`;
    } catch (error) {
      // Each connection of the pool may turn out to be dead once; a later read is as good. Not at
      // once: until a broken connection has closed, the driver would still put a query on it.
      if (attempt >= attemptsMax) throw error;
      await delay(retryMs);
      if (batch.done) throw error;
      return consenting(batch, attempt + 1);
    }
  };

  const send = async (): Promise<void> => {
    scheduled = false;
    const batch = gathering;
    if (batch === undefined) return;
    gathering = undefined;
    inFlight += 1;
    const startedAt = performance.now();
    try {
      // A read that comes too late is left to itself: its questions have been refused by then.
      const rows = await Promise.race([consenting(batch), batch.expired]);
      batch.answer(new Set(rows.map((row) => row.visitor_id)));
    } catch (cause) {
      batch.refuse(new ProblemError("consent_unavailable", { retryAfterSeconds: 1, cause }));
    }
    inFlight -= 1;
    onBatch(batch.size, (performance.now() - startedAt) / 1000);
    schedule();
  };

  const schedule = (): void => {
    if (scheduled || inFlight >= inFlightMax || gathering === undefined) return;
    scheduled = true;
    // All requests that the event loop reads in this turn share one query.
    setImmediate(() => void send());
  };

  const granted = (visitorId: string): Promise<boolean> => {
    gathering ??= new QuestionBatch(deadlineMs, (batch) => {
      if (gathering === batch) gathering = undefined;
    });
    const answer = gathering.ask(visitorId);
    schedule();
    return answer;
  };

  return {
    granted,
    reachable: async () => {
      await granted(nobody);
      return true;
    },
  };
}
