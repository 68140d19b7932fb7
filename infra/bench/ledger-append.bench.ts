import { randomUUID } from "node:crypto";

import { append, type AppendRequest } from "@pro-talent/ledger/kernel/append";
import { consentAppend } from "@pro-talent/ledger/testing/consent-append";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import type { ConsentEvent } from "@pro-talent/schemas/consent/events";

import { migrate, startDatabase } from "../faults/drill-services.ts";
import type { BenchOptions } from "./figures.ts";

const clients = 8;
const warmUpSeconds = 1;
const measuredSeconds = 5;

/**
 * How many facts a second the ledger records for 8 clients, each waiting for its answer: a consent
 * with its guarding row, one durable transaction each, by the role of the service.
 */
export async function benchLedgerAppend({ directory }: BenchOptions): Promise<void> {
  const database = await startDatabase(directory);
  const { context } = database;
  const url = context.databaseUrl("ledger_app");
  const sql = openPool(url, { max: clients, applicationName: "bench" });
  try {
    await migrate(context, "ledger");
    await appendFor(sql, warmUpSeconds);
    const started = performance.now();
    const appended = await appendFor(sql, measuredSeconds);
    const perSecond = appended / ((performance.now() - started) / 1000);
    console.log(`\nledger: ${perSecond.toFixed(0)} appends/s with ${clients} clients`);
  } finally {
    await sql.end();
    await database.stop();
  }
}

/** Lets all clients append for a while; returns how many appends were acknowledged. */
async function appendFor(sql: Sql, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let appended = 0;
  async function client(): Promise<void> {
    while (performance.now() < end) {
      const result = await append({ sql }, newConsent());
      if (result.status !== "appended") throw new Error(`An append ended as ${result.status}`);
      appended += 1;
    }
  }
  await Promise.all(Array.from({ length: clients }, client));
  return appended;
}

function newConsent(): AppendRequest<ConsentEvent> {
  return consentAppend({
    expected: 0,
    events: [
      {
        type: "ConsentGranted",
        data: {
          purpose: "analytics",
          method: "accept_all",
          notice: { version: "2025-10-17", language: "en", textHash: "a".repeat(64) },
          receiptId: randomUUID(),
        },
      },
    ],
    reply: '{"receiptId":null,"recorded":true,"state":"granted"}',
  });
}
