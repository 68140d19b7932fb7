import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";
import { plantedIn, searchRows } from "@pro-talent/platform/postgres/search-rows";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { Found } from "@pro-talent/platform/search/search-request";
import { searchStore } from "@pro-talent/platform/search/search-store";
import { searchTogether } from "@pro-talent/platform/search/search-together";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import { isDistinct } from "@pro-talent/schemas/privacy/erasure-search";
import type { internalCvErasureCalls } from "@pro-talent/schemas/studio/internal-calls";

import type { StudioContext } from "./context.ts";
import { openCurrent } from "./cv-rows.ts";
import { listCvs } from "./cvs.ts";
import { ownPages } from "./portfolio/held.ts";
import { filesOf } from "./portfolio/pictures.ts";

/** Tables whose rows are an account's; each is deleted with the account's key. */
const ownTables = [
  "cv",
  "cv_file",
  "cv_version",
  "photo",
  "portfolio",
  "portfolio_page",
  "portfolio_picture",
  "portfolio_version",
] as const;

/** What the ledger asks for when it erases an account. @param log of failed searches */
export function erasureHandlers(
  context: StudioContext,
  log: Logger,
): CallHandlers<typeof internalCvErasureCalls> {
  const { sql } = context;
  const search = searchTogether((searches) => searchStudio(sql, searches));
  return {
    "GET /internal/cvs/of/:accountId/traces": ({ params: { accountId } }) =>
      tracesOf(context, accountId),
    "DELETE /internal/cvs/of/:accountId": ({ params: { accountId } }) =>
      sql.begin((tx) => eraseCvs(tx, accountId)),
    "POST /internal/cvs/searches": async ({ body }) => ({
      stores: [await searchStore("studio", search, body, log)],
    }),
  };
}

/** How a person can be reached, as the CVs and the portfolio say it, and the ids of these. */
async function tracesOf(context: StudioContext, accountId: string): Promise<Traces> {
  const { sql, keys } = context;
  const own = await listCvs(context, accountId);
  const values = new Set<string>();
  for (const { cv } of own) {
    const { fullName, email, phone } = (await openCurrent(sql, keys, cv)).document.profile;
    for (const word of [fullName, email, phone]) if (isDistinct(word)) values.add(word);
  }
  const pages = await ownPages(context, accountId);
  for (const { document } of pages)
    if (isDistinct(document.profile.fullName)) values.add(document.profile.fullName);
  const pictures = pages.flatMap(({ document }) => filesOf(document));
  return { values: [...values], ids: [...own.map(({ cv }) => cv.cv_id), ...pictures] };
}

/** Deletes the key of an account; its CVs and its portfolio are deleted with it. */
export async function eraseCvs(tx: Queryable, accountId: string) {
  const found = await rowsOf(tx, accountId);
  await tx`delete from studio.data_key where key_id = ${accountId}`;
  return { found, left: await rowsOf(tx, accountId) };
}

async function rowsOf(tx: Queryable, accountId: string): Promise<number> {
  const keys = await tx`select from studio.data_key where key_id = ${accountId}`;
  let rows = keys.length;
  for (const table of ownTables) {
    const found = await tx`select from studio.${tx(table)} where account_id = ${accountId}`;
    rows += found.length;
  }
  return rows;
}

/** Searches every table of the service for what was erased, for several erasures at once. */
export const searchStudio = (sql: Sql, searches: readonly Traces[]): Promise<Found[]> =>
  searchRows(
    sql,
    { schema: "studio", keepsIds: new Set(), plant: plantedIn(sql, "studio") },
    searches,
  );
