import { randomUUID } from "node:crypto";

import { connectGateDatabase, ConsentGate } from "@pro-talent/collector/consent/consent-gate";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";

import { migrate, startDatabase } from "../faults/drill-services.ts";
import { OWNER_ROLE } from "../postgres/roles.ts";
import { type BenchOptions, median } from "./figures.ts";
import { processCpuSeconds } from "./machine.ts";

const consenting = 200_000;
/** Visitors that one collector sees meanwhile. */
const present = 20_000;
/** Decisions a second of other visitors, which a cache has to learn of. */
const decisionsPerSecond = 50;
/** Questions at once: a collector under little load, under load, and at its limit. */
const atOnce = [1, 15, 100, 1000];
/** Odd, so that a median is one of them; with and without memory take turns. */
const rounds = 3;

type Figures = { perSecond: number; perQuery: number; clientUs: number; databaseUs: number };

/**
 * Questions of the consent gate in a closed loop, with what is remembered and without, among
 * decisions of others. Processor time is that of the gate and that of its connections in Postgres.
 */
export async function benchGate({ directory, seconds }: BenchOptions): Promise<void> {
  console.log(`\nconsent gate, ${present} of ${consenting} visitors, rounds of ${seconds} s`);
  const { context, stop } = await startDatabase(directory);
  await migrate(context, "ledger");
  const owner = openPool(context.databaseUrl(OWNER_ROLE), { max: 2, applicationName: "bench" });
  const ids = await makeVisitors(owner);
  const url = context.databaseUrl("collector_app");
  try {
    for (const questions of atOnce) {
      const taken: Record<"remembers" | "asks", Figures[]> = { remembers: [], asks: [] };
      for (let round = 0; round < rounds; round += 1) {
        for (const kind of ["remembers", "asks"] as const) {
          const options = { url, owner, ids, questions, seconds };
          taken[kind].push(
            await measure({ ...options, rememberedMax: present * Number(kind === "remembers") }),
          );
        }
      }
      print(questions, taken);
    }
  } finally {
    await owner.end();
    await stop();
  }
}

/** Rows as the ledger writes them; they are older than every position that a gate remembers. */
async function makeVisitors(owner: Sql): Promise<string[]> {
  const rows = await owner<{ visitor_id: string }[]>`
    insert into ledger.consent_current (visitor_id, purpose, granted, pos)
    select gen_random_uuid(), 'analytics', true, 0 from generate_series(1, ${consenting})
    returning visitor_id`;
  await owner`vacuum analyze ledger.consent_current`;
  return rows.slice(0, present).map(({ visitor_id }) => visitor_id);
}

async function measure(options: {
  url: string;
  owner: Sql;
  ids: readonly string[];
  questions: number;
  seconds: number;
  rememberedMax: number;
}): Promise<Figures> {
  const { url, owner, ids, questions, seconds, rememberedMax } = options;
  const database = connectGateDatabase(url);
  let [answered, queries] = [0, 0];
  const gate = new ConsentGate({
    database,
    rememberedMax,
    onBatch: (size) => {
      answered += size;
      queries += 1;
    },
    onChange: () => undefined,
  });
  // All are known before the first measured question, as after a while in production.
  for (let n = 0; n < ids.length; n += 500) {
    await Promise.all(ids.slice(n, n + 500).map((id) => gate.granted(id)));
  }
  const deciding = setInterval(() => void decide(owner), 1000 / decisionsPerSecond);
  const before = { client: process.cpuUsage(), database: await cpuOfConnections(owner) };
  [answered, queries] = [0, 0];
  const from = performance.now();
  const asker = async (first: number): Promise<void> => {
    for (let n = first; performance.now() - from < seconds * 1000; n += 7) {
      await gate.granted(ids[n % ids.length] ?? "");
    }
  };
  await Promise.all(Array.from({ length: questions }, (_, n) => asker(n * 13)));
  const taken = performance.now() - from;
  const client = process.cpuUsage(before.client);
  const ofDatabase = (await cpuOfConnections(owner)) - before.database;
  clearInterval(deciding);
  await database.sql.end({ timeout: 1 });
  return {
    perSecond: (answered * 1000) / taken,
    perQuery: answered / queries,
    clientUs: (client.user + client.system) / answered,
    databaseUs: (ofDatabase * 1_000_000) / answered,
  };
}

/** A decision of another visitor: the position goes on, and one row is written. */
async function decide(owner: Sql): Promise<void> {
  await owner`
    with head as (update ledger.head set pos = pos + 1 returning pos)
    insert into ledger.consent_current (visitor_id, purpose, granted, pos)
    select ${randomUUID()}::uuid, 'analytics', true, pos from head`;
}

async function cpuOfConnections(owner: Sql): Promise<number> {
  const rows = await owner<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'collector-gate'`;
  const seconds = await Promise.all(rows.map(({ pid }) => processCpuSeconds(pid)));
  return seconds.reduce((sum, each) => sum + each, 0);
}

function print(questions: number, taken: Record<"remembers" | "asks", Figures[]>): void {
  const medianOf = (kind: "remembers" | "asks", figure: keyof Figures): number =>
    median(taken[kind].map((each) => each[figure]));
  const perCore = (kind: "remembers" | "asks"): number =>
    1_000_000 / (medianOf(kind, "clientUs") + medianOf(kind, "databaseUs"));
  for (const kind of ["asks", "remembers"] as const) {
    console.log(
      `  ${String(questions).padStart(4)} at once, ${kind.padEnd(9)} ${medianOf(kind, "perSecond").toFixed(0).padStart(7)}/s, ${medianOf(kind, "perQuery").toFixed(0)} a query; processor µs a question: gate ${medianOf(kind, "clientUs").toFixed(2)}, Postgres ${medianOf(kind, "databaseUs").toFixed(2)}; ${perCore(kind).toFixed(0)} questions/s per core`,
    );
  }
  console.log(
    `       with memory ${(perCore("remembers") / perCore("asks")).toFixed(2)} times as many per core as without`,
  );
}
