import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { z } from "zod";

import { CLICKHOUSE_DATABASE } from "../embedded/addresses.ts";
import { type OpenSet, readArchive, writeArchive } from "./archive.ts";
import type { Archive, Manifest } from "./manifest.ts";

const Table = z.strictObject({ name: z.string(), engine: z.string(), create: z.string() });
const Tables = z.array(Table);
type Table = z.infer<typeof Table>;
type Visits = Manifest["visits"];

const isPlain = /^(?:Replicated)?MergeTree$/u;
const schemaArchive = "clickhouse";
/** Aggregated states and materialised columns as they are, without the triggers that made them. */
const nativeFormat = "FORMAT Native";

/**
 * Copies every table through ClickHouse's HTTP interface, each as one consistent snapshot, in the
 * engine's own binary format: the same for the embedded engine and a server.
 * @throws OperatorError for a cluster, of which one node holds a part
 */
export async function copyClickhouse(
  set: OpenSet,
  url: string,
): Promise<{ archives: Archive[]; visits: Visits }> {
  const tables = await tablesOf(url);
  if (tables.some(({ engine }) => engine === "Distributed"))
    throw new OperatorError(
      "A cluster is not backed up here: this node holds a part of it (infra/docs/decisions, 64)",
    );
  const text = Readable.from([Buffer.from(JSON.stringify(tables), "utf8")]);
  const archives = [await writeArchive(set, schemaArchive, text)];
  const visits: Visits = [];
  for (const { name, engine } of tables.filter(holdsRows)) {
    const before = await countOf(url, name);
    const rows = await statement(url, `SELECT * FROM ${quoted(name)} ${nativeFormat}`);
    archives.push(await writeArchive(set, archiveOf(name), rows));
    // Rows of aggregates are joined whenever the engine likes: their number says nothing.
    if (!isPlain.test(engine)) continue;
    visits.push({ table: name, before, after: await countOf(url, name) });
  }
  return { archives, visits };
}

/** Makes the tables and fills them; what follows from inserts is made last, so that nothing doubles. */
export async function restoreClickhouse(
  set: OpenSet,
  { archives }: Manifest,
  url: string,
): Promise<void> {
  const named = (name: string): Archive => {
    const found = archives.find((archive) => archive.name === name);
    if (found === undefined) throw new Error(`The set has no archive ${name}`);
    return found;
  };
  const text = new PassThrough();
  const [schema] = await Promise.all([buffer(text), readArchive(set, named(schemaArchive), text)]);
  const tables = Tables.parse(JSON.parse(schema.toString("utf8")));
  await execute(url, `CREATE DATABASE IF NOT EXISTS ${quoted(CLICKHOUSE_DATABASE)}`, "default");
  const derived = ({ engine }: Table): boolean => engine.endsWith("View");
  for (const { create } of tables.filter((table) => !derived(table))) await execute(url, create);
  for (const { name } of tables.filter(holdsRows)) {
    const rows = new PassThrough();
    const reading = readArchive(set, named(archiveOf(name)), rows);
    if (named(archiveOf(name)).plainBytes === 0) {
      rows.resume();
      await reading;
      continue;
    }
    const into = `INSERT INTO ${quoted(name)} ${nativeFormat}`;
    await Promise.all([reading, statement(url, into, rows).then(buffer)]);
  }
  for (const { create } of tables.filter(derived)) await execute(url, create);
}

/** Rows of each table that holds any, by its name. */
export async function countRows(url: string): Promise<ReadonlyMap<string, number>> {
  const tables = (await tablesOf(url)).filter(holdsRows);
  const counts = tables.map(async ({ name }) => [name, await countOf(url, name)] as const);
  return new Map(await Promise.all(counts));
}

/** Deletes the rows of these subjects from every table that names them in this column. */
export async function eraseRows(
  url: string,
  column: "visitor_id" | "account_id",
  subjects: readonly string[],
): Promise<void> {
  if (subjects.length === 0) return;
  const ids = z.array(z.uuid()).parse(subjects);
  const list = ids.map((id) => `'${id}'`).join(", ");
  const found = await execute(
    url,
    `SELECT table FROM system.columns WHERE database = '${CLICKHOUSE_DATABASE}'
       AND name = '${column}' ORDER BY table FORMAT TSV`,
  );
  const holding = new Set((await tablesOf(url)).filter(holdsRows).map(({ name }) => name));
  for (const name of found.split("\n").filter((table) => holding.has(table))) {
    await execute(
      url,
      `ALTER TABLE ${quoted(name)} DELETE WHERE toString(${column}) IN (${list}) SETTINGS mutations_sync = 2`,
    );
  }
}

function holdsRows({ engine }: Table): boolean {
  return engine.endsWith("MergeTree");
}

function archiveOf(table: string): string {
  return `clickhouse-${table}`;
}

function quoted(name: string): string {
  return `\`${name.replaceAll(/[`\\]/gu, "")}\``;
}

async function tablesOf(url: string): Promise<Table[]> {
  const text = await execute(
    url,
    `SELECT name, engine, create_table_query AS create FROM system.tables
      WHERE database = '${CLICKHOUSE_DATABASE}' AND NOT startsWith(name, '.inner')
      ORDER BY name FORMAT JSONEachRow`,
    "default",
  );
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Table.parse(JSON.parse(line)));
}

async function countOf(url: string, table: string): Promise<number> {
  return Number(await execute(url, `SELECT count() FROM ${quoted(table)} FORMAT TSV`));
}

async function execute(url: string, sql: string, database?: string): Promise<string> {
  return (await buffer(await statement(url, sql, undefined, database))).toString("utf8").trim();
}

/** Sends one statement, the rows of an insert after it. @returns the answer's body */
async function statement(
  url: string,
  sql: string,
  rows?: Readable,
  database: string = CLICKHOUSE_DATABASE,
): Promise<Readable> {
  const { origin, username, password } = new URL(url);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const query = new URLSearchParams({ database, ...(rows && { query: sql }) });
  const response = await fetch(`${origin}/?${query.toString()}`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
    body: rows === undefined ? sql : Readable.toWeb(rows),
    duplex: "half",
  });
  if (!response.ok || response.body === null) {
    // The engine's message may quote data: only its code is shown.
    const code = /Code: \d+/u.exec(await response.text())?.[0] ?? `status ${response.status}`;
    throw new Error(`ClickHouse refused a statement of the backup (${code})`);
  }
  return Readable.fromWeb(response.body);
}
