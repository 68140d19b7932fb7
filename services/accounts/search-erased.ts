import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { plantedIn, searchRows } from "@pro-talent/platform/postgres/search-rows";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { Found } from "@pro-talent/platform/search/search-request";
import { searchStore } from "@pro-talent/platform/search/search-store";
import { searchTogether } from "@pro-talent/platform/search/search-together";
import type { internalSearchCalls } from "@pro-talent/schemas/accounts/internal-calls";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import { isDistinct } from "@pro-talent/schemas/privacy/erasure-search";

import { readHolder } from "./accounts.ts";
import type { AccountsContext } from "./context.ts";

/** Searches every table of the service for what was erased, for several erasures at once. */
export const searchAccounts = (
  sql: Sql,
  keepsIds: ReadonlySet<string>,
  searches: readonly Traces[],
): Promise<Found[]> =>
  searchRows(sql, { schema: "accounts", keepsIds, plant: plantedIn(sql, "accounts") }, searches);

/**
 * What the ledger asks for when it searches for what an erasure left.
 * @param keepsIds tables that name an account after its erasure, as the data map says
 */
export function searchHandlers(
  { sql, keys }: Pick<AccountsContext, "sql" | "keys">,
  keepsIds: ReadonlySet<string>,
  log: Logger,
): CallHandlers<typeof internalSearchCalls> {
  const search = searchTogether((searches) => searchAccounts(sql, keepsIds, searches));
  return {
    "GET /internal/accounts/:accountId/traces": async ({ params: { accountId } }) => {
      const holder = await readHolder(sql, keys, accountId, ["open", "closed"]);
      if (holder === undefined) throw new ProblemError("not_found");
      const { fullName, phone, address, handle } = holder.profile;
      return {
        values: [
          holder.email,
          ...[fullName, phone, address].filter(isDistinct),
          // Others may use the word of a handle; the page at it is its holder's alone.
          ...(handle === null ? [] : [`/p/${handle}`]),
        ],
        ids: [accountId],
      };
    },
    "POST /internal/accounts/searches": async ({ body }) => ({
      stores: [await searchStore("accounts", search, body, log)],
    }),
  };
}
