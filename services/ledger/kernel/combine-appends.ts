import { setImmediate as nextTurn } from "node:timers/promises";

import type { Sql } from "@pro-talent/platform/postgres/pool";
import { PostgresUnavailable } from "@pro-talent/platform/postgres/unavailable";

/** A row of ledger.append: what became of one request. */
export type AppendRow = {
  outcome: "appended" | "replayed" | "mismatch" | "conflict" | "superseded";
  first_position: number | null;
  last_position: number | null;
  new_version: number | null;
  answer: string | null;
};

/** An append as text, which the database reads as jsonb: the driver must not encode it again. */
type Waiting = { readonly text: string; readonly durable: boolean };

/** Bounds how long the head is held by one statement, and what an error makes to be sent again. */
const requestsPerStatement = 64;

/**
 * Sends appends, one statement at a time: those that wait meanwhile share the next one. Each holds
 * the head of the chain anyway, so nothing is lost by taking turns here.
 */
class AppendCombiner {
  readonly #sql: Sql;
  #waiting: (Waiting & PromiseWithResolvers<AppendRow>)[] = [];
  #sending = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  append(request: Waiting): Promise<AppendRow> {
    const answer = Promise.withResolvers<AppendRow>();
    this.#waiting.push({ ...request, ...answer });
    if (!this.#sending) void this.#sendAll();
    return answer.promise;
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    while (this.#waiting.length > 0) {
      const together = this.#waiting.splice(0, requestsPerStatement);
      try {
        const rows = await sendAppends(this.#sql, together);
        for (const [index, { resolve, reject }] of together.entries()) {
          const row = rows[index];
          if (row === undefined) reject(new Error("ledger.append returned nothing"));
          else resolve(row);
        }
      } catch (error) {
        await this.#sendSingly(together, error);
      }
      // Callers that were just answered may append again at once: they share the next statement.
      await nextTurn();
    }
    this.#sending = false;
  }

  /** The error of one took the others back: each gets its own answer. */
  async #sendSingly(
    together: readonly (Waiting & PromiseWithResolvers<AppendRow>)[],
    error: unknown,
  ): Promise<void> {
    if (together.length === 1 || error instanceof PostgresUnavailable) {
      for (const { reject } of together) reject(error);
      return;
    }
    for (const one of together) {
      await sendAppends(this.#sql, [one]).then(([row]) => {
        if (row === undefined) one.reject(new Error("ledger.append returned nothing"));
        else one.resolve(row);
      }, one.reject);
    }
  }
}

const combiners = new WeakMap<Sql, AppendCombiner>();

/** The one of a pool; pools of other processes take turns at the database. */
export function combinerOf(sql: Sql): AppendCombiner {
  const combiner = combiners.get(sql) ?? new AppendCombiner(sql);
  combiners.set(sql, combiner);
  return combiner;
}

/** The setting applies to this statement's own commit alone. */
async function sendAppends(sql: Sql, requests: readonly Waiting[]): Promise<readonly AppendRow[]> {
  const durable = requests.some((request) => request.durable);
  return sql<
    AppendRow[]
  >`select a.* from set_config('synchronous_commit', case when ${durable}::boolean
      then current_setting('synchronous_commit') else 'off' end, true),
    ledger.append(${`[${requests.map(({ text }) => text).join(",")}]`}::text::jsonb) a`;
}
