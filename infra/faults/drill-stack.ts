import { randomBytes } from "node:crypto";
import { join } from "node:path";

import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { until } from "@pro-talent/platform/testing/until";
import { z } from "zod";

import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import { choosePort } from "../embedded/ports.ts";
import { DATABASE, OWNER_ROLE } from "../postgres/roles.ts";
import { startDrillLinks } from "./drill-links.ts";
import {
  type DrillContext,
  migrate,
  processUnderDrill,
  type ServiceUnderDrill,
  startDatabase,
} from "./drill-services.ts";

export type DrillOptions = {
  /** Empty; everything of the drill is kept in it. */
  directory: string;
  seed: number;
  /** Reports progress. */
  report: (line: string) => void;
};

/** Engines, ledger, collectors and perhaps their worker on one machine, to be disturbed. */
export type DrillStack = Awaited<ReturnType<typeof startDrillStack>>;

/** Starts everything in `directory`, which must be empty; logs of services go to `directory/logs`. */
export async function startDrillStack(options: {
  directory: string;
  collectors: number;
  /** With the worker that prunes claims. */
  worker?: boolean;
  /** Where its queue is; in Postgres when left out. */
  queueUrl?: string | undefined;
}) {
  const { directory } = options;
  const database = await startDatabase(directory);
  const { context } = database;
  const clickhouse = await stoppableClickhouse(join(directory, "clickhouse"));
  const store = { CLICKHOUSE_URL: clickhouse.url };
  await migrate(context, "ledger");
  await migrate(context, "collector", clickhouse.url);
  const ledger = await processUnderDrill(context, "ledger");
  await ledger.start();
  const links = await startDrillLinks(ledger.url);
  const collectors = await startCollectors(context, options, {
    ...store,
    LEDGER_URL: links.url,
    ACCOUNTS_URL: "http://accounts.invalid",
  });
  const worker = await processUnderDrill(context, "collector-worker", {
    environment: {
      ...store,
      ...(options.queueUrl !== undefined && { QUEUE_URL: options.queueUrl }),
    },
  });
  if (options.worker === true) await worker.start();
  return {
    directory,
    logs: context.logs,
    collectors,
    worker,
    internalToken: context.internalToken,
    clickhouse: { url: clickhouse.url, pid: clickhouse.pid },
    postgresPid: database.pid,
    ownerUrl: context.databaseUrl(OWNER_ROLE),
    /** Cuts every connection that services hold to Postgres. */
    cutDatabaseConnections: () => cutConnections(database.adminUrl),
    /** Ends the engine with `kill -9`; its supervisor starts it again. */
    killClickhouse: clickhouse.kill,
    /** Stops ClickHouse until `startClickhouse`; its data stays. */
    stopClickhouse: clickhouse.stop,
    startClickhouse: clickhouse.start,
    ...queriesOn(clickhouse.url),
    /** Resolves when no collector has anything left to ship. */
    untilShipped: (deadlineMs: number) => untilShipped(collectors, deadlineMs),
    stop: async (): Promise<void> => {
      for (const service of [worker, ...collectors, ledger]) await service.stop();
      links.stop();
      await clickhouse.stop();
      await database.stop();
    },
  };
}

async function startCollectors(
  context: DrillContext,
  { directory, collectors }: { directory: string; collectors: number },
  shared: Record<string, string>,
): Promise<ServiceUnderDrill[]> {
  const started: ServiceUnderDrill[] = [];
  for (let n = 0; n < collectors; n++) {
    const collector = await processUnderDrill(context, "collector", {
      instance: `collector-${n}`,
      environment: { ...shared, SPOOL_DIR: join(directory, `spool-${n}`) },
    });
    await collector.start();
    started.push(collector);
  }
  return started;
}

/** ClickHouse in a directory of its own, which can be killed, and stopped for a while. */
export async function stoppableClickhouse(dataDir: string) {
  const password = randomBytes(24).toString("hex");
  const settings = { dataDir, port: await choosePort(), password, givesWay: true };
  let server = await startClickhouse(settings);
  return {
    url: server.url,
    pid: () => server.pid(),
    kill: (): void => {
      const pid = server.pid();
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
    stop: (): Promise<void> => server.stop(),
    start: async (): Promise<void> => {
      server = await startClickhouse(settings);
    },
  };
}

async function cutConnections(adminUrl: string): Promise<void> {
  const sql = openPool(adminUrl, { max: 1, applicationName: "drill" });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where usename in ('collector_app', 'ledger_app', 'jobs_app')`;
  await sql.end();
}

/** Questions about the rows of the product. */
export function queriesOn(clickhouseUrl: string) {
  const client = connectClickhouse(clickhouseUrl, { database: DATABASE, application: "drill" });
  const rows = async (query: string): Promise<Record<string, unknown>[]> => {
    const result = await client.query({ query, format: "JSONEachRow" });
    return result.json<Record<string, unknown>>();
  };
  return {
    rows,
    /** The single number that a query on the product's database answers. */
    count: async (query: string): Promise<number> => {
      const [row] = await rows(query);
      return z.coerce.number().parse(Object.values(row ?? {})[0]);
    },
    runClickhouse: async (query: string): Promise<void> => {
      await client.command({ query });
    },
  };
}

/** Resolves when no collector has anything left to ship. */
export async function untilShipped(
  collectors: readonly ServiceUnderDrill[],
  deadlineMs: number,
): Promise<void> {
  const shipped = async () =>
    (await Promise.all(collectors.map(backlogBytes))).every((bytes) => bytes === 0);
  await until("every collector has shipped its spool", shipped, deadlineMs);
}

/** Bytes that a collector has acknowledged but not shipped, from its metrics; NaN without an answer. */
async function backlogBytes({ url }: ServiceUnderDrill): Promise<number> {
  const response = await fetch(`${url}/metrics`).catch(() => undefined);
  const text = (await response?.text()) ?? "";
  return Number(/^collector_spool_backlog_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1]);
}
