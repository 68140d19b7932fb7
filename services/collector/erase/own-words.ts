import { z } from "zod";

import { deleteWhere, type ErasingStore } from "./delete-where.ts";

/**
 * Aggregates with words that visits brought: a page that one person alone opened, a campaign in a link
 * made for them. Of many people they are numbers, of one person data about them.
 */
const aggregates = {
  referrers_agg: ["referrer_domain", "utm_source", "utm_medium", "utm_campaign"],
  page_views_agg: ["page"],
} as const;
type Aggregate = keyof typeof aggregates;

/** By the aggregate, what it holds of some visitors and of no one else. */
export type OwnWords = ReadonlyMap<Aggregate, readonly (readonly string[])[]>;

const Rows = z.array(z.object({ words: z.array(z.string()) }));
const names = Object.keys(aggregates).filter((name): name is Aggregate => name in aggregates);
const listOf = (table: Aggregate): string =>
  `[${aggregates[table].map((column) => `toString(${column})`).join()}]`;

/** To be read before the rows of the visitors are deleted. @throws what ClickHouse throws */
export async function ownWordsOf(
  { clickhouse, database }: ErasingStore,
  visitorIds: readonly string[],
): Promise<OwnWords> {
  const found = new Map<Aggregate, string[][]>();
  for (const table of names) {
    const result = await clickhouse.query({
      query: `SELECT ${listOf(table)} AS words FROM \`${database}\`.events
              WHERE words GLOBAL IN (SELECT DISTINCT ${listOf(table)} FROM \`${database}\`.events
                              WHERE visitor_id IN {ids:Array(UUID)})
              GROUP BY words HAVING countIf(visitor_id NOT IN {ids:Array(UUID)}) = 0`,
      query_params: { ids: visitorIds },
      format: "JSONEachRow",
    });
    const rows = Rows.parse(await result.json());
    found.set(
      table,
      rows.map(({ words }) => words).filter((words) => words.some((word) => word !== "")),
    );
  }
  return found;
}

/** Deletes them from the aggregates. Repeating it is harmless. @throws what ClickHouse throws */
export async function eraseOwnWords(store: ErasingStore, words: OwnWords): Promise<void> {
  for (const [table, lists] of words) {
    if (lists.length === 0) continue;
    const condition = `has({words:Array(Array(String))}, ${listOf(table)})`;
    await deleteWhere(store, table, { condition, params: { words: lists } });
  }
}
