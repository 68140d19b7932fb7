import type { EventStore } from "./event-store.ts";

/**
 * Returns once the disk has everything that was committed before; at once for a store whose appends
 * wait themselves. Writes one record to the log of the database and asks for the log up to it
 * (PostgreSQL 17 or newer); those who wait at the same time share the wait.
 */
export async function waitForDisk({
  sql,
  durable = "with each append",
}: EventStore): Promise<void> {
  if (durable === "with each append") return;
  await sql`select pg_logical_emit_message(false, 'ledger', '', true)`;
}
