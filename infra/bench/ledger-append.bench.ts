import { createHash, randomBytes, randomUUID } from "node:crypto";

import { consentEvents, consentStream } from "@pro-talent/ledger/consent/consent-events";
import { currentConsent } from "@pro-talent/ledger/consent/current-consent.projection";
import { append } from "@pro-talent/ledger/event-store/append";
import { migrateLedger } from "@pro-talent/ledger/migrate";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import type { ConsentEvent } from "@pro-talent/schemas/consent/events";
import { VisitorId } from "@pro-talent/schemas/primitives/ids";

const clients = 8;
const warmUpSeconds = 1;
const measuredSeconds = 5;
const serviceRoles = ["ledger_app", "collector_app", "ledger_shredder"];

/**
 * How many facts a second the ledger records for 8 clients, each waiting for its answer: a consent
 * with its guarding row, one durable transaction each, by the role of the service.
 * @param postgresUrl a superuser; the bench makes a database of its own and drops it
 */
export async function benchLedgerAppend(
  postgresUrl: string,
): Promise<{ appendsPerSecond: number; clients: number }> {
  const admin = openPool(postgresUrl, { max: 1, applicationName: "bench" });
  const database = `bench_${randomBytes(6).toString("hex")}`;
  const url = new URL(postgresUrl);
  url.pathname = `/${database}`;
  const madeRoles = await ensureRoles(admin);
  await admin.unsafe(`create database ${database}`);
  try {
    await migrateLedger(url.href);
    // The service's rights without its password: the superuser takes its role on.
    url.searchParams.set("options", "-c role=ledger_app");
    return { appendsPerSecond: await measure(url.href), clients };
  } finally {
    await admin.unsafe(`drop database ${database} with (force)`);
    for (const role of madeRoles) await admin.unsafe(`drop role ${role}`);
    await admin.end();
  }
}

async function ensureRoles(admin: Sql): Promise<string[]> {
  const known = await admin<{ name: string }[]>`select rolname as name from pg_roles`;
  const missing = serviceRoles.filter((role) => known.every(({ name }) => name !== role));
  for (const role of missing) await admin.unsafe(`create role ${role}`);
  return missing;
}

async function measure(url: string): Promise<number> {
  const sql = openPool(url, { max: clients, applicationName: "bench" });
  try {
    await appendFor(sql, warmUpSeconds);
    const started = performance.now();
    const appended = await appendFor(sql, measuredSeconds);
    return appended / ((performance.now() - started) / 1000);
  } finally {
    await sql.end();
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

function newConsent(): Parameters<typeof append<ConsentEvent>>[1] {
  const commandId = randomUUID();
  return {
    family: consentEvents,
    stream: consentStream(VisitorId.parse(randomUUID())),
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
    commandId,
    bodyHash: createHash("sha256").update(commandId).digest(),
    reply: '{"receiptId":null,"recorded":true,"state":"granted"}',
    inline: [currentConsent],
  };
}
