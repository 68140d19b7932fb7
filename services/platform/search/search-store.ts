import type { Searched, Traces } from "@pro-talent/schemas/primitives/traces";

import type { Logger } from "../runtime/logger.ts";

/**
 * Searches a store and names it. One that cannot be searched is answered without its decoy: what it holds
 * is unknown. The error is logged as its class and place, which never quote what was searched for.
 */
export async function searchStore<Store extends string>(
  store: Store,
  search: (traces: Traces) => Promise<Searched>,
  traces: Traces,
  log?: Pick<Logger, "warn">,
): Promise<Searched & { readonly store: Store }> {
  try {
    return { store, ...(await search(traces)) };
  } catch (error) {
    log?.warn({ err: error, job: `search of ${store}` }, "a store could not be searched");
    return { store, decoy: false, hits: 0, kept: 0, searched: 0 };
  }
}
