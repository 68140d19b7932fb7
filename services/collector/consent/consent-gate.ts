import { setTimeout as delay } from "node:timers/promises";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { connectPostgres, type Sql } from "@pro-talent/platform/postgres/connect";
import { analyticsProblems } from "@pro-talent/schemas/analytics/problems";

import { ConsentCache, type GateQuestion, type GateReply } from "./consent-cache.ts";
import { QuestionBatch } from "./question-batch.ts";

export type GateOptions = {
  database: GateDatabase;
  /** Receives after each query how many questions it answered, and how long it took. */
  onBatch: (questions: number, seconds: number) => void;
  /** Called when answers stop, with the reason, and when they resume; not for each in between. */
  onChange: (answering: boolean, error?: unknown) => void;
  deadlineMs?: number;
  /** Visitors that are remembered; 0 for none. */
  rememberedMax?: number;
};

/** A pool of two for the gate alone, on the primary: a replica may lag behind a decision. */
export type GateDatabase = {
  readonly sql: Sql;
  /** Names the only listener: called whenever a connection has ended. */
  readonly onLost: (listener: () => void) => void;
};

const statementMsMax = 2_000;

/**
 * The gate's own pool: a second connection, in case the first is stuck in a read that is no longer
 * waited for. The server ends such a read too.
 */
export function connectGateDatabase(url: string): GateDatabase {
  const bounded = new URL(url);
  bounded.searchParams.set("statement_timeout", String(statementMsMax));
  let lost: () => void = () => undefined;
  const sql = connectPostgres(bounded.toString(), {
    max: 2,
    applicationName: "collector-gate",
    onClose: () => lost(),
  });
  return { sql, onLost: (listener) => (lost = listener) };
}

/** Under load, reads start this far apart: fewer queries, larger commits. */
const paceMs = 2;
const noVisitor = "00000000-0000-0000-0000-000000000000";
/** About 10 MB: those who were here in the last hours. */
const usuallyRemembered = 100_000;
/** Decisions that are caught up with in one query; after more, everything is asked anew. */
const changesMax = 1_000;

/**
 * Linearizable read of who consents. A question is only ever part of a query that starts after it
 * was asked: a grant or withdrawal that was acknowledged before an event arrived is always seen, on
 * every instance. Visitors that were asked about before are remembered ({@link ConsentCache}); of them a
 * query answers only what was decided since, which is nothing most of the time. While the database
 * does not answer, nothing is answered from memory, and after a lost connection nothing is remembered.
 *
 * One query is under way at a time; questions asked meanwhile are part of the next one. Two at a
 * time were tried: they halve the batches and cost a sixth more processor time for no less waiting.
 */
export class ConsentGate {
  readonly #options: GateOptions;
  readonly #cache: ConsentCache;
  #reading = false;
  #answering = true;
  #gathering: QuestionBatch | undefined;
  #scheduled = false;
  #lastReadAt = 0;
  #crowded = false;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#cache = new ConsentCache(options.rememberedMax ?? usuallyRemembered);
    options.database.onLost(() => this.#cache.forget());
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
      await this.#answer(batch);
      this.#note(true);
    } catch (cause) {
      this.#cache.forget();
      this.#note(false, cause);
      const details = { retryAfterSeconds: 1, cause };
      batch.refuse(new ProblemError(analyticsProblems.consent_unavailable, details));
    }
    this.#reading = false;
    this.#options.onBatch(batch.size, (performance.now() - startedAt) / 1000);
    this.#schedule();
  }

  /** @throws at the deadline, and the database's error */
  async #answer(batch: QuestionBatch): Promise<void> {
    const { sql } = this.#options.database;
    for (let learned = false; !learned;) {
      const asked = this.#cache.question(batch.visitorIds((id) => this.#cache.has(id)));
      // A read that is too late is ignored: its questions have been refused by then.
      const reply = await Promise.race([readGate(sql, asked, batch), batch.expired]);
      learned = this.#cache.learn(asked, reply);
    }
    // In the same turn: what is lost after it does not matter to questions from before.
    batch.answer((visitorId) => this.#cache.granted(visitorId));
    this.#cache.trim();
  }

  #note(answering: boolean, error?: unknown): void {
    if (answering !== this.#answering) this.#options.onChange(answering, error);
    this.#answering = answering;
  }
}

const retryMs = 20;
/** One more than the gate's pool has connections. */
const attemptsMax = 3;

type GateRow = {
  epoch: number | null;
  built: number | null;
  pos: number | null;
  visitor_id: string;
  granted: boolean;
};

/**
 * All that a question asks for, as of one moment: the position, what was decided since, and who of the
 * visitors consents.
 * @throws the database's error, after a few attempts or when all questions have been refused
 */
async function readGate(
  sql: Sql,
  asked: GateQuestion,
  batch: QuestionBatch,
  attempt = 1,
): Promise<GateReply> {
  try {
    const rows = await sql<GateRow[]>`
      select epoch, built, pos, null::uuid as visitor_id, null::boolean as granted
        from ledger.consent_position
      union all
      (select null, null, pos, visitor_id, granted from ledger.consent_gate
        where pos > ${asked.after} order by pos limit ${changesMax})
      union all
      select null, null, null, visitor_id, granted from ledger.consent_gate
       where granted and visitor_id = any(${[...asked.visitorIds]}::uuid[])`;
    return replyOf(rows);
  } catch (error) {
    // Each connection of the pool may be dead once; a later read is as good. Not at once: until a
    // broken connection has closed, the driver still sends queries to it.
    if (attempt >= attemptsMax) throw error;
    await delay(retryMs);
    if (batch.done) throw error;
    return readGate(sql, asked, batch, attempt + 1);
  }
}

function replyOf(rows: readonly GateRow[]): GateReply {
  const changes: { visitorId: string; granted: boolean }[] = [];
  const consenting = new Set<string>();
  let source: Pick<GateReply, "epoch" | "built" | "position"> | undefined;
  for (const { epoch, built, pos, visitor_id: visitorId, granted } of rows) {
    if (epoch !== null && built !== null && pos !== null) source = { epoch, built, position: pos };
    else if (pos === null) consenting.add(visitorId);
    else changes.push({ visitorId, granted });
  }
  if (source === undefined) throw new Error("The ledger has no position");
  return { ...source, changes, isCut: changes.length >= changesMax, granted: consenting };
}
