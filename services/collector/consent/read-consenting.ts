import { setTimeout as delay } from "node:timers/promises";

import type { Sql } from "@pro-talent/platform/postgres/connect";

import type { QuestionBatch } from "./question-batch.ts";

const retryMs = 20;
/** One more than the gate's pool has connections. */
const attemptsMax = 3;

/**
 * Those of a batch's visitors who consent to analytics now.
 * @throws the database's error, after a few attempts or when nobody waits any more
 */
export async function readConsenting(
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
    // Each connection of the pool may turn out to be dead once; a later read is as good. Not at
    // once: until a broken connection has closed, the driver would still put a query on it.
    if (attempt >= attemptsMax) throw error;
    await delay(retryMs);
    if (batch.done) throw error;
    return readConsenting(sql, batch, attempt + 1);
  }
}
