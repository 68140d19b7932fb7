import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat } from "@pro-talent/platform/runtime/repeat";

export type DatabaseClock = { readonly clock: Clock; readonly stop: () => Promise<void> };

const askEveryMs = 5000;

/**
 * The time of the database, by which timers are due, in every process: what a machine's own clock says
 * decides nothing, also when it jumps. Between two questions a monotonic counter goes on from the answer.
 * @param own the clock of the process, used for its test clock, and until the database first answers
 * @returns after the first question, answered or not
 */
export async function startDatabaseClock(
  sql: Sql,
  own: Clock,
  { log, everyMs = askEveryMs }: { readonly log: Logger; readonly everyMs?: number },
): Promise<DatabaseClock> {
  let startMs: number | undefined;
  const ask = async (): Promise<void> => {
    const asked = performance.now();
    const [row] = await sql<{ ms: number }[]>`
      select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms`;
    if (row !== undefined) startMs = row.ms - (asked + performance.now()) / 2;
  };
  const onFailing = (error: unknown): void =>
    log.warn({ err: error }, "the time of the database is not known anew");
  await ask().catch(onFailing);
  const asking = repeat({
    everyMs,
    pass: async () => {
      await ask();
      return "wait";
    },
    onFailing,
  });
  return {
    clock: () => {
      if (startMs === undefined) return own();
      const aheadMs = own() - Date.now();
      return Math.floor(startMs + performance.now() + aheadMs);
    },
    stop: () => asking.stop(),
  };
}
