import type { Sql } from "@pro-talent/platform/postgres/pool";
import pLimit, { type LimitFunction } from "p-limit";

const limits = new WeakMap<Sql, LimitFunction>();

/**
 * Does the work of one key one after the other, in all processes: what is counted before several streams
 * are begun still holds when they are. Each turn takes a connection while the work needs others, so that
 * one process has turns of at most a quarter of its connections at once.
 * @throws PostgresError, and whatever `work` throws
 */
export function inTurn<Result>(
  sql: Sql,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const limit = limits.get(sql) ?? pLimit(Math.max(1, Math.floor(sql.options.max / 4)));
  limits.set(sql, limit);
  return limit(() =>
    sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
      return await work();
    }),
  );
}
