import { setTimeout as delay } from "node:timers/promises";

import type { Logger } from "../runtime/logger.ts";
import { openPool } from "./pool.ts";
import { PostgresUnavailable } from "./unavailable.ts";

const firstPauseMs = 250;
const pauseMsMax = 4000;

/**
 * Waits until Postgres takes connections: it refuses them while it starts or recovers, nothing listens
 * before that, and a server that stands still answers nothing. Asks less and less often, and logs that once.
 * @param options.withinMs for as long as it takes unless stated
 * @throws PostgresUnavailable after that time; another refusal (a wrong password) at once
 */
export async function untilPostgresAnswers(
  url: string,
  { log, withinMs = Number.POSITIVE_INFINITY }: { log: Logger; withinMs?: number },
): Promise<void> {
  const sql = openPool(url, { max: 1, applicationName: "start" });
  const end = performance.now() + withinMs;
  const answers = async (isFirst: boolean): Promise<boolean> => {
    try {
      await sql`select`;
      return true;
    } catch (error) {
      if (!(error instanceof PostgresUnavailable) || performance.now() >= end) throw error;
      if (isFirst)
        log.warn({ err: error }, "Postgres does not take connections yet; waiting for it");
      return false;
    }
  };
  try {
    for (let pauseMs = firstPauseMs; !(await answers(pauseMs === firstPauseMs));) {
      await delay(pauseMs);
      pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    }
  } finally {
    await sql.end();
  }
}
