import { setTimeout as delay } from "node:timers/promises";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { connectPostgres, type Sql } from "@pro-talent/platform/postgres/connect";
import { analyticsProblems } from "@pro-talent/schemas/analytics/problems";

import { QuestionBatch } from "./question-batch.ts";

export type GateOptions = {
  /** A pool of two for this alone, on the primary: a replica may lag behind a decision. */
  sql: Sql;
  /** Receives after each query how many questions it answered, and how long it took. */
  onBatch: (questions: number, seconds: number) => void;
  /** Called when answers stop, with the reason, and when they resume; not for each in between. */
  onChange: (answering: boolean, error?: unknown) => void;
  deadlineMs?: number;
};

const statementMsMax = 2_000;

/**
 * The gate's own pool: a second connection, in case the first is stuck in a read that is no longer
 * waited for. The server ends such a read too.
 */
export function connectGateDatabase(url: string): Sql {
  const bounded = new URL(url);
  bounded.searchParams.set("statement_timeout", String(statementMsMax));
  return connectPostgres(bounded.toString(), { max: 2, applicationName: "collector-gate" });
}

/** Under load, reads start this far apart: fewer queries, larger commits. */
const paceMs = 2;
const noVisitor = "00000000-0000-0000-0000-000000000000";

/**
 * Linearizable read of who consents. A question is only ever part of a query that starts after it
 * was asked: a grant or withdrawal that was acknowledged before an event arrived is always seen, on
 * every instance. Nothing is kept between queries or assumed.
 *
 * One query is under way at a time; questions asked meanwhile are part of the next one. Two at a
 * time were tried: they halve the batches and cost a sixth more processor time for no less waiting.
 */
export class ConsentGate {
  readonly #options: GateOptions;
  #reading = false;
  #answering = true;
  #gathering: QuestionBatch | undefined;
  #scheduled = false;
  #lastReadAt = 0;
  #crowded = false;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /**
   * Whether a visitor consents to analytics now.
   * @throws ProblemError `consent_unavailable` when the ledger's database does not answer in time
   */
  granted(visitorId: string): Promise<boolean> {
    this.#gathering ??= new QuestionBatch(this.#options.deadlineMs ?? 2_000, (batch) => {
      if (this.#gathering === batch) this.#gathering = undefined;
    });
    const answer = this.#gathering.ask(visitorId);
    this.#schedule();
    return answer;
  }

  /** Whether the gate answers at all. @throws like `granted` */
  async reachable(): Promise<boolean> {
    await this.granted(noVisitor);
    return true;
  }

  #schedule(): void {
    if (this.#scheduled || this.#reading || this.#gathering === undefined) return;
    this.#scheduled = true;
    const waitMs = this.#crowded ? this.#lastReadAt + paceMs - performance.now() : 0;
    if (waitMs > 0.5) setTimeout(() => void this.#send(), waitMs);
    // All requests that the event loop reads in this iteration share one query.
    else setImmediate(() => void this.#send());
  }

  async #send(): Promise<void> {
    this.#scheduled = false;
    const batch = this.#gathering;
    if (batch === undefined) return;
    this.#gathering = undefined;
    this.#reading = true;
    this.#crowded = batch.size > 1;
    const startedAt = performance.now();
    this.#lastReadAt = startedAt;
    try {
      // A read that is too late is ignored: its questions have been refused by then.
      batch.answer(await Promise.race([readConsenting(this.#options.sql, batch), batch.expired]));
      this.#note(true);
    } catch (cause) {
      this.#note(false, cause);
      const details = { retryAfterSeconds: 1, cause };
      batch.refuse(new ProblemError(analyticsProblems.consent_unavailable, details));
    }
    this.#reading = false;
    this.#options.onBatch(batch.size, (performance.now() - startedAt) / 1000);
    this.#schedule();
  }

  #note(answering: boolean, error?: unknown): void {
    if (answering !== this.#answering) this.#options.onChange(answering, error);
    this.#answering = answering;
  }
}

const retryMs = 20;
/** One more than the gate's pool has connections. */
const attemptsMax = 3;

/**
 * Those of a batch's visitors who consent to analytics now.
 * @throws the database's error, after a few attempts or when all questions have been refused
 */
async function readConsenting(
  sql: Sql,
  batch: QuestionBatch,
  attempt = 1,
): Promise<ReadonlySet<string>> {
  try {
    const rows = await sql<{ visitor_id: string }[]>`
      select visitor_id from ledger.consent_gate
      where granted and visitor_id = any(${batch.visitorIds()}::uuid[])`;
    return new Set(rows.map((row) => row.visitor_id));
  } catch (error) {
    // Each connection of the pool may be dead once; a later read is as good. Not at once: until a
    // broken connection has closed, the driver still sends queries to it.
    if (attempt >= attemptsMax) throw error;
    await delay(retryMs);
    if (batch.done) throw error;
    return readConsenting(sql, batch, attempt + 1);
  }
}
