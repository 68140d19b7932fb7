import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  asRole,
  createTestClickhouse,
  createTestPostgres,
  type TestClickhouse,
  type TestPostgres,
} from "@pro-talent/platform/testing/engines";
import {
  analyticsPaths as paths,
  SessionStarted,
  TrackAnswer,
} from "@pro-talent/schemas/analytics/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { browserHeaders, deviceHeaders } from "./testing/collector-under-test.ts";
import {
  type LedgerProcess,
  migrateLedger,
  runProgram,
  type ServiceProcess,
  startLedger,
  startService,
} from "./testing/service-process.ts";

/** From the ranges for documentation (RFC 5737, RFC 3849), and a real one that has a location. */
const addresses = [
  ...Array.from({ length: 40 }, (_, n) => `203.0.113.${n + 100}`),
  ...Array.from({ length: 40 }, (_, n) => `2001:db8:77::${(n + 0x4d00).toString(16)}`),
  "81.218.10.20",
];
const anonymousId = "1740000000003-planted-visitor";

let postgres: TestPostgres;
let clickhouse: TestClickhouse;
let ledger: LedgerProcess;
let directory: string;

beforeAll(async () => {
  [postgres, clickhouse] = await Promise.all([
    createTestPostgres({ name: "ledger_of_collector", migrate: migrateLedger }),
    createTestClickhouse(),
  ]);
  ledger = await startLedger(postgres.ownerUrl);
  await runProgram("collector/migrate.ts", {
    DATABASE_OWNER_URL: postgres.ownerUrl,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_DATABASE: clickhouse.database,
  });
  directory = await mkdtemp(join(tmpdir(), "collector-process-"));
});
afterAll(async () => {
  await ledger.stop();
  await Promise.all([postgres.drop(), clickhouse.drop()]);
  await rm(directory, { recursive: true });
});

function startCollector(change: Record<string, string> = {}): Promise<ServiceProcess> {
  return startService("collector/main.ts", {
    LOG_LEVEL: "debug",
    LEDGER_URL: ledger.url,
    ACCOUNTS_URL: "http://accounts.invalid",
    PUBLIC_ORIGIN: "http://localhost:3000",
    INTERNAL_TOKEN: ledger.internalToken,
    DATABASE_URL: asRole(postgres.ownerUrl, "collector_app"),
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_DATABASE: clickhouse.database,
    SPOOL_DIR: join(directory, "spool"),
    COLLECTOR_KEY: "test-only-secret-of-the-collector-01",
    TRUSTED_PROXIES: "127.0.0.1",
    ...change,
  });
}

async function post(
  collector: ServiceProcess,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await fetch(collector.url + path, {
    method: "POST",
    headers: { ...browserHeaders, ...headers },
    body: JSON.stringify(body),
  });
  return response.json();
}

async function consentedSession(collector: ServiceProcess): Promise<string> {
  const started = await post(collector, paths.sessionStart, { anonymousId }, deviceHeaders);
  const { sessionId } = SessionStarted.parse(started);
  await post(collector, paths.sessionConsent, {
    sessionId,
    hasConsent: true,
    consentType: "detailed",
  });
  return sessionId;
}

async function spoolBytes(): Promise<string> {
  const files = await readdir(join(directory, "spool"), { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map((file) => readFile(join(file.parentPath, file.name), "latin1")),
  );
  return texts.join("\n");
}

describe("the collector as a process", () => {
  it("ends with one line when its spool cannot be written", async () => {
    await writeFile(join(directory, "file"), "");
    const spool = join(directory, "file", "spool");
    await expect(startCollector({ SPOOL_DIR: spool })).rejects.toThrow(
      `collector/main.ts ended:\nNothing can be written to ${spool}: a part of the path is a file (ENOTDIR). Make it writable, or set SPOOL_DIR to another place.\n`,
    );
  });

  it("starts when ClickHouse is away, and reports the backlog", async () => {
    const collector = await startCollector({ CLICKHOUSE_URL: "http://127.0.0.1:1" });
    const sessionId = await consentedSession(collector);
    const answer = await post(collector, paths.trackPageView, { sessionId, page: "/" });
    expect(answer).toEqual({ outcome: "stored" });
    const ready = await fetch(`${collector.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ ready: true, backlogBytes: expect.any(Number) });
    expect((await fetch(`${collector.url}/healthz`)).status).toBe(200);
    const metrics = await (await fetch(`${collector.url}/metrics`)).text();
    expect(Number(/^collector_spool_backlog_bytes (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
    await collector.kill();
  });

  it("writes no address, user agent or id of a visitor anywhere but under consent", async () => {
    const collector = await startCollector({ CLICKHOUSE_URL: "http://127.0.0.1:1" });
    const sessionId = await consentedSession(collector);
    for (const address of addresses) {
      const from = { "x-forwarded-for": address };
      const view = { sessionId, page: "/located" };
      TrackAnswer.parse(await post(collector, paths.trackPageView, view, from));
      await post(collector, paths.trackPageView, { sessionId: address, page: address }, from);
      await post(collector, paths.sessionStart, { anonymousId, landingPage: `/${address}` }, from);
    }
    await collector.kill();

    const [spooled, logged] = [await spoolBytes(), collector.output()];
    expect(spooled).toContain('"page":"/located"');
    expect(spooled).toContain('"city":"Tel Aviv"');
    expect(logged).toContain("collector is ready");
    const planted = [...addresses, "Mozilla/5.0", anonymousId, sessionId];
    expect(planted.filter((part) => spooled.includes(part))).toEqual([]);
    expect(planted.filter((part) => logged.includes(part))).toEqual([]);
    expect(logged).not.toContain(sessionId.slice(0, 36));
  });

  it("ships what killed processes left and its own before it ends", async () => {
    const collector = await startCollector();
    const sessionId = await consentedSession(collector);
    await post(collector, paths.trackPageView, { sessionId, page: "/last" });
    await post(collector, paths.trackPageView, { sessionId, page: 1 });
    expect(await collector.stop()).toBe(0);

    const { client, database } = clickhouse;
    const result = await client.query({
      query: `select page, count() as views from ${database}.events
        where kind = 'page_view' group by page order by page`,
      format: "JSONEachRow",
    });
    expect(await result.json()).toEqual([
      { page: "/", views: 1 },
      { page: "/last", views: 1 },
      { page: "/located", views: addresses.length },
    ]);
    const drops = await client.query({
      query: `select sum(count) as refused from ${database}.counters_daily
        where metric = 'drop' and label = 'invalid_body'`,
      format: "JSONEachRow",
    });
    // One here, and one for each address that was sent as a session id: that is unknown_session.
    expect(await drops.json()).toEqual([{ refused: 1 }]);
    expect(await spoolBytes()).not.toContain('"page":');
  });

  it("does not start without its settings, and reports which", async () => {
    const started = startCollector({ COLLECTOR_KEY: "short", SPOOL_DIR: "" });
    await expect(started).rejects.toThrow(/SPOOL_DIR|COLLECTOR_KEY/);
    await expect(started).rejects.not.toThrow("short");
  });
});
