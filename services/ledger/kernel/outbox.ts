import type { Sql } from "@pro-talent/platform/postgres/pool";

import type { MessageHandler, MessageHandlers } from "./message-handlers.ts";

/**
 * What became of one attempt. `elsewhere`: another worker has the message, or it is settled; nothing
 * was done here.
 */
export type DeliveryOutcome = "delivered" | "failed" | "elsewhere";

/** Told about each attempt, for counters; the name is one of the handlers'. */
export type ObserveDelivery = (attempt: { name: string; outcome: DeliveryOutcome }) => void;

/** A message that no handler is known for, perhaps of a newer version of the product. It is kept. */
export class UnknownMessage extends Error {
  override readonly name = "UnknownMessage";
}

type MessageRow = { name: string; payload: unknown };

/**
 * Delivers one message of the outbox, unless it is settled or another worker has it. The message is
 * locked on a connection of its own while its handler runs, and is done when that transaction is
 * committed: a worker that dies between the two leaves a message that is delivered again, and that
 * is the only way in which a message is delivered twice.
 * @throws UnknownMessage; whatever the handler throws. The message then waits for its next turn
 */
export async function deliverMessage(
  sql: Sql,
  handlers: MessageHandlers,
  outboxId: number,
  observe?: ObserveDelivery,
): Promise<DeliveryOutcome> {
  const name = await sql.begin(async (tx) => {
    // A machine that vanished with the lock must not keep it; the handlers' own limits are shorter.
    await tx`set local idle_in_transaction_session_timeout = '10min'`;
    const [row] = await tx<MessageRow[]>`
      select name, payload from ledger.outbox
       where id = ${outboxId} and done_at is null and given_up_at is null
         for update skip locked`;
    if (row === undefined) return undefined;
    try {
      await handlerOf(handlers, row.name)(row.payload);
    } catch (error) {
      observe?.({ name: row.name, outcome: "failed" });
      throw error;
    }
    await tx`update ledger.outbox set done_at = clock_timestamp() where id = ${outboxId}`;
    return row.name;
  });
  if (name === undefined) return "elsewhere";
  observe?.({ name, outcome: "delivered" });
  return "delivered";
}

function handlerOf(handlers: MessageHandlers, name: string): MessageHandler {
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (handler === undefined) throw new UnknownMessage(name);
  return handler;
}
