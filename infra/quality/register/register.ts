import { analystViews } from "./analyst-views.ts";
import type { Holding } from "./classes.ts";
import { collectorHoldings } from "./collector-holdings.ts";
import { ledgerHoldings } from "./ledger-holdings.ts";
import { logHoldings } from "./log-holdings.ts";
import { queueHoldings } from "./queue-holdings.ts";

/** Every place where the product keeps something, with every field classified. */
export const register: Holding[] = [
  ...ledgerHoldings,
  ...collectorHoldings,
  ...queueHoldings,
  ...analystViews,
  ...logHoldings,
];

/** A field of a live store, as `table.column`. */
export type StoreColumn = { table: string; column: string };

/** Columns that exist and are not classified, and classified ones that no longer exist. */
export function compareRegister(
  store: Holding["store"],
  live: readonly StoreColumn[],
): { unclassified: string[]; gone: string[] } {
  const name = ({ table, column }: StoreColumn): string => `${table}.${column}`;
  const known = register
    .filter((holding) => holding.store === store)
    .flatMap(({ name: table, fields }) => Object.keys(fields).map((column) => ({ table, column })));
  const liveNames = new Set(live.map(name));
  const knownNames = new Set(known.map(name));
  return {
    unclassified: [...liveNames].filter((column) => !knownNames.has(column)).toSorted(),
    gone: [...knownNames].filter((column) => !liveNames.has(column)).toSorted(),
  };
}
