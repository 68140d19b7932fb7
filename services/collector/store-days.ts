import { storedTable, storingTable, syncReplicas } from "@pro-talent/platform/clickhouse/cluster";
import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";

import { daysOf, dropDay, storedCounts, type StoredTable } from "./erase/drop-days.ts";

/**
 * Copies of days that are over (migration 0027), and what is counted of these (0028): from what a day is computed, and two
 * numbers of each day that are the same as long as nothing more has arrived and nothing was erased.
 */
const storedDays = [
  {
    table: "stored_sessions",
    from: "sessions_to_store WHERE day = '{day}'",
    stored: "SELECT day, sum(events) AS rows FROM {db}.stored_sessions",
    now: `SELECT session_day AS day, sum(s.events) AS rows FROM {db}.sessions_agg AS s
           WHERE s.mark = toUUID('00000000-0000-0000-0000-000000000000')`,
  },
  {
    table: "stored_page_views",
    from: "page_views_to_store WHERE day = '{day}'",
    stored: "SELECT day, count() AS rows FROM {db}.stored_page_views",
    now: `SELECT toDate(e.occurred_at) AS day, count() AS rows FROM {db}.events AS e
           WHERE e.kind = 'page_view'`,
  },
  {
    table: storedCounts,
    from: "visitors_to_store(day = '{day}')",
    stored: `SELECT day, sum(amount) AS rows FROM {db}.${storedCounts}
              WHERE is_all = 1 AND property IN ('channel', 'page')`,
    now: `SELECT r.day AS day, sum(r.rows) AS rows
            FROM (SELECT day, count() AS rows FROM {db}.stored_sessions WHERE is_bot = 0 GROUP BY day
                  UNION ALL
                  SELECT day, count() AS rows FROM {db}.stored_page_views WHERE is_bot = 0 GROUP BY day) AS r`,
  },
] as const satisfies readonly { readonly table: StoredTable; readonly [part: string]: string }[];
type StoredDays = (typeof storedDays)[number];

type Store = {
  readonly clickhouse: Pick<ClickHouseClient, "query" | "command">;
  readonly database: string;
  readonly cluster?: string | undefined;
};

/** It can wait: everything else the engine does goes first. */
const settings = {
  max_threads: 1,
  max_insert_threads: "1",
  os_threads_nice_value_query: "19",
  optimize_aggregation_in_order: 1,
  insert_deduplicate: 0,
  distributed_foreground_insert: 1,
  alter_sync: "2",
  // A day of which nothing is left is stored as none.
  allow_replace_partition_from_empty_source: 1,
} as const;

/** Days of a range that are not stored as they are now, the newest first. */
function changedDays(store: Store, table: StoredDays, range: Range): Promise<string[]> {
  const [stored, now] = [table.stored, table.now].map((text) =>
    text.replaceAll("{db}", `\`${store.database}\``),
  );
  const query = `
    SELECT toString(d.day) AS day
      FROM (SELECT day, toInt64(rows) AS change FROM (${now} GROUP BY day)
            UNION ALL SELECT day, -toInt64(rows) AS change FROM (${stored} GROUP BY day)) AS d
     WHERE d.day BETWEEN {from:Date} AND {to:Date}
     GROUP BY d.day HAVING sum(d.change) != 0 ORDER BY d.day DESC`;
  return daysOf(store, query, range);
}

type Range = { readonly from: string; readonly to: string };

/**
 * Stores a day, in place of what was stored of it. What is deleted meanwhile, by an erasure on another instance, must
 * not come back: the day is then left out, and stored by the next pass.
 */
async function storeDay(store: Store, of: StoredDays, day: string): Promise<void> {
  const { clickhouse, database } = store;
  const nextName = `${of.table}_next`;
  const [table, next] = [storedTable(store, of.table), storedTable(store, nextName)];
  const run = (query: string) => clickhouse.command({ query, clickhouse_settings: settings });
  await run(`TRUNCATE TABLE ${next}`);
  await run(
    `INSERT INTO \`${database}\`.${nextName} SELECT * FROM \`${database}\`.${of.from.replace("{day}", day)}`,
  );
  await syncReplicas(store, [nextName]);
  await run(
    `ALTER TABLE ${table} REPLACE PARTITION '${day}' FROM ${storingTable(store, nextName)}`,
  );
  await run(`TRUNCATE TABLE ${next}`);
  const changed = await changedDays(store, of, { from: day, to: day });
  if (changed.length > 0) await dropDay(store, of.table, day);
}

/**
 * Drops what is counted of a day whose rows are to be stored. Where they were stored before, something has arrived late: then
 * later days as well, which state when their visitors were here before. What an erasure dropped changes none of these.
 */
async function dropCounts(store: Store, { table }: StoredDays, day: string): Promise<void> {
  const db = `\`${store.database}\``;
  const query = `
    SELECT DISTINCT toString(v.day) AS day FROM ${db}.${storedCounts} AS v
     WHERE v.day = {day:Date} OR (v.day > {day:Date} AND {day:Date} GLOBAL IN (SELECT s.day FROM ${db}.${table} AS s WHERE s.day = {day:Date}))`;
  for (const counted of await daysOf(store, query, { day }))
    await dropDay(store, storedCounts, counted);
}

/**
 * Stores the days of a range that are not stored as they are now. Repeating it changes nothing.
 * @param signal ends it after the day under way
 * @returns how many days were stored
 * @throws what ClickHouse throws
 */
export async function storeDays(store: Store, range: Range, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for (const table of storedDays) {
    for (const day of await changedDays(store, table, range)) {
      if (signal?.aborted === true) return count;
      if (table.table !== storedCounts) await dropCounts(store, table, day);
      await storeDay(store, table, day);
      count += 1;
    }
  }
  return count;
}
