import { randomUUID } from "node:crypto";

import { append, type AppendRequest } from "@pro-talent/ledger/kernel/append";
import { consentAppend, consentEvent } from "@pro-talent/ledger/testing/consent-append";
import { verifyLedger, type VerifyOptions } from "@pro-talent/ledger/verifier/verify";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import type { ConsentEvent } from "@pro-talent/schemas/consent/events";

import { migrate, startDatabase } from "../faults/drill-services.ts";
import { type BenchOptions, median, quantile } from "./figures.ts";
import { treeCpuSeconds } from "./machine.ts";

const clientCounts = [1, 8, 32] as const;
const warmUpSeconds = 1;
/** Odd, so that a median is one of them. */
const rounds = 3;

/** `combined`: the clients are one process, as in the product; `apart`: as many processes. */
type Arrangement = "combined" | "apart";
type Figures = { readonly perSecond: number; readonly latencies: readonly number[] };

/** Events of a ledger that has been used for long. */
const eventsOfOldLedger = 1_000_000;
const eventsPerFill = 400;

/**
 * How many facts a second the ledger records for clients that each wait for their answer: a consent
 * with its guarding row, durable when answered, by the role of the service. On a new ledger, and on one
 * with a million events.
 */
export async function benchLedgerAppend({
  directory,
  seconds,
  record,
}: BenchOptions): Promise<void> {
  const database = await startDatabase(directory);
  const { context } = database;
  const pools = Array.from({ length: Math.max(...clientCounts) }, () =>
    openPool(context.databaseUrl("ledger_app"), { max: 4, applicationName: "bench" }),
  );
  try {
    await migrate(context, "ledger");
    const [sql = fail()] = pools;
    for (const clients of clientCounts) await benchClients(pools.slice(0, clients), seconds);
    const bytesBefore = await databaseBytes(sql);
    await fill(sql);
    record("ledgerEventBytes", ((await databaseBytes(sql)) - bytesBefore) / eventsOfOldLedger);
    for (const clients of clientCounts) await benchClients(pools.slice(0, clients), seconds);
    await benchDatabase(sql, { seconds, record, pid: database.pid() ?? 0 });
    await benchVerification(context.databaseUrl("ledger_app"));
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.stop();
  }
}

async function benchClients(pools: readonly Sql[], seconds: number): Promise<void> {
  const figures: Record<Arrangement, Figures[]> = { combined: [], apart: [] };
  const [shared] = pools;
  const arranged = { combined: pools.map(() => shared ?? fail()), apart: pools };
  for (const arrangement of ["combined", "apart"] as const)
    await appendFor(arranged[arrangement], warmUpSeconds);
  for (let round = 0; round < rounds; round += 1) {
    for (const arrangement of ["combined", "apart"] as const)
      figures[arrangement].push(await appendFor(arranged[arrangement], seconds));
  }
  for (const [arrangement, measured] of Object.entries(figures)) {
    const perSecond = median(measured.map((one) => one.perSecond)).toFixed(0);
    const p = (share: number) =>
      median(measured.map((one) => quantile(one.latencies, share))).toFixed(1);
    console.log(
      `ledger: ${String(pools.length).padStart(2)} clients ${arrangement.padEnd(8)} ${perSecond.padStart(5)} appends/s  p50 ${p(0.5)} ms  p99 ${p(0.99)} ms`,
    );
  }
}

function fail(): never {
  throw new Error("There is no pool");
}

/** Lets each client append through its pool for a while. */
async function appendFor(pools: readonly Sql[], seconds: number): Promise<Figures> {
  const started = performance.now();
  const end = started + seconds * 1000;
  const latencies: number[] = [];
  async function client(sql: Sql): Promise<void> {
    while (performance.now() < end) {
      const asked = performance.now();
      const result = await append({ sql }, newConsent());
      if (result.status !== "appended") throw new Error(`An append ended as ${result.status}`);
      latencies.push(performance.now() - asked);
    }
  }
  await Promise.all(pools.map(client));
  return { perSecond: (latencies.length * 1000) / (performance.now() - started), latencies };
}

/** What 32 clients of one process get a second, and what an append costs the database. */
async function benchDatabase(
  sql: Sql,
  { seconds, record, pid }: Pick<BenchOptions, "seconds" | "record"> & { pid: number },
): Promise<void> {
  const before = await treeCpuSeconds(pid);
  const clients = Array.from({ length: Math.max(...clientCounts) }, () => sql);
  const { perSecond, latencies } = await appendFor(clients, seconds);
  const spentMs = ((await treeCpuSeconds(pid)) - before) * 1000;
  record("appendsPerSecond", perSecond);
  record("appendDatabaseCpuMs", spentMs / latencies.length);
}

async function databaseBytes(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select pg_database_size(current_database()) as bytes`;
  return row?.bytes ?? 0;
}

/** How long a verification of the chain takes: of all events, and of none since the one before. */
async function benchVerification(url: string): Promise<void> {
  const sql = openPool(url, { max: 1, applicationName: "bench", statementSecondsMax: 3600 });
  let from: VerifyOptions = {};
  for (const what of ["the whole chain", "the chain since then"]) {
    const started = performance.now();
    const { events, end, findings } = await verifyLedger(sql, from);
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    console.log(
      `ledger: ${what}, ${events} events, verified in ${seconds} s, ${findings.length} findings`,
    );
    from = { from: end };
  }
  await sql.end();
}

async function fill(sql: Sql): Promise<void> {
  const events = Array.from({ length: eventsPerFill }, () => consentEvent());
  for (let written = 0; written < eventsOfOldLedger; written += eventsPerFill)
    await append({ sql }, consentAppend({ events, durable: false }));
  console.log(`ledger: ${eventsOfOldLedger.toLocaleString("en")} events more`);
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
