import {
  commaList,
  internalToken,
  key256,
  parseEnv,
  publicOrigin,
  queueUrl,
  trustedProxies,
} from "@pro-talent/platform/config/define-env";
import { z } from "zod";

const databaseName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);
const gibibyte = 1024 ** 3;
const secretCharsMin = 32;

const shape = {
  /** Base address of the ledger. */
  LEDGER_URL: z.url(),
  /** Shared with the ledger. */
  INTERNAL_TOKEN: internalToken,
  /** Postgres as role `collector_app`, the primary: consent is read from it. */
  DATABASE_URL: z.url(),
  CLICKHOUSE_URL: z.url(),
  CLICKHOUSE_DATABASE: databaseName,
  /** Name of a ClickHouse cluster: tables are then divided among its shards, and replicated. */
  CLICKHOUSE_CLUSTER: databaseName.optional(),
  /** Of the site, as in `https://example.com`. */
  PUBLIC_ORIGIN: publicOrigin,
  /**
   * Of the pages behind share links, as in `https://pages.example.net`: a host of its own, so that no file
   * or page of an owner shares an origin with the sign-in. Empty or absent: the public origin.
   */
  CONTENT_ORIGIN: z.union([z.literal(""), publicOrigin]).default(""),
  /** Base address of the accounts service. */
  ACCOUNTS_URL: z.url(),
  /** Base address of the studio, which holds portfolios. */
  STUDIO_URL: z.url().default("http://studio:3000"),
  /** Hosts that show one portfolio each, with the handle of its owner: `dana.example=dana,…`. */
  PORTFOLIO_DOMAINS: commaList
    .pipe(z.array(z.string().regex(/^[a-z0-9.-]+(?::\d+)?=[a-z0-9-]+$/)))
    .transform((pairs) => new Map(pairs.map(hostAndHandle))),
  /** Directory of this instance alone, on a disk that keeps what is fsynced. */
  SPOOL_DIR: z.string().min(1),
  /** Bytes that may wait for ClickHouse before calls are refused. */
  SPOOL_BYTES_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .default(2 * gibibyte),
  /**
   * Secret of visit session ids and pseudonyms, the same for all instances; `current,previous` while
   * it is changed. The last one makes the pseudonyms, unless VISITOR_KEY is set.
   */
  COLLECTOR_KEY: commaList.pipe(z.array(z.string().min(secretCharsMin)).min(1)),
  /** Secret of pseudonyms alone; keep the former COLLECTOR_KEY here before dropping it. */
  VISITOR_KEY: z.string().min(secretCharsMin).optional(),
  /**
   * Keys of servers that report events (`POST /api/analytics/server/events`), one for each or
   * `new,old` while one is changed; without any the call refuses everyone.
   */
  COLLECTOR_SERVER_KEYS: commaList.pipe(z.array(z.string().min(secretCharsMin))),
  /** Outside every database and backup: erasures of visitors, which a restore carries out again. */
  ERASURE_JOURNAL_FILE: z.string().min(1).optional(),
  ERASURE_JOURNAL_KEY: key256.optional(),
  /** When the places of addresses (135 MB) are read into memory. */
  LOCATIONS_LOADED: z.enum(["at_start", "on_first_use"]).default("at_start"),
  TRUSTED_PROXIES: trustedProxies,
  /**
   * Starts, and consent calls, that one address may make per minute; also reports of one session, and
   * a twentieth of the reports of one address. 0 for no limit.
   */
  CALLS_PER_MINUTE: z.coerce.number().int().min(0).default(600),
};

function hostAndHandle(pair: string): [string, string] {
  const [host = "", handle = ""] = pair.split("=");
  return [host, handle];
}

type Source = Readonly<Record<string, string | undefined>>;

/** What the service needs to run. @throws naming every variable that is missing or wrong */
export function readServiceEnv(source: Source) {
  return parseEnv(shape, source);
}

/** What the worker needs to run. @throws naming every variable that is missing or wrong */
export function readWorkerEnv(source: Source) {
  const { DATABASE_URL, PUBLIC_ORIGIN, CLICKHOUSE_URL, CLICKHOUSE_DATABASE, CLICKHOUSE_CLUSTER } =
    shape;
  const stores = { DATABASE_URL, CLICKHOUSE_URL, CLICKHOUSE_DATABASE, CLICKHOUSE_CLUSTER };
  return parseEnv({ ...stores, PUBLIC_ORIGIN, QUEUE_URL: queueUrl }, source);
}

/** What the collector's migrations need. @throws naming every variable that is missing or wrong */
export function readMigrationEnv(source: Source) {
  return parseEnv(
    {
      /** Postgres as the database's owner; the role `collector_app` must exist. */
      DATABASE_OWNER_URL: z.url(),
      CLICKHOUSE_URL: z.url(),
      CLICKHOUSE_DATABASE: databaseName,
      CLICKHOUSE_CLUSTER: shape.CLICKHOUSE_CLUSTER,
      /** Where the worker's jobs wait. */
      QUEUE_URL: queueUrl.optional(),
    },
    source,
  );
}
