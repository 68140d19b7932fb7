import { join } from "node:path";

import { queueBackends } from "@pro-talent/platform/queue/testing/test-queue";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

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

const workers = ["accounts-worker", "studio-worker", "collector-worker", "ledger-worker"] as const;
const services = ["accounts", "studio", "collector", "ledger", "insights"] as const;
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
  for (const service of ["ledger", "accounts", "studio", "collector"] as const) {
    await migrate(database.context, service, { CLICKHOUSE_URL: clickhouse.url });
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
  environment: Record<string, string> = {},
): Promise<ServiceUnderDrill[]> {
  const nowhere = "http://127.0.0.1:9";
  const shared = {
    CLICKHOUSE_URL: clickhouse.url,
    SMTP_URL: "smtp://127.0.0.1:9",
    LEDGER_URL: nowhere,
    ACCOUNTS_URL: nowhere,
    SPOOL_DIR: join(directory.path, "spool"),
    ...environment,
  };
  return await Promise.all(
    names.map((name) => processUnderDrill(context, name, { environment: shared })),
  );
}

/**
 * Starts processes while the store stands still, lets it answer the first question and then break, and mends it.
 * @returns how starts ended meanwhile
 */
async function startDisturbed(started: readonly ServiceUnderDrill[], breaking: RegExp) {
  proxy.halt();
  const starting = Promise.all(started.map((one) => one.start()));
  try {
    await until("each asks", () => proxy.held() >= started.length, 60_000);
    expect(started.flatMap(({ ends }) => ends)).toEqual([]);
    proxy.breakAt(breaking);
    proxy.restore();
    const ended = started.filter(({ instance }) => !answering.has(instance));
    await until("each start broke", () => ended.every(({ ends }) => ends.length > 0), 60_000);
    proxy.mend();
    await starting;
    return new Set(started.flatMap(({ ends }) => ends));
  } finally {
    await Promise.all(started.map((one) => one.stop()));
    await starting.catch(() => undefined);
  }
}

describe.each(queueBackends)(
  "when %s stands still as they start, and breaks off later",
  (backend) => {
    it("services and workers wait, start again, and become ready", async () => {
      const { context } = database;
      const redis = backend === "redis" ? await startRedis(directory.path) : undefined;
      const started =
        redis === undefined
          ? await processes(
              { ...context, databaseUrl: (role) => throughProxy(context.databaseUrl(role)) },
              [...services, ...workers],
            )
          : await processes(context, [...workers], { QUEUE_URL: throughProxy(redis.url) });
      // What is sent once a start is past its first question.
      const later = redis === undefined ? /application_name\0(?!start\0)/u : /evalsha|eval\b/iu;
      expect(await startDisturbed(started, later)).toEqual(new Set(["ended with code 75"]));
      await redis?.stop();
    }, 180_000);
  },
);
