import { dirname } from "node:path";

import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { signingKey } from "@pro-talent/platform/crypto/signed-text";
import { openSignedLog } from "@pro-talent/platform/files/signed-log";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { untilPostgresAnswers } from "@pro-talent/platform/postgres/until-answering";
import { type Clock, readClock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";
import { requireWritable } from "@pro-talent/platform/runtime/writable";
import { tablesWithIds } from "@pro-talent/schemas/primitives/data-map";
import {
  erasureJournalPurpose,
  JournalledErasure,
} from "@pro-talent/schemas/privacy/erasure-journal";
import { collectDefaultMetrics } from "prom-client";

import { acknowledgeErasures, instanceOf, UnderWay } from "./acknowledge-erasures.ts";
import { buildCollectorApp } from "./app.ts";
import { connectGateDatabase, ConsentGate } from "./consent/consent-gate.ts";
import { createLedgerClient } from "./consent/ledger-client.ts";
import { collectorDataMaps } from "./data-map.ts";
import { readServiceEnv } from "./env.ts";
import { Erasures, type Unfinished } from "./erase/erasures.ts";
import { eraseRestoredOpens, withoutErased } from "./erase/restored.ts";
import type { DropCounters } from "./ingest/counters.ts";
import { openLocations } from "./ingest/enrich/location.ts";
import { openNetworks } from "./ingest/enrich/networks.ts";
import { ownersOver } from "./links/owners.ts";
import { portfoliosOver } from "./links/portfolios.ts";
import { linksOver } from "./links/resolve-links.ts";
import { LinkVisitors } from "./links/visitors.ts";
import { type BacklogFacts, type CollectorMetrics, createCollectorMetrics } from "./metrics.ts";
import { searchOfCollector } from "./search-erased.ts";
import { createReaderKeys, deriveKeys, visitorOfLink } from "./session/identity.ts";
import { countQuarantined, forgetQuarantined } from "./ship/quarantine.ts";
import { Shipper } from "./ship/shipper.ts";
import { type ClosedSegment, opensIn, quarantineIn } from "./spool/segment.ts";
import { Spool } from "./spool/spool.ts";

export { openCollectorWorker } from "./prune-claims.ts";

const dropFlushMs = 5_000;
const drainMs = 10_000;
/** How often salts of days that are over are looked for in memory. */
const saltsMs = 10 * 60_000;
/** How often quarantined files whose time is over are looked for. */
const quarantineMs = 60 * 60_000;
const closeSeconds = 2;
const searchMsMax = 250_000;

type Env = ReturnType<typeof readServiceEnv>;
type Stores = ReturnType<typeof connectStores>;

/** Opens the collector: its stores, its spool with what an earlier run left there, and its calls. */
export const openCollector: OpenService = async (source, log) => {
  const env = readServiceEnv(source);
  const stores = connectStores(env);
  const clock = readClock(source);
  const { INTERNAL_TOKEN: internalToken } = env;
  const ledger = { url: env.LEDGER_URL, internalToken };
  // It says what may not be shipped any more.
  await untilPostgresAnswers(env.DATABASE_URL, { log });
  const keys = deriveKeys(env.COLLECTOR_KEY, env.VISITOR_KEY);
  const pipeline = await openPipeline(env, stores, clock, log);
  const { metrics, backlog, shipper, spool } = pipeline;
  const instanceId = await instanceOf(env.SPOOL_DIR);
  const visitors = new LinkVisitors(stores.linksSql, keys.saltKeys, clock, instanceId);
  const [underWay, suppressed] = [new UnderWay(), new Set<string>()];
  const { erasures, erased } = await openErasures(env, stores, clock);
  await settleFormer(visitors, pipeline, erased);
  const { server, drops, stopTaking } = buildCollectorApp({
    log,
    clock,
    keys,
    spool,
    spoolBytesMax: env.SPOOL_BYTES_MAX,
    gate: openConsentGate(stores, metrics, log),
    ledger: createLedgerClient({ ...ledger, log }),
    ...linksOf(env, clock, log),
    visitors,
    locate: await openLocations(env.LOCATIONS_LOADED),
    clickhouse: stores.clickhouse,
    database: env.CLICKHOUSE_DATABASE,
    erasures,
    underWay,
    isSuppressed: (accountId) => suppressed.has(accountId),
    search: searchOfCollector(searchedStores(env, stores, instanceId), log),
    internalToken,
    metrics,
    backlog,
    publicOrigin: env.PUBLIC_ORIGIN,
    contentOrigin: env.CONTENT_ORIGIN || env.PUBLIC_ORIGIN,
    trustedProxies: env.TRUSTED_PROXIES,
    serverKeys: env.COLLECTOR_SERVER_KEYS,
    callsPerMinute: env.CALLS_PER_MINUTE,
  });
  const stopFlushing = flushRegularly(drops, log);
  const acknowledging = { erasures, instanceId, suppressed, underWay, spool, shipper, log };
  const quarantined = (): Promise<number> => countQuarantined(quarantineIn(env.SPOOL_DIR));
  const stopAcknowledging = await acknowledgeErasures({ ...acknowledging, quarantined });
  const forgetting = setInterval(() => visitors.forgetOldSalts(), saltsMs).unref();
  const emptying = emptyQuarantine(env.SPOOL_DIR, clock, log);
  const closing = new Shutdown(log);
  closing.add("refuse new calls", async () => stopTaking());
  closing.add("finish calls", () => server.close());
  closing.add("confirm opens", () => visitors.confirmed());
  closing.add("write drops", stopFlushing);
  closing.add("stop timers", async () => clearInterval(forgetting));
  closing.add("quarantine", () => emptying.stop());
  closing.add("close spool", () => spool.close());
  closing.add("ship the rest", () => shipRest(shipper, log));
  closing.add("acknowledge erasures", stopAcknowledging);
  closing.add("close stores", () => closeStores(stores));
  return { app: server, close: () => closing.run() };
};

async function shipRest(shipper: Shipper, log: Logger): Promise<void> {
  const shipped = await shipper.drain(drainMs);
  await shipper.stop();
  if (!shipped)
    log.warn({ backlog: shipper.backlog() }, "the rest stays in the spool for the next start");
}

/** Deletes quarantined files whose time is over. */
function emptyQuarantine(spool: string, clock: Clock, log: Logger): Repetition {
  return repeat({
    everyMs: quarantineMs,
    pass: async () => {
      const names = await forgetQuarantined(quarantineIn(spool), clock());
      if (names.length > 0) log.warn({ segments: names.length }, "quarantined files are deleted");
      return "wait";
    },
    onFailing: (error) => log.error({ err: error }, "quarantined files cannot be deleted"),
  });
}

/** Which opens the earlier process stored is read from its segments before they are shipped. */
async function settleFormer(
  visitors: LinkVisitors,
  { leftovers, shipper }: Awaited<ReturnType<typeof openPipeline>>,
  erased: Unfinished,
): Promise<void> {
  await visitors.settleFormer((ids, sinceMs) => opensIn(leftovers, ids, sinceMs));
  for (const segment of leftovers) {
    shipper.accept(withoutErased(segment, erased, visitorOfLink));
  }
}

/** Erasures, and the people whose data may not be shipped any more. What a restored backup brought back is erased. */
async function openErasures(env: Env, { linksSql, clickhouse }: Stores, clock: Clock) {
  const { readersKey } = deriveKeys(env.COLLECTOR_KEY, env.VISITOR_KEY);
  const erasures = new Erasures(linksSql, clock, await openJournal(env));
  const erased = await erasures.unfinished(createReaderKeys(readersKey));
  const { CLICKHOUSE_DATABASE: database, CLICKHOUSE_CLUSTER: cluster } = env;
  const store = { clickhouse, database, cluster };
  await eraseRestoredOpens(store, erased.restored, visitorOfLink);
  return { erasures, erased };
}

/** Undefined where none is configured: then a restored backup brings erased visitors back. */
async function openJournal({ ERASURE_JOURNAL_FILE: file, ERASURE_JOURNAL_KEY: key }: Env) {
  if (file === undefined || key === undefined) return undefined;
  await requireWritable(dirname(file), "ERASURE_JOURNAL_FILE");
  return openSignedLog(file, {
    key: signingKey(key),
    purpose: erasureJournalPurpose,
    contract: JournalledErasure,
  });
}

/** What other services know of links and their owners. */
function linksOf(env: Env, clock: Clock, log: Logger) {
  const { INTERNAL_TOKEN: internalToken } = env;
  const ledger = { url: env.LEDGER_URL, internalToken };
  const accounts = { url: env.ACCOUNTS_URL, internalToken };
  const studio = { url: env.STUDIO_URL, internalToken };
  return {
    links: linksOver(ledger, clock),
    portfolios: portfoliosOver({ accounts, ledger, studio }, clock),
    portfolioDomains: env.PORTFOLIO_DOMAINS,
    isOwner: ownersOver(accounts, log),
    isCloud: openNetworks(),
  };
}

function connectStores(env: Env) {
  return {
    gate: connectGateDatabase(env.DATABASE_URL),
    claimsSql: openPool(env.DATABASE_URL, {
      max: 4,
      applicationName: "collector-claims",
      byKey: true,
    }),
    linksSql: openPool(env.DATABASE_URL, {
      max: 2,
      applicationName: "collector-links",
      byKey: true,
    }),
    clickhouse: connectClickhouse(env.CLICKHOUSE_URL, { application: "collector" }),
    // Questions about all rows have a client of their own, which waits for them.
    searchClickhouse: connectClickhouse(env.CLICKHOUSE_URL, {
      application: "collector-search",
      maxConnections: 1,
      requestTimeoutMs: searchMsMax,
    }),
  };
}

const searchedStores = (
  env: Env,
  { linksSql: sql, searchClickhouse }: Stores,
  instanceId: string,
) => ({
  sql,
  instanceId,
  directory: env.SPOOL_DIR,
  keepsIds: tablesWithIds(collectorDataMaps),
  clickhouse: searchClickhouse,
  database: env.CLICKHOUSE_DATABASE,
  cluster: env.CLICKHOUSE_CLUSTER,
});

async function closeStores(stores: Stores): Promise<void> {
  const { gate, claimsSql, linksSql, clickhouse, searchClickhouse } = stores;
  await clickhouse.close();
  await searchClickhouse.close();
  // With a time limit: the driver never ends a pool of which the server closed a connection.
  await gate.sql.end({ timeout: closeSeconds });
  await claimsSql.end();
  await linksSql.end();
}

/** From acknowledged records to rows: the spool, what ships it, and what measures both. */
async function openPipeline(
  env: Env,
  { clickhouse, claimsSql }: Stores,
  clock: Clock,
  log: Logger,
) {
  const backlog = (): BacklogFacts => {
    const { segments, oldestMs } = shipper.backlog();
    return { bytes: spool.bytes(), segments, oldestMs, shipping: shipper.healthy() };
  };
  const metrics = createCollectorMetrics(backlog);
  collectDefaultMetrics({ register: metrics.registry });
  const shipper = new Shipper({
    clickhouse,
    database: env.CLICKHOUSE_DATABASE,
    cluster: env.CLICKHOUSE_CLUSTER,
    sql: claimsSql,
    metrics: metrics.registry,
    log,
    clock,
  });
  // Of an earlier process: kept until it is known which opens they hold.
  const leftovers: ClosedSegment[] = [];
  const spool = await Spool.open({
    directory: env.SPOOL_DIR,
    bytesMax: env.SPOOL_BYTES_MAX,
    onSegment: (segment) => {
      if (segment.leftover) leftovers.push(segment);
      else shipper.accept(segment);
    },
    onCommit: (seconds) => metrics.commitSeconds.observe(seconds),
    log,
  });
  return { metrics, backlog, shipper, spool, leftovers };
}

function openConsentGate({ gate }: Stores, metrics: CollectorMetrics, log: Logger): ConsentGate {
  return new ConsentGate({
    database: gate,
    onBatch: (questions, seconds) => {
      metrics.gateQuestions.observe(questions);
      metrics.gateSeconds.observe(seconds);
    },
    onChange: (answering, error) => {
      if (answering) log.info("consent can be read again");
      else log.error({ err: error }, "consent cannot be read; reports are refused");
    },
  });
}

/** Writes the counts of refused records every few seconds. @returns writes the last ones, ends it */
function flushRegularly(drops: DropCounters, log: Logger): () => Promise<void> {
  const timer = setInterval(() => {
    // What is not written stays in memory; the metrics show it meanwhile.
    drops.flush().catch((error: unknown) => log.warn({ err: error }, "drops could not be written"));
  }, dropFlushMs);
  return async () => {
    clearInterval(timer);
    await drops.flush();
  };
}
