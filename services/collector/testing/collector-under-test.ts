import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { EventRow, CounterRow } from "@pro-talent/schemas/analytics/row";
import {
  ConsentAnswer,
  SessionStarted,
  TrackAnswer,
  analyticsPaths,
} from "@pro-talent/schemas/analytics/wire";
import { OpenRow } from "@pro-talent/schemas/links/opens";
import { ViewingRow } from "@pro-talent/schemas/links/viewing";

import { UnderWay } from "../acknowledge-erasures.ts";
import { buildCollectorApp, type CollectorApp } from "../app.ts";
import { connectGateDatabase, ConsentGate } from "../consent/consent-gate.ts";
import { createLedgerClient } from "../consent/ledger-client.ts";
import { Erasures } from "../erase/erasures.ts";
import type { Locate } from "../ingest/enrich/location.ts";
import type { Portfolios } from "../links/portfolios.ts";
import { type Links, linksOver } from "../links/resolve-links.ts";
import { LinkVisitors } from "../links/visitors.ts";
import { createCollectorMetrics } from "../metrics.ts";
import { deriveKeys } from "../session/identity.ts";
import type { ClosedSegment } from "../spool/segment.ts";
import { Spool } from "../spool/spool.ts";

export type Answer = { status: number; body: unknown; headers: Record<string, unknown> };

export type CollectorUnderTest = CollectorApp & {
  /** Accounts of which nothing more is stored. */
  suppressed: Set<string>;
  /** Milliseconds by which the collector's clock is moved; with `atMs` it stands still there. */
  time: { offsetMs: number; atMs?: number };
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  start(body?: Record<string, unknown>, headers?: Record<string, string>): Promise<SessionStarted>;
  consent(
    sessionId: string,
    body: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<ConsentAnswer>;
  track(
    path: string,
    body: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<TrackAnswer>;
  /** Everything spooled so far, as it would be shipped. */
  spooled(): Promise<{
    events: (EventRow & { claim: boolean })[];
    counters: CounterRow[];
    opens: OpenRow[];
    viewings: ViewingRow[];
  }>;
  /** All bytes of the spool's files. */
  spoolText(): Promise<string>;
  close(): Promise<void>;
};

export type CollectorSetting = {
  /** Postgres as role `collector_app`. */
  databaseUrl: string;
  ledgerUrl: string;
  internalToken: string;
  /** Where what is stored is read; without it nothing can be. */
  clickhouseUrl?: string;
  clickhouseDatabase?: string;
  locate?: Locate;
  /** The only address that is taken for one of a cloud. */
  cloudAddress?: string;
  links?: Links;
  portfolios?: Partial<Portfolios>;
  portfolioDomains?: ReadonlyMap<string, string>;
  contentOrigin?: string;
  spoolBytesMax?: number;
  callsPerMinute?: number;
  gateDeadlineMs?: number;
  trustedProxies?: readonly string[];
  serverKeys?: readonly string[];
};

/** What a browser sends with every call. */
export const browserHeaders = {
  "user-agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  accept: "*/*",
  "accept-language": "he,en;q=0.8",
  "accept-encoding": "gzip, deflate, br",
  "content-type": "application/json",
};

export const deviceHeaders = {
  "x-screen-resolution": "1920x1080",
  "x-timezone": "Asia/Jerusalem",
  "x-viewport": "1280x720",
  "x-color-depth": "24",
  "x-pixel-ratio": "1.5",
  "x-device-memory": "8",
  "x-connection-type": "4g",
};

export const tokenSecret = "test-only-secret-of-the-collector-01";
/** A location without loading a database; the real one has tests of its own. */
const everywhereHaifa: Locate = () => ({ country: "IL", region: "Haifa", city: "Haifa" });

const noPortfolios: Portfolios = {
  find: async () => undefined,
  listed: async () => [],
  unlock: async () => false,
  picture: async () => undefined,
  cv: async () => undefined,
  report: async () => undefined,
  send: async () => undefined,
};

/** One collector instance with a real spool and a real consent gate; ships nothing. */
export async function startCollector(setting: CollectorSetting): Promise<CollectorUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), "collector-test-"));
  const spoolBytesMax = setting.spoolBytesMax ?? 64 * 1024 * 1024;
  const log = createLogger({ service: "collector", level: "silent" });
  const segments: ClosedSegment[] = [];
  const time: CollectorUnderTest["time"] = { offsetMs: 0 };
  const spool = await Spool.open({
    directory,
    bytesMax: spoolBytesMax,
    onSegment: (segment) => segments.push(segment),
    log,
  });
  const backlog = () => ({ bytes: spool.bytes(), segments: 0, oldestMs: 0, shipping: false });
  const gateDatabase = connectGateDatabase(setting.databaseUrl);
  const linksSql = openPool(setting.databaseUrl, {
    max: 2,
    applicationName: "collector-test-links",
  });
  const clickhouse = connectClickhouse(setting.clickhouseUrl ?? "http://127.0.0.1:1", {
    application: "collector-test",
  });
  const metrics = createCollectorMetrics(backlog);
  const keys = deriveKeys([tokenSecret]);
  const visitors = new LinkVisitors(
    linksSql,
    keys.saltKeys,
    () => time.atMs ?? Date.now() + time.offsetMs,
    randomUUID(),
  );
  const suppressed = new Set<string>();
  const collector = buildCollectorApp({
    log,
    clock: () => time.atMs ?? Date.now() + time.offsetMs,
    keys,
    spool,
    spoolBytesMax,
    gate: new ConsentGate({
      database: gateDatabase,
      onBatch: () => undefined,
      onChange: () => undefined,
      ...(setting.gateDeadlineMs === undefined ? {} : { deadlineMs: setting.gateDeadlineMs }),
    }),
    ledger: createLedgerClient({
      url: setting.ledgerUrl,
      internalToken: setting.internalToken,
      log,
    }),
    links:
      setting.links ??
      linksOver({ url: setting.ledgerUrl, internalToken: setting.internalToken }, Date.now),
    visitors,
    isOwner: async (accountId, cookies) => cookies === `owner-of=${accountId}`,
    isCloud: (address) => address === setting.cloudAddress,
    locate: setting.locate ?? everywhereHaifa,
    clickhouse,
    database: setting.clickhouseDatabase ?? "default",
    erasures: new Erasures(linksSql, () => time.atMs ?? Date.now() + time.offsetMs),
    search: async () => [],
    underWay: new UnderWay(),
    isSuppressed: (accountId) => suppressed.has(accountId),
    internalToken: setting.internalToken,
    metrics,
    backlog,
    portfolios: { ...noPortfolios, ...setting.portfolios },
    portfolioDomains: setting.portfolioDomains ?? new Map(),
    publicOrigin: "https://pro-talent.example",
    contentOrigin: setting.contentOrigin ?? "https://pro-talent.example",
    trustedProxies: setting.trustedProxies ?? ["127.0.0.1"],
    serverKeys: setting.serverKeys ?? [],
    callsPerMinute: setting.callsPerMinute ?? 0,
  });
  await collector.server.ready();

  const post: CollectorUnderTest["post"] = async (path, body, headers = {}) => {
    const response = await collector.server.inject({
      method: "POST",
      url: path,
      headers: { ...browserHeaders, ...headers },
      payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
    return {
      status: response.statusCode,
      body: response.json<unknown>(),
      headers: { ...response.headers },
    };
  };
  return {
    ...collector,
    suppressed,
    time,
    post,
    start: async (body = {}, headers = {}) =>
      SessionStarted.parse((await post(analyticsPaths.sessionStart, body, headers)).body),
    consent: async (sessionId, body, headers = {}) => {
      const sent = { sessionId, ...body };
      return ConsentAnswer.parse((await post(analyticsPaths.sessionConsent, sent, headers)).body);
    },
    track: async (path, body, headers = {}) =>
      TrackAnswer.parse((await post(path, body, headers)).body),
    spooled: async () => {
      await spool.rotate();
      return readSegments(segments);
    },
    spoolText: async () => {
      await spool.rotate();
      const names = await readdir(directory);
      const files = names.filter((name) => name !== "lock");
      const texts = await Promise.all(files.map((name) => readFile(join(directory, name), "utf8")));
      return texts.join("\n");
    },
    close: async () => {
      await collector.server.close();
      await visitors.confirmed();
      await spool.close();
      await gateDatabase.sql.end({ timeout: 1 });
      await linksSql.end();
      await clickhouse.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function readSegments(segments: readonly ClosedSegment[]) {
  const contents = await Promise.all(segments.map((segment) => segment.read()));
  return {
    events: contents.flatMap(({ events }) =>
      events.map(({ line, claim }) => ({
        ...EventRow.parse(JSON.parse(line.toString("utf8"))),
        claim,
      })),
    ),
    counters: contents.flatMap(({ counters }) =>
      counters.map((line) => CounterRow.parse(JSON.parse(line.toString("utf8")))),
    ),
    viewings: contents.flatMap(({ viewings }) =>
      viewings.map(({ line }) => ViewingRow.parse(JSON.parse(line.toString("utf8")))),
    ),
    opens: contents.flatMap(({ opens }) =>
      opens.map(({ line }) => OpenRow.parse(JSON.parse(line.toString("utf8")))),
    ),
  };
}
