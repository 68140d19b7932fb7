import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { openPool } from "@pro-talent/platform/postgres/pool";

import { load, type NextRequest } from "../bench/load.ts";
import { plantedAddress, scanDirectory } from "./address-scan.ts";
import type { Finding } from "./compare-stored.ts";
import { type DrillOptions, type DrillStack, startDrillStack } from "./drill-stack.ts";
import { pageViews, startConsentedVisits } from "./visits.ts";

/** Addresses that are planted on purpose, one in each store; the scan must find every one. */
const decoys = {
  clickhouse: "203.0.113.201",
  postgres: "203.0.113.202",
  spool: "203.0.113.203",
  logs: "203.0.113.204",
} as const;

/**
 * Sends many events, each from an address of its own, and searches for those addresses in
 * everything that was written: spool, ClickHouse parts, Postgres files and logs. ClickHouse keeps
 * text uncompressed meanwhile, so that a file shows what it holds, and is away for the last part of
 * the load, so that the spool is full of records when it is scanned.
 */
export async function scanDrill(
  options: Pick<DrillOptions, "directory" | "report"> & { events: number },
): Promise<Finding[]> {
  const { directory, report } = options;
  const planted = new Set<string>();
  const stack = await startDrillStack({ directory, collectors: 1 });
  try {
    await sendAll(stack, planted, options);
  } finally {
    // What was in memory is on disk now.
    await stack.stop();
  }
  const decoyAddresses = Object.values(decoys);
  const result = await scanDirectory(directory, new Set([...planted, ...decoyAddresses]));
  const leaked = [...result.found].filter(([address]) => planted.has(address));
  for (const [address, file] of leaked.slice(0, 5)) report(`found ${address} in ${file}`);
  const seen = decoyAddresses.filter((address) => result.found.has(address));
  return [
    {
      statement: "no address of a visitor is in the spool, ClickHouse, Postgres or a log",
      holds: leaked.length === 0,
      figures: `${planted.size} addresses planted, ${leaked.length} found in ${result.files} files (${Math.round(result.bytes / 1e6)} MB on disk)`,
    },
    {
      statement: "the scan finds a decoy in each of the four stores",
      holds: seen.length === decoyAddresses.length,
      figures: `${seen.length} of ${decoyAddresses.length} found`,
    },
  ];
}

type Load = { events: number; report: (line: string) => void };

async function sendAll(stack: DrillStack, planted: Set<string>, load: Load): Promise<void> {
  const { events, report } = load;
  const url = stack.collectors[0]?.url ?? "";
  await keepTextUncompressed(stack);
  const next = pageViews(await startConsentedVisits(url, 200), (n) => {
    const address = plantedAddress(n);
    planted.add(address);
    return address;
  });
  await send(url, next, { events: events * 0.9, report });
  await stack.untilShipped(300_000);
  await plantInDatabases(stack);
  await stack.stopClickhouse();
  await send(url, next, { events: events * 0.1, report });
  await plantInFiles(stack);
}

async function send(url: string, next: NextRequest, { events, report }: Load): Promise<void> {
  let accepted = 0;
  while (accepted < events) {
    const result = await load({ url, connections: 50, seconds: 10, next });
    accepted += result.accepted;
    report(`${accepted} of ${Math.ceil(events)} events accepted`);
    if (result.accepted === 0) throw new Error("The collector accepts nothing");
  }
}

async function plantInDatabases(stack: DrillStack): Promise<void> {
  const sql = openPool(stack.ownerUrl, { max: 1, applicationName: "drill" });
  await sql`create schema decoy`;
  await sql`create table decoy.planted (text text)`;
  await sql`insert into decoy.planted values (${decoys.postgres})`;
  await sql.end();
  // In the product's own table: its text can be read in the files.
  await stack.runClickhouse(`INSERT INTO events_in (kind, event_data)
    SELECT 'custom', '${decoys.clickhouse}' FROM numbers(1000)`);
}

/** Numbers and ids stay compressed: they hold no text. */
async function keepTextUncompressed(stack: DrillStack): Promise<void> {
  const columns = await stack.rows(`SELECT c.table AS table, c.name AS name
    FROM system.columns AS c JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
    WHERE c.database = currentDatabase() AND t.engine LIKE '%MergeTree' AND c.type LIKE '%String%'`);
  for (const { table, name } of columns)
    await stack.runClickhouse(
      `ALTER TABLE ${String(table)} MODIFY COLUMN ${String(name)} CODEC(NONE)`,
    );
}

async function plantInFiles({ directory, logs }: DrillStack): Promise<void> {
  const spool = (await readdir(directory)).find((name) => name.startsWith("spool"));
  const plant = (path: string, address: string): Promise<void> =>
    writeFile(path, `\u0000${address}\u0000`, { flag: "wx" });
  await plant(join(directory, spool ?? "", "decoy"), decoys.spool);
  await plant(join(logs, "decoy.log"), decoys.logs);
}
