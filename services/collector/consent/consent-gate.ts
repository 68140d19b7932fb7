import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Sql } from "@pro-talent/platform/postgres/connect";

import { QuestionBatch } from "./question-batch.ts";
import { readConsenting } from "./read-consenting.ts";

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
  /** Told when answers stop coming, and why, and when they come again; not for each in between. */
  onChange: (answering: boolean, error?: unknown) => void;
  deadlineMs?: number;
};

/** While questions come in numbers, reads start this far apart: fewer queries, larger commits. */
const paceMs = 2;
const nobody = "00000000-0000-0000-0000-000000000000";

/**
 * Linearizable read of who consents. A question is only ever put into a query that starts after it
 * was asked: so a grant or withdrawal that was acknowledged before an event arrived is always
 * seen, on every instance. Nothing is remembered between queries, and nothing is guessed.
 *
 * One query is under way at a time; whoever asks meanwhile goes into the next one. Two at a time
 * were tried: they halve the batches and cost a sixth more processor time for no less waiting.
 */
export function createConsentGate(options: GateOptions): ConsentGate {
  const { sql, onBatch, onChange } = options;
  const deadlineMs = options.deadlineMs ?? 2_000;
  let reading = false;
  let answering = true;
  let gathering: QuestionBatch | undefined;
  let scheduled = false;
  let lastReadAt = 0;
  let crowded = false;

  const note = (answered: boolean, error?: unknown): void => {
    if (answered !== answering) onChange(answered, error);
    answering = answered;
  };

  const send = async (): Promise<void> => {
    scheduled = false;
    const batch = gathering;
    if (batch === undefined) return;
    gathering = undefined;
    reading = true;
    crowded = batch.size > 1;
    const startedAt = performance.now();
    lastReadAt = startedAt;
    try {
      // A read that comes too late is left to itself: its questions have been refused by then.
      const consenting = await Promise.race([readConsenting(sql, batch), batch.expired]);
      batch.answer(consenting);
      note(true);
    } catch (cause) {
      note(false, cause);
      batch.refuse(new ProblemError("consent_unavailable", { retryAfterSeconds: 1, cause }));
    }
    reading = false;
    onBatch(batch.size, (performance.now() - startedAt) / 1000);
    schedule();
  };

  const schedule = (): void => {
    if (scheduled || reading || gathering === undefined) return;
    scheduled = true;
    const waitMs = crowded ? lastReadAt + paceMs - performance.now() : 0;
    if (waitMs > 0.5) setTimeout(() => void send(), waitMs);
    // All requests that the event loop reads in this turn share one query.
    else setImmediate(() => void send());
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
