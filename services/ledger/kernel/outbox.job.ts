import type { Sql } from "@pro-talent/platform/postgres/pool";
import { defineJob, handleJob, type RunnableJob } from "@pro-talent/platform/queue/define-job";
import { z } from "zod";

import { deliverMessage, type ObserveDelivery } from "./deliver.ts";
import type { MessageHandlers } from "./message-handlers.ts";

/** Delivers one message of the outbox; what it says stays there. */
export const deliverMessageJob = defineJob({
  name: "ledger.deliver-message",
  payload: z.strictObject({ outboxId: z.int().positive() }),
  // Half a minute in all; the outbox comes back to what fails for longer.
  retry: { attempts: 5, backoffMs: 2000 },
});

/** @param options.sql a pool of the role `ledger_app`; one connection per job stays with its lock */
export function handleDeliverMessage(options: {
  sql: Sql;
  handlers: MessageHandlers;
  observe: ObserveDelivery;
}): RunnableJob {
  return handleJob(deliverMessageJob, async ({ outboxId }) => {
    await deliverMessage(options.sql, options.handlers, outboxId, options.observe);
  });
}
