import type { FileStore } from "@pro-talent/platform/files/file-store";
import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { searchQueue } from "@pro-talent/platform/queue/search-queue";
import { searchDirectory } from "@pro-talent/platform/search/search-directory";
import type { Found } from "@pro-talent/platform/search/search-request";
import { searchStore } from "@pro-talent/platform/search/search-store";
import { searchTogether } from "@pro-talent/platform/search/search-together";
import { internalSearchCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { internalAnalyticsSearchCalls } from "@pro-talent/schemas/analytics/erasure-calls";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import type { SearchedStore } from "@pro-talent/schemas/privacy/erasure-search";
import { internalCvErasureCalls } from "@pro-talent/schemas/studio/internal-calls";

import { searchFiles } from "./search-files.ts";
import { searchLedger } from "./search-ledger.ts";

/** Where everything is that the product stores. */
export type ProductStores = {
  readonly sql: Sql;
  /** Tables of the ledger in which ids stay, as the data map says. */
  readonly keepsIds: ReadonlySet<string>;
  readonly accounts: ServiceAddress;
  readonly collector: ServiceAddress;
  readonly studio: ServiceAddress | undefined;
  /** These are searched where they are configured. */
  readonly files: FileStore | undefined;
  readonly queueUrl: string | undefined;
  readonly logsDirectory: string | undefined;
};

type Search = (traces: Traces) => Promise<readonly SearchedStore[]>;
type Pass = (searches: readonly Traces[]) => Promise<readonly Found[]>;

/** Reading tens of millions of rows takes its time. */
const timeoutMs = 280_000;
const queueName = "ledger";

/**
 * Searches every store of the product, one after the other: the ledger with its outbox, the queue, files and
 * logs here, the others by the services that own them.
 */
export function searchOfStores(stores: ProductStores): Search {
  const { sql, keepsIds, files, queueUrl, logsDirectory } = stores;
  const accounts = callService(stores.accounts, internalSearchCalls, timeoutMs);
  const studio = stores.studio && callService(stores.studio, internalCvErasureCalls, timeoutMs);
  const collector = callService(stores.collector, internalAnalyticsSearchCalls, timeoutMs);
  const searches: readonly Search[] = [
    ownStore("ledger", (all) => searchLedger(sql, keepsIds, all)),
    ...(queueUrl ? [ownStore("queue", (all) => searchQueue(queueUrl, queueName, all))] : []),
    ...(files ? [ownStore("files", (all) => searchFiles(files, all))] : []),
    ...(logsDirectory
      ? [
          ownStore("logs", (all) =>
            searchDirectory(logsDirectory, (line) => Buffer.from(line), all),
          ),
        ]
      : []),
    ofService("accounts-service", (body) => accounts("POST /internal/accounts/searches", { body })),
    ...(studio
      ? [ofService("studio-service", (body) => studio("POST /internal/cvs/searches", { body }))]
      : []),
    ofService("analytics-service", (body) =>
      collector("POST /internal/analytics/searches", { body }),
    ),
  ];
  return async (traces) => {
    const found: SearchedStore[] = [];
    for (const search of searches) found.push(...(await search(traces)));
    return found;
  };
}

function ownStore(store: SearchedStore["store"], pass: Pass): Search {
  const search = searchTogether(pass);
  return async (traces) => [await searchStore(store, search, traces)];
}

/** A service that does not answer stands for its stores: what they hold is unknown. */
function ofService(
  store: SearchedStore["store"],
  call: (traces: Traces) => Promise<{ readonly stores: readonly SearchedStore[] }>,
): Search {
  return async (traces) => {
    try {
      const { stores } = await call(traces);
      return stores.length > 0 ? stores : [unanswered(store)];
    } catch {
      return [unanswered(store)];
    }
  };
}

const unanswered = (store: SearchedStore["store"]): SearchedStore => ({
  store,
  decoy: false,
  hits: 0,
  kept: 0,
  searched: 0,
});
