import { createHash, randomUUID } from "node:crypto";

import { storedTable, syncReplicas } from "@pro-talent/platform/clickhouse/cluster";
import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import { type Found, newDecoy, tallyOf } from "@pro-talent/platform/search/search-request";
import { spellingsOf } from "@pro-talent/platform/search/spellings";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import { z } from "zod";

import { insertLines } from "./ship/store.ts";

export type SearchedClickhouse = {
  readonly clickhouse: ClickHouseClient;
  readonly database: string;
  /** Name of the cluster that holds the tables. */
  readonly cluster?: string | undefined;
};

/** Needles of one function (`multiSearchAny`). */
const needlesMax = 255;
/** Values that are shorter are not searched for elsewhere either. */
const needleBytesMin = 4;
/** Not kept by the server; a question about all rows has its time. */
const settings = { log_queries: 0, max_execution_time: 240, max_threads: 2 } as const;

type Column = { readonly table: string; readonly name: string; readonly type: string };
const Columns = z.array(z.object({ table: z.string(), name: z.string(), type: z.string() }));
const Counted = z.tuple([z.object({ searched: z.coerce.number(), hits: z.coerce.number() })]);

/**
 * Searches every text and every id of every table for some erasures, in one pass. Of texts of low cardinality
 * the different ones are read and compared here, whatever the number of rows. The others, and ids, are
 * compared where they are: what is searched for is sent as parameters in the body, never in a statement.
 * @throws what ClickHouse throws
 */
export async function searchClickhouse(
  store: SearchedClickhouse,
  searches: readonly Traces[],
): Promise<Found[]> {
  const decoy = await plantDecoy(store);
  try {
    const columns = await columnsOf(store);
    const [words, others] = [columns.filter(isOfLowCardinality), columns.filter(isOther)];
    const tally = tallyOf(searches, [decoy.text]);
    for (const column of words)
      for (const text of await distinctTexts(store, column)) tally.add(Buffer.from(text));
    const inRows = await searchOthers(
      store,
      Map.groupBy(others, ({ table }) => table),
      {
        searches,
        decoy,
      },
    );
    return tally.found().map((found, place) => ({
      hits: found.hits + (inRows.hits[place] ?? 0),
      kept: 0,
      searched: inRows.searched,
      decoy: found.decoy && inRows.decoy,
    }));
  } finally {
    await decoy.remove();
  }
}

type Decoy = Awaited<ReturnType<typeof plantDecoy>>;
type Asked = { readonly searches: readonly Traces[]; readonly decoy: Decoy };

/** @returns rows by search, and whether the planted rows were among all that was found */
async function searchOthers(
  store: SearchedClickhouse,
  columns: ReadonlyMap<string, readonly Column[]>,
  { searches, decoy }: Asked,
) {
  // The decoy is looked for in the same rows by the same question as everything else.
  const all = {
    values: [...searches.flatMap(({ values }) => values), decoy.text],
    ids: [...searches.flatMap(({ ids }) => ids), decoy.id],
  };
  let [searched, decoys] = [0, 0];
  const hit: string[] = [];
  for (const [table, own] of columns) {
    const found = await count(store, own, all);
    const planted = decoy.days.get(table);
    const ofDecoy = planted === undefined ? 0 : (await count(store, own, all, planted)).hits;
    searched += found.searched;
    if (ofDecoy === 1 && found.hits > 0) decoys += 1;
    if (found.hits > ofDecoy) hit.push(table);
  }
  const hits: number[] = [];
  for (const search of searches) hits.push(await hitsOf(store, columns, hit, search));
  return { searched, hits, decoy: decoys === decoy.days.size };
}

const isOfLowCardinality = ({ type }: Column): boolean => type.includes("LowCardinality(");
const isOther = (column: Column): boolean => !isOfLowCardinality(column);

const Texts = z.array(z.object({ text: z.string() }));

/** The different texts of a column. */
async function distinctTexts(
  { clickhouse, database }: SearchedClickhouse,
  { table, name, type }: Column,
): Promise<string[]> {
  const text = type.startsWith("Array(") ? `arrayJoin(\`${name}\`)` : `\`${name}\``;
  const result = await clickhouse.query({
    query: `SELECT DISTINCT toString(${text}) AS text FROM \`${database}\`.\`${table}\``,
    format: "JSONEachRow",
    clickhouse_settings: settings,
  });
  return Texts.parse(await result.json()).map((row) => row.text);
}

/** Rows of one search, in the tables that have rows of any. */
async function hitsOf(
  store: SearchedClickhouse,
  columns: ReadonlyMap<string, readonly Column[]>,
  tables: readonly string[],
  search: Traces,
): Promise<number> {
  let hits = 0;
  for (const table of tables) hits += (await count(store, columns.get(table) ?? [], search)).hits;
  return hits;
}

/** Columns that can hold a text or an id. States of aggregates are sketches of hashes. */
async function columnsOf({ clickhouse, database, cluster }: SearchedClickhouse): Promise<Column[]> {
  const result = await clickhouse.query({
    query: `SELECT c.table AS table, c.name AS name, c.type AS type
              FROM system.columns AS c
              JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
             WHERE c.database = {database:String} AND t.engine LIKE {engine:String} AND NOT endsWith(c.table, '_in')
               AND (c.type LIKE '%String%' OR c.type LIKE '%UUID%')
               AND NOT startsWith(c.type, 'AggregateFunction')
             ORDER BY c.table, c.position`,
    // Tables of a cluster are read on all its shards.
    query_params: { database, engine: cluster === undefined ? "%MergeTree" : "Distributed" },
    format: "JSONEachRow",
  });
  return Columns.parse(await result.json());
}

/** How many rows of a table hold something, of all or of those on one day. */
async function count(
  { clickhouse, database }: SearchedClickhouse,
  columns: readonly Column[],
  { values, ids }: Traces,
  planted?: PlantedDay,
): Promise<{ searched: number; hits: number }> {
  const [first] = columns;
  if (first === undefined) return { searched: 0, hits: 0 };
  const needles = [...new Set([...values.flatMap(spellingsOf), ...ids])].filter(
    (text) => Buffer.byteLength(text) >= needleBytesMin,
  );
  const lists = Array.from({ length: Math.ceil(needles.length / needlesMax) }, (_, list) =>
    needles.slice(list * needlesMax, (list + 1) * needlesMax),
  );
  const conditions = columns.flatMap((column) => conditionsOf(column, lists.length));
  const where = planted === undefined ? "" : `WHERE ${planted.column} = toDate({day:String})`;
  const result = await clickhouse.query({
    query: `SELECT count() AS searched, countIf(${conditions.join(" OR ")}) AS hits
              FROM \`${database}\`.\`${first.table}\` ${where}`,
    query_params: {
      ids: [...ids],
      ...Object.fromEntries(lists.map((list, place) => [`needles${place}`, list])),
      ...(planted && { day: planted.day }),
    },
    use_multipart_params: true,
    format: "JSONEachRow",
    clickhouse_settings: settings,
  });
  const [row] = Counted.parse(await result.json());
  return row;
}

function conditionsOf({ name, type }: Column, lists: number): string[] {
  if (/^(?:SimpleAggregateFunction\(\w+, )?UUID/u.test(type))
    return [`\`${name}\` IN {ids:Array(UUID)}`];
  const text = type === "String" ? `\`${name}\`` : `toString(\`${name}\`)`;
  return Array.from(
    { length: lists },
    (_, list) => `multiSearchAny(${text}, {needles${list}:Array(String)})`,
  );
}

type PlantedDay = { readonly column: string; readonly day: string };

/** A month of its own for each search in a decade that no visit has: its partition goes as a whole. */
function plantedMonth(id: string): string {
  const month = createHash("sha256").update(id).digest().readUInt32BE(0) % 120;
  return `${2090 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;
}

/** Plants one row in each table that people are in, as events are stored: through the table they arrive at. */
async function plantDecoy(store: SearchedClickhouse) {
  const [id, text] = [randomUUID(), newDecoy()];
  const month = plantedMonth(id);
  const at = `${month}-01T00:00:00.000Z`;
  const rows = {
    events: [
      "events_in",
      { kind: "custom", occurred_at: at, event_data: JSON.stringify({ text }) },
    ],
    link_opens: ["opens_in", { occurred_at: at, referrer_domain: encodeURIComponent(text) }],
    // It has no text.
    link_reports: ["reports_in", { reported_at: at, link_id: id }],
  } as const;
  const days = new Map<string, PlantedDay>([
    ["events", { column: "toDate(occurred_at)", day: `${month}-01` }],
    ["link_reports", { column: "toDate(reported_at)", day: `${month}-01` }],
  ]);
  const remove = async (): Promise<void> => {
    for (const table of Object.keys(rows))
      await store.clickhouse.command({
        query: `ALTER TABLE ${storedTable(store, table)} DROP PARTITION ${month.replace("-", "")}`,
      });
  };
  // What a search left that ended in between.
  await remove();
  for (const [target, [table, row]] of Object.entries(rows)) {
    const line = Buffer.from(`${JSON.stringify({ ...row, target })}\n`);
    const signal = AbortSignal.timeout(30_000);
    const inserted = { table, segment: id, token: `${id}-${target}`, lines: [line] };
    await insertLines({ ...store, signal }, inserted);
  }
  await syncReplicas(store, Object.keys(rows));
  return { id, text, days, remove };
}
