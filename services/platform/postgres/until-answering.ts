import { setTimeout as delay } from "node:timers/promises";

import type { Logger } from "../runtime/logger.ts";
import { openPool } from "./pool.ts";
import { PostgresUnavailable } from "./unavailable.ts";

/** Longer than Postgres takes to recover after a crash, unless much was written. */
const answersWithinMs = 60_000;
const askEveryMs = 250;

/**
 * Waits until Postgres takes connections: it refuses them while it starts or recovers, and nothing
 * listens before that.
 * @throws PostgresUnavailable after a minute; another refusal (a wrong password) at once
 */
export async function untilPostgresAnswers(
  url: string,
  { log, withinMs = answersWithinMs }: { log: Logger; withinMs?: number },
): Promise<void> {
  const sql = openPool(url, { max: 1, applicationName: "start" });
  const end = performance.now() + withinMs;
  let reported = false;
  const answers = async (): Promise<boolean> => {
    try {
      await sql`select`;
      return true;
    } catch (error) {
      if (!(error instanceof PostgresUnavailable) || performance.now() >= end) throw error;
      if (!reported)
        log.warn({ err: error }, "Postgres does not take connections yet; waiting for it");
      reported = true;
      return false;
    }
  };
  try {
    while (!(await answers())) await delay(askEveryMs);
  } finally {
    await sql.end();
  }
}
