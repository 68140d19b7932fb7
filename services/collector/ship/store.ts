import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";

import { ClickHouseError } from "@clickhouse/client";
import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";

import { partitionOf, type ShippedRow, type TargetTable } from "./tables.ts";

/** A database of ClickHouse, and the signal that ends all calls to it. */
export type Store = { clickhouse: ClickHouseClient; database: string; signal: AbortSignal };

/** Rows are inserted as one block, in their order, or refused as a whole. */
const insertSettings = {
  async_insert: 0,
  // On a cluster: into every shard before the answer.
  distributed_foreground_insert: 1,
  wait_end_of_query: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  date_time_input_format: "best_effort",
  // A field without a column would be lost silently; a row with null would store a default.
  input_format_skip_unknown_fields: 0,
  input_format_null_as_default: 0,
  input_format_parallel_parsing: 0,
} as const;

/** Copied at once; some tenths of a millisecond. */
const linesPerPiece = 200;

/** The lines as few larger buffers. The event loop runs between them: a copy of all takes long. */
async function* piecesOf(lines: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (let start = 0; start < lines.length; start += linesPerPiece) {
    yield Buffer.concat(lines.slice(start, start + linesPerPiece));
    await nextTurn();
  }
}

/**
 * Inserts NDJSON lines under a token: repeated with the same token and lines, they are stored once.
 * @throws what the client throws; see `failureOf`
 */
export async function insertLines(
  store: Store,
  insert: { table: string; segment: string; token: string; lines: readonly Buffer[] },
): Promise<void> {
  const result = await store.clickhouse.exec({
    query: `INSERT INTO \`${store.database}\`.${insert.table} FORMAT JSONEachRow`,
    values: Readable.from(piecesOf(insert.lines), { objectMode: false }),
    clickhouse_settings: { ...insertSettings, insert_deduplication_token: insert.token },
    query_id: `${insert.segment}:${randomUUID()}`,
    abort_signal: store.signal,
  });
  for await (const _chunk of result.stream) {
    // An insert answers nothing; reading to the end frees the connection.
  }
}

const insertEndMs = 30_000;
const insertPollMs = 200;

/**
 * Resolves once no insert of a segment runs any more: a connection may be lost long before its insert
 * ends.
 * @throws Error when one still runs after half a minute
 */
export async function untilInserted(store: Store, segment: string): Promise<void> {
  const before = performance.now() + insertEndMs;
  while (await isInserting(store, segment)) {
    if (performance.now() > before) throw new Error("An insert of the segment still runs");
    await delay(insertPollMs, undefined, { signal: store.signal });
  }
}

async function isInserting(store: Store, segment: string): Promise<boolean> {
  const result = await store.clickhouse.query({
    query:
      "SELECT query_id FROM system.processes WHERE startsWith(query_id, {segment:String}) LIMIT 1",
    query_params: { segment: `${segment}:` },
    format: "JSONEachRow",
    abort_signal: store.signal,
  });
  return (await result.json()).length > 0;
}

/**
 * What a failed call to ClickHouse means for its rows:
 * - `not_sent`: the server took no connection; this call stored nothing
 * - `refused`: the table cannot read a row; nothing was stored, and repeating does not change that
 * - `unknown`: anything else; some tables may have stored the rows
 */
export type Failure = "not_sent" | "refused" | "unknown";

/** Codes of ClickHouse (ErrorCodes.cpp) for a value in the data, not for the server. */
const dataCodes = new Set([
  "6", // CANNOT_PARSE_TEXT
  "25", // CANNOT_PARSE_ESCAPE_SEQUENCE
  "26", // CANNOT_PARSE_QUOTED_STRING
  "27", // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  "38", // CANNOT_PARSE_DATE
  "41", // CANNOT_PARSE_DATETIME
  "69", // ARGUMENT_OUT_OF_BOUND
  "72", // CANNOT_PARSE_NUMBER
  "117", // INCORRECT_DATA
  "130", // CANNOT_READ_ARRAY_FROM_TEXT
  "131", // TOO_LARGE_STRING_SIZE
  "349", // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  "376", // CANNOT_PARSE_UUID
  "407", // DECIMAL_OVERFLOW
  "467", // CANNOT_PARSE_BOOL
  "691", // UNKNOWN_ELEMENT_OF_ENUM
  "705", // TOO_LARGE_ARRAY_SIZE
]);

export function failureOf(error: unknown): Failure {
  if (error instanceof ClickHouseError) {
    // A field without a column: the table is behind, not the row wrong. It waits for the migration.
    const tableIsBehind = error.message.includes("Unknown field");
    return dataCodes.has(error.code) && !tableIsBehind ? "refused" : "unknown";
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ECONNREFUSED" ? "not_sent" : "unknown";
}

export type Absence = { table: TargetTable; partition: string };

/** Enough ids to know whether a part is there: parts are stored whole or not at all. */
const sampleMax = 500;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** In which tables and partitions a segment's rows are not stored. */
export async function findAbsences(
  store: Store,
  segment: string,
  tables: readonly TargetTable[],
  rows: readonly ShippedRow[],
): Promise<Absence[]> {
  const expected = tables.flatMap((table) => expectedPartitions(table, rows));
  const queries = expected.map(
    (place, index) =>
      `SELECT ${index} AS i FROM \`${store.database}\`.${place.table.name}
       WHERE ${evidence(place, segment)} LIMIT 1`,
  );
  const result = await store.clickhouse.query({
    query: queries.join("\nUNION ALL\n"),
    format: "JSONEachRow",
    abort_signal: store.signal,
  });
  const found = new Set((await result.json<{ i: number }>()).map((row) => row.i));
  return expected.filter((_entry, index) => !found.has(index));
}

type Place = Absence & { rows: ShippedRow[] };

function expectedPartitions(table: TargetTable, rows: readonly ShippedRow[]): Place[] {
  const groups = Map.groupBy(rows, (row) => partitionOf(table, row));
  return [...groups].map(([partition, rowsThere]) => ({ table, partition, rows: rowsThere }));
}

function evidence({ table, partition, rows }: Place, segment: string): string {
  const sample = rows.slice(0, sampleMax);
  if (table.evidence !== "mark") {
    const days = [...new Set(sample.map((row) => row.occurredDay))];
    const ids = sample.map((row) => row.eventId).filter((id) => uuid.test(id));
    return `${table.dayColumn} IN (${days.map(quoted).join()}) AND ${table.evidence} IN (${ids.map(quoted).join()})`;
  }
  const onItsDay = partition === "" ? "" : ` AND ${table.dayColumn} = ${quoted(partition)}`;
  return `mark = ${quoted(segment)}${onItsDay}`;
}

/** Ids and days only; both have closed alphabets. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[^0-9a-fA-F-]/g, "")}'`;
}
