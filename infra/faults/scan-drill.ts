import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { spellingsOf } from "@pro-talent/platform/search/spellings";

import { load, type NextRequest } from "../bench/load.ts";
import { plantedAddress, scanDirectory } from "./address-scan.ts";
import type { Finding } from "./compare-stored.ts";
import { linkCode } from "./drill-links.ts";
import { type DrillOptions, type DrillStack, startDrillStack } from "./drill-stack.ts";
import { plantedValues, plantText } from "./planted-texts.ts";
import { hasRedis, startRedis } from "./redis-server.ts";
import { openHeaders, pageViews, startConsentedVisits } from "./visits.ts";

/** Addresses that are planted on purpose, one in each store; the scan must find every one of them. */
const decoys = {
  clickhouse: "203.0.113.201",
  postgres: "203.0.113.202",
  spool: "203.0.113.203",
  logs: "203.0.113.204",
  redis: "203.0.113.205",
} as const;
/** The same for texts: in each store beside the address. */
const decoyText = (address: string): string => `decoy.${address}@example.org`;

/**
 * Sends many events and opens of share links, each from an address of its own, and personal data and secrets of every kind in
 * every field and header that takes text. Searches for them, in many encodings, in everything that
 * was written: spool, ClickHouse parts, Postgres files, logs, Redis where the machine has it (the
 * queue is in Postgres otherwise), and the rows of every table of both databases. ClickHouse keeps
 * text uncompressed meanwhile, so that a file shows what it holds, and is away for the last part of
 * the load, so that the spool is full of records when it is scanned.
 */
export async function scanDrill(
  options: Pick<DrillOptions, "directory" | "report"> & { events: number; opens: number },
): Promise<Finding[]> {
  const { directory } = options;
  const planted = new Set<string>();
  await mkdir(join(directory, "logs"), { recursive: true });
  const redis = (await hasRedis()) ? await startRedis(directory) : undefined;
  const queueUrl = redis?.url;
  const stack = await startDrillStack({ directory, collectors: 1, worker: true, queueUrl });
  const rows = await mkdtemp(`${directory}-rows-`);
  try {
    await sendAll(stack, planted, { ...options, rows });
    await redis?.keep(`${decoys.redis} ${decoyText(decoys.redis)}`.replace(" ", "_"));
  } finally {
    // What was in memory is on disk now.
    await stack.stop();
    await redis?.stop();
  }
  const stores = Object.entries(decoys).filter(([store]) => store !== "redis" || redis);
  try {
    return [
      ...(await scanFor("in files", directory, planted, { stores, ...options })),
      ...(await scanFor("in rows", rows, planted, {
        stores: stores.filter(([store]) => store === "clickhouse" || store === "postgres"),
        ...options,
      })),
    ];
  } finally {
    await rm(rows, { recursive: true });
  }
}

/** What a scan of a directory shows, and whether it found the decoys that must be in it. */
async function scanFor(
  where: string,
  directory: string,
  planted: ReadonlySet<string>,
  { stores, report }: { stores: readonly (readonly [string, string])[]; report: Load["report"] },
): Promise<Finding[]> {
  const values = plantedValues();
  const spellings = new Set(values.flatMap(spellingsOf));
  const expected = stores.flatMap(([, address]) => [address, decoyText(address)]);
  const addresses = new Set([...planted, ...expected]);
  const result = await scanDirectory(directory, addresses, [...spellings, ...expected]);
  const found = [...result.found];
  const leaked = found.filter(([address]) => planted.has(address));
  const leakedTexts = found.filter(([text]) => spellings.has(text));
  for (const [text, file] of [...leaked, ...leakedTexts].slice(0, 20))
    report(`found ${text} in ${file}`);
  const seen = expected.filter((decoy) => result.found.has(decoy));
  const size = `${result.files} files (${Math.round(result.bytes / 1e6)} MB)`;
  return [
    {
      statement: `no address of a visitor is stored, ${where}`,
      holds: planted.size > 0 && leaked.length === 0,
      figures: `${planted.size} addresses planted, ${leaked.length} found in ${size}`,
    },
    {
      statement: `no personal data or secret of a text field or header is stored, ${where}`,
      holds: leakedTexts.length === 0,
      figures: `${values.length} values planted in every field, with and without consent, ${leakedTexts.length} of ${spellings.size} spellings found`,
    },
    {
      statement: `the scan finds the decoys, ${where}`,
      holds: seen.length === expected.length,
      figures: `${seen.length} of ${expected.length} found: ${stores.map(([store]) => store).join(", ")}`,
    },
  ];
}

type Load = { events: number; report: (line: string) => void };

/** Opens of share links: each by a visitor of its own, from an address that no event has. */
function opensFrom(planted: Set<string>): NextRequest {
  let sent = 0;
  return () => {
    const n = sent++;
    const address = plantedAddress(firstOpenAddress + n);
    planted.add(address);
    return { path: `/l/${linkCode(n % 100)}`, headers: openHeaders(n, address) };
  };
}

const firstOpenAddress = 1_000_000_000;

/** @param rows the directory that receives the rows of all tables */
async function sendAll(
  stack: DrillStack,
  planted: Set<string>,
  { events, opens, report, rows }: Load & { opens: number; rows: string },
): Promise<void> {
  const url = stack.collectors[0]?.url ?? "";
  await keepTextUncompressed(stack);
  const next = pageViews(await startConsentedVisits(url, 200), (n) => {
    const address = plantedAddress(n);
    planted.add(address);
    return address;
  });
  await send(url, next, { events: events * 0.9, report });
  const nextOpen = opensFrom(planted);
  await sendOpens(url, nextOpen, { events: opens * 0.9, report });
  const values = plantedValues();
  for (const value of values) await plantText(url, value);
  await stack.untilShipped(300_000);
  await plantInDatabases(stack);
  await writeRows(stack, rows);
  await stack.stopClickhouse();
  await send(url, next, { events: events * 0.1, report });
  await sendOpens(url, nextOpen, { events: opens * 0.1, report });
  for (const value of values) await plantText(url, value);
  await plantInFiles(stack);
}

type Answered = { method?: "GET"; expected?: number };

async function send(
  url: string,
  next: NextRequest,
  { events, report, ...answered }: Load & Answered,
): Promise<void> {
  let accepted = 0;
  while (accepted < events) {
    const result = await load({ url, connections: 50, seconds: 10, next, ...answered });
    accepted += result.accepted;
    report(`${accepted} of ${Math.ceil(events)} ${answered.method ? "opens" : "events"} accepted`);
    if (result.accepted === 0) throw new Error("The collector accepts nothing");
  }
}

const sendOpens = (url: string, next: NextRequest, size: Load): Promise<void> =>
  send(url, next, { ...size, method: "GET", expected: 302 });

async function plantInDatabases(stack: DrillStack): Promise<void> {
  const sql = openPool(stack.ownerUrl, { max: 1, applicationName: "drill" });
  await sql`create schema decoy`;
  await sql`create table decoy.planted (text text)`;
  await sql`insert into decoy.planted values (${decoys.postgres}), (${decoyText(decoys.postgres)})`;
  await sql.end();
  // In the product's own table: its text can be read in the files. Old events would soon be deleted.
  await stack.runClickhouse(`INSERT INTO events_in (kind, occurred_at, event_data)
    SELECT 'custom', now64(3), '${decoys.clickhouse} ${decoyText(decoys.clickhouse)}' FROM numbers(1000)`);
}

/** Every text of every column in ClickHouse, and every row of Postgres as text, in files. */
async function writeRows(stack: DrillStack, directory: string): Promise<void> {
  for (const { table, name } of await textColumns(stack)) {
    const texts = await stack.rows(`SELECT DISTINCT toString(${name}) AS text FROM ${table}`);
    const lines = texts.map(({ text }) => `${String(text)}\n`);
    await writeFile(join(directory, `clickhouse.${table}.${name}`), lines.join(""));
  }
  const sql = openPool(stack.ownerUrl, { max: 1, applicationName: "drill" });
  const tables = await sql<{ table: string }[]>`
    select format('%I.%I', schemaname, tablename) as table from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  for (const { table } of tables) {
    const texts = await sql.unsafe(`select t::text as text from ${table} t`);
    const lines = texts.map(({ text }) => `${String(text)}\n`);
    await writeFile(join(directory, `postgres.${table}`), lines.join(""));
  }
  await sql.end();
}

/** Numbers and ids stay compressed: they hold no text. */
async function keepTextUncompressed(stack: DrillStack): Promise<void> {
  for (const { table, name } of await textColumns(stack))
    await stack.runClickhouse(`ALTER TABLE ${table} MODIFY COLUMN ${name} CODEC(NONE)`);
}

async function textColumns(stack: DrillStack): Promise<{ table: string; name: string }[]> {
  const columns = await stack.rows(`SELECT c.table AS table, c.name AS name
    FROM system.columns AS c JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
    WHERE c.database = currentDatabase() AND t.engine LIKE '%MergeTree' AND c.type LIKE '%String%'`);
  return columns.map(({ table, name }) => ({ table: String(table), name: String(name) }));
}

async function plantInFiles({ directory, logs }: DrillStack): Promise<void> {
  const spool = (await readdir(directory)).find((name) => name.startsWith("spool"));
  const plant = (path: string, address: string): Promise<void> =>
    writeFile(path, `\u0000${address}\u0000${decoyText(address)}\u0000`, { flag: "wx" });
  await plant(join(directory, spool ?? "", "decoy"), decoys.spool);
  await plant(join(logs, "decoy.log"), decoys.logs);
}
