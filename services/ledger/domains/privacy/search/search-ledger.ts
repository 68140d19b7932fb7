import type { Sql } from "@pro-talent/platform/postgres/pool";
import { plantedIn, searchRows } from "@pro-talent/platform/postgres/search-rows";
import type { Found } from "@pro-talent/platform/search/search-request";
import type { Traces } from "@pro-talent/schemas/primitives/traces";

/**
 * Searches every table of the ledger, its outbox among them, for several erasures at once.
 * @param keepsIds tables in which ids stay, as the data map says
 */
export const searchLedger = (
  sql: Sql,
  keepsIds: ReadonlySet<string>,
  searches: readonly Traces[],
): Promise<Found[]> =>
  searchRows(sql, { schema: "ledger", keepsIds, plant: plantedIn(sql, "ledger") }, searches);
