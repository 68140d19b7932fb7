import { join } from "node:path";
import { env as environment } from "node:process";

import { queueBackends } from "@pro-talent/platform/queue/testing/test-queue";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { type CutProxy, startCutProxy } from "./cut-proxy.ts";
import {
  type DrillContext,
  migrate,
  processUnderDrill,
  type ServiceUnderDrill,
  startDatabase,
} from "./drill-services.ts";
import { stoppableClickhouse } from "./drill-stack.ts";
import { startRedis } from "./redis-server.ts";

const workers = ["ledger-worker", "accounts-worker", "studio-worker", "collector-worker"] as const;
const services = ["ledger", "accounts", "collector", "insights", "studio"] as const;
/** `WAITING_STARTS=5` tries them all: they wait by the same code, with their own pools. */
const most = Number(environment["WAITING_STARTS"] ?? 2);
const tried = { services: services.slice(0, most + 1), workers: workers.slice(0, most) };
/** They answer while they wait, with a problem that says when to try again. */
const answering = new Set(["ledger", "insights"]);

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let database: Awaited<ReturnType<typeof startDatabase>>;
let clickhouse: Awaited<ReturnType<typeof stoppableClickhouse>>;
let proxy: CutProxy;
beforeAll(async () => {
  directory = await temporaryDirectory();
  database = await startDatabase(directory.path);
  clickhouse = await stoppableClickhouse(join(directory.path, "clickhouse"));
  proxy = await startCutProxy();
  for (const service of ["ledger", "accounts", "collector", "studio"] as const) {
    if (!tried.services.includes(service)) continue;
    await migrate(database.context, service, clickhouse.url);
  }
}, 120_000);
afterAll(async () => {
  await proxy.stop();
  await clickhouse.stop();
  await database.stop();
  await directory.remove();
});

/** An address by way of the proxy. */
function throughProxy(url: string): string {
  const through = new URL(url);
  proxy.leadTo(Number(through.port));
  through.port = String(proxy.port);
  return through.href;
}

async function processes(
  context: DrillContext,
  names: Parameters<typeof processUnderDrill>[1][],
  settings: Record<string, string> = {},
): Promise<ServiceUnderDrill[]> {
  const nowhere = "http://127.0.0.1:9";
  const shared = {
    CLICKHOUSE_URL: clickhouse.url,
    SMTP_URL: "smtp://127.0.0.1:9",
    LEDGER_URL: nowhere,
    ACCOUNTS_URL: nowhere,
    SPOOL_DIR: join(directory.path, "spool"),
    ...settings,
  };
  return await Promise.all(
    names.map((name) => processUnderDrill(context, name, { environment: shared })),
  );
}

/**
 * Starts processes while the store stands still, lets it answer the first question, then breaks it until each start has met that.
 * @param breaking what is sent once a start is past its first question
 * @param isBroken whether that has happened to each
 * @returns how starts ended meanwhile
 */
async function startDisturbed(
  started: readonly ServiceUnderDrill[],
  breaking: RegExp,
  isBroken: () => boolean,
): Promise<Set<string>> {
  const before = proxy.broken();
  proxy.halt();
  const starting = Promise.allSettled(started.map((one) => one.start()));
  try {
    await until("each asks", () => proxy.held() >= started.length, 60_000);
    expect(started.flatMap(({ ends }) => ends)).toEqual([]);
    proxy.breakAt(breaking);
    proxy.restore();
    const broke = () => proxy.broken() - before >= started.length && isBroken();
    await until("each start broke off", broke, 60_000);
    proxy.heal();
    const outcomes = await starting;
    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
    return new Set(started.flatMap(({ ends }) => ends));
  } finally {
    await Promise.all(started.map((one) => one.stop()));
    await starting;
  }
}

const nothing: ReadonlySet<string> = new Set();
const again = new Set(["ended with code 75"]);

it("services and workers wait for Postgres that stands still, and start again when it breaks off", async () => {
  const { context } = database;
  const reached: DrillContext = {
    ...context,
    databaseUrl: (role) => throughProxy(context.databaseUrl(role)),
  };
  const started = await processes(reached, [...tried.services, ...tried.workers]);
  const ending = started.filter(({ instance }) => !answering.has(instance));
  const isBroken = (): boolean => ending.every(({ ends }) => ends.length > 0);
  // All but the first question of each start.
  const ends = await startDisturbed(started, /application_name\0(?!start\0)/u, isBroken);
  expect(ends).toEqual(again);
}, 180_000);

it.each(queueBackends.filter((backend) => backend === "redis"))(
  "workers wait for %s that stands still, and that breaks off",
  async () => {
    const redis = await startRedis(directory.path);
    const started = await processes(database.context, tried.workers, {
      QUEUE_URL: throughProxy(redis.url),
    });
    // The client of Redis waits by itself.
    expect(await startDisturbed(started, /eval/iu, () => true)).toEqual(nothing);
    await redis.stop();
  },
  180_000,
);
