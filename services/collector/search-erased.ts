import type { Sql } from "@pro-talent/platform/postgres/pool";
import { plantedIn, searchRows } from "@pro-talent/platform/postgres/search-rows";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { searchDirectory } from "@pro-talent/platform/search/search-directory";
import type { Found } from "@pro-talent/platform/search/search-request";
import { searchStore } from "@pro-talent/platform/search/search-store";
import { searchTogether } from "@pro-talent/platform/search/search-together";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import type { SearchedStore } from "@pro-talent/schemas/privacy/erasure-search";

import { type SearchedClickhouse, searchClickhouse } from "./search-clickhouse.ts";
import { FrameBuffer, segmentHeader } from "./spool/frame.ts";

/** Searches the tables of the collector in Postgres. @param keepsIds those in which ids stay */
export const searchCollectorRows = (
  sql: Sql,
  keepsIds: ReadonlySet<string>,
  searches: readonly Traces[],
): Promise<Found[]> =>
  searchRows(sql, { schema: "collector", keepsIds, plant: plantedIn(sql, "collector") }, searches);

type SearchedSpool = {
  readonly sql: Sql;
  readonly directory: string;
  readonly instanceId: string;
};

/**
 * Searches the spool of this instance, with what is in quarantine. What other instances took before the
 * erasure is in ClickHouse by now, or the erasure of its rows would not be done; what they have in
 * quarantine is out of reach.
 * @throws Error when another instance has something in quarantine
 */
export async function searchSpool(
  { sql, directory, instanceId }: SearchedSpool,
  searches: readonly Traces[],
): Promise<Found[]> {
  const others = await sql`
    select from collector.instance where instance_id <> ${instanceId} and quarantined > 0`;
  if (others.length > 0) throw new Error("Another instance has records in quarantine");
  return await searchDirectory(directory, asSegment, searches);
}

/** As a segment holds the row of a counter. */
function asSegment(decoy: string): Buffer {
  const frames = new FrameBuffer();
  const row = { day: "2090-01-01", metric: "page_view", page: decoy } as const;
  frames.append([{ kind: "counter", row: { ...row, label: "", detail: "", count: 0 } }]);
  return Buffer.concat([segmentHeader, frames.bytes()]);
}

type Stores = SearchedSpool & SearchedClickhouse & { readonly keepsIds: ReadonlySet<string> };

/** Searches every store of the collector, one after the other. */
export function searchOfCollector(
  stores: Stores,
  log: Logger,
): (traces: Traces) => Promise<SearchedStore[]> {
  const { sql, keepsIds } = stores;
  const searches = [
    ["spool", searchTogether((all) => searchSpool(stores, all))],
    ["clickhouse", searchTogether((all) => searchClickhouse(stores, all))],
    ["analytics-postgres", searchTogether((all) => searchCollectorRows(sql, keepsIds, all))],
  ] as const;
  return async (traces) => {
    const found: SearchedStore[] = [];
    for (const [store, search] of searches)
      found.push(await searchStore(store, search, traces, log));
    return found;
  };
}
