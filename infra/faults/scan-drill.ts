import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { analyticsPaths } from "@pro-talent/schemas/analytics/wire";
import postgres from "postgres";
import { v7 as uuidV7 } from "uuid";

import { load, type NextRequest } from "../bench/load.ts";
import { plantDecoyFile, scanDirectory } from "./address-scan.ts";
import type { Finding } from "./compare-stored.ts";
import { type DrillStack, startDrillStack } from "./drill-stack.ts";
import { openConsentedSessions } from "./open-sessions.ts";
import { plantedAddress } from "./planted-addresses.ts";

/** Addresses that are planted on purpose, one in each store; the scan must find every one. */
const decoys = {
  clickhouse: "203.0.113.201",
  postgres: "203.0.113.202",
  spool: "203.0.113.203",
  logs: "203.0.113.204",
} as const;

/**
 * Sends many events, each from an address of its own, and looks for those addresses in everything
 * that was written: spool, ClickHouse parts, Postgres files and logs. ClickHouse is away for the
 * last part of the load, so that the spool is full of records when it is scanned.
 */
export async function scanDrill(options: {
  directory: string;
  events: number;
  say: (line: string) => void;
}): Promise<Finding[]> {
  const stack = await startDrillStack({ directory: options.directory, collectors: 1 });
  let stopped = false;
  try {
    const planted = new Set<string>();
    const sender = await plantingSender(stack, planted);
    await send(stack, sender, { ...options, events: options.events * 0.9 });
    await stack.untilShipped(300_000);
    await plantInDatabases(stack);
    await stack.removeClickhouse();
    await send(stack, sender, { ...options, events: options.events * 0.1 });
    await plantInFiles(stack);
    // Stores at rest: what was in memory is on disk now.
    await stack.stop();
    stopped = true;
    const targets = new Set([...planted, ...Object.values(decoys)]);
    const result = await scanDirectory(options.directory, targets);
    const leaked = [...result.found.keys()].filter((address) => planted.has(address));
    for (const address of leaked.slice(0, 5)) options.say(`found ${address} in a store`);
    const seen = Object.values(decoys).filter((address) => result.found.has(address));
    return [
      {
        statement: "no address of a visitor is in the spool, ClickHouse, Postgres or a log",
        holds: leaked.length === 0,
        figures: `${planted.size} addresses planted, ${leaked.length} found in ${result.files} files (${Math.round(result.bytes / 1e6)} MB on disk)`,
      },
      {
        statement: "the scan finds a decoy in each of the four stores",
        holds: seen.length === Object.keys(decoys).length,
        figures: `${seen.length} of ${Object.keys(decoys).length} found`,
      },
    ];
  } finally {
    if (!stopped) await stack.stop();
  }
}

/** Page views of consenting visitors, each from the next planted address. */
async function plantingSender(stack: DrillStack, planted: Set<string>): Promise<NextRequest> {
  const sessions = await openConsentedSessions(stack.collectors[0]?.url ?? "", 200);
  let sent = 0;
  return () => {
    const address = plantedAddress(sent);
    planted.add(address);
    sent += 1;
    return {
      path: analyticsPaths.trackPageView,
      body: JSON.stringify({
        sessionId: sessions[sent % sessions.length],
        page: `/pages/${sent % 100}`,
        eventId: uuidV7(),
      }),
      headers: {
        "content-type": "application/json",
        "accept-language": "en",
        "accept-encoding": "gzip",
        accept: "*/*",
        "user-agent":
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36",
        "x-forwarded-for": address,
      },
    };
  };
}

async function send(
  stack: DrillStack,
  next: NextRequest,
  options: { events: number; say: (line: string) => void },
): Promise<void> {
  const url = stack.collectors[0]?.url ?? "";
  let accepted = 0;
  while (accepted < options.events) {
    const result = await load({ url, connections: 50, seconds: 10, next });
    accepted += result.accepted;
    options.say(`${accepted} of ${Math.ceil(options.events)} events accepted`);
    if (result.accepted === 0) throw new Error("The collector accepts nothing");
  }
}

async function plantInDatabases(stack: DrillStack): Promise<void> {
  const sql = postgres(stack.ownerUrl, { max: 1, onnotice: () => undefined });
  await sql`create schema decoy`;
  await sql`create table decoy.planted (text text)`;
  await sql`insert into decoy.planted values (${decoys.postgres})`;
  await sql.end();
  const column = "text String CODEC(ZSTD(3))";
  await stack.runClickhouse(`CREATE TABLE decoy (${column}) ENGINE = MergeTree ORDER BY tuple()`);
  await stack.runClickhouse(`INSERT INTO decoy SELECT '${decoys.clickhouse}' FROM numbers(1000)`);
}

async function plantInFiles(stack: DrillStack): Promise<void> {
  const spool = (await readdir(stack.directory)).find((name) => name.startsWith("spool"));
  await plantDecoyFile(join(stack.directory, spool ?? "", "decoy"), decoys.spool);
  await plantDecoyFile(join(stack.logs, "decoy.log"), decoys.logs);
}
