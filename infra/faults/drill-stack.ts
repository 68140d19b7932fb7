import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import postgres from "postgres";
import { z } from "zod";

import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import { choosePort } from "../embedded/ports.ts";
import { startPostgres } from "../embedded/postgres/start-postgres.ts";
import { DATABASE } from "../postgres/roles.ts";
import { provisionDatabase, startServices } from "./drill-services.ts";
import type { ServiceUnderDrill } from "./service-under-drill.ts";

/** Engines, ledger and collectors on one machine, made to be hurt. */
export type DrillStack = Awaited<ReturnType<typeof startDrillStack>>;

/** Starts everything in `directory`, which must be empty; logs of services go to `directory/logs`. */
export async function startDrillStack(options: { directory: string; collectors: number }) {
  const { directory } = options;
  const logs = join(directory, "logs");
  await mkdir(logs, { recursive: true });
  const database = await startPostgres({ dataDir: join(directory, "postgres") });
  const clickhouse = await removableClickhouse(join(directory, "clickhouse"));
  const urls = await provisionDatabase(database.url);
  const { ledger, collectors } = await startServices({
    directory,
    logs,
    urls,
    clickhouseUrl: clickhouse.url,
    collectors: options.collectors,
  });
  return {
    directory,
    logs,
    collectors,
    ownerUrl: urls.owner,
    /** Cuts every connection that services hold to Postgres. */
    cutDatabaseConnections: () => cutConnections(database.url),
    ...questions(clickhouse.url),
    /** Ends the engine the hard way; it is started again by whoever supervises it. */
    killClickhouse: clickhouse.kill,
    /** Takes ClickHouse away until `returnClickhouse`; its data stays. */
    removeClickhouse: clickhouse.remove,
    returnClickhouse: clickhouse.giveBack,
    /** Resolves when no collector has anything left to ship. */
    untilShipped: (deadlineMs: number) => untilShipped(collectors, deadlineMs),
    stop: async (): Promise<void> => {
      for (const collector of collectors) await collector.stop();
      await ledger.stop();
      await clickhouse.remove();
      await database.stop();
    },
  };
}

async function removableClickhouse(dataDir: string) {
  const password = randomBytes(24).toString("hex");
  const settings = { dataDir, port: await choosePort(), password };
  let server = await startClickhouse(settings);
  return {
    url: server.url,
    kill: (): void => {
      const pid = server.pid();
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
    remove: (): Promise<void> => server.stop(),
    giveBack: async (): Promise<void> => {
      server = await startClickhouse(settings);
    },
  };
}

async function cutConnections(superuserUrl: string): Promise<void> {
  const sql = postgres(superuserUrl, { max: 1, onnotice: () => undefined });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where usename in ('collector_app', 'ledger_app')`;
  await sql.end();
}

function questions(clickhouseUrl: string) {
  const client = connectClickhouse(clickhouseUrl, { database: DATABASE, application: "drill" });
  const rows = async (query: string): Promise<Record<string, unknown>[]> => {
    const result = await client.query({ query, format: "JSONEachRow" });
    return result.json<Record<string, unknown>>();
  };
  return {
    rows,
    /** The single number that a question on the product's database answers. */
    count: async (query: string): Promise<number> => {
      const [row] = await rows(query);
      return z.coerce.number().parse(Object.values(row ?? {})[0]);
    },
    runClickhouse: async (query: string): Promise<void> => {
      await client.command({ query });
    },
  };
}

async function untilShipped(
  collectors: readonly ServiceUnderDrill[],
  deadlineMs: number,
): Promise<void> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const backlogs = await Promise.all(collectors.map((collector) => backlogBytes(collector)));
    if (backlogs.every((bytes) => bytes === 0)) return;
    if (performance.now() > end) throw new Error(`Not shipped in time: ${backlogs.join(", ")}`);
    await delay(50);
  }
}

/** What a collector says of itself in its metrics: bytes acknowledged but not yet in ClickHouse. */
async function backlogBytes(collector: ServiceUnderDrill): Promise<number> {
  const response = await fetch(`${collector.url}/metrics`).catch(() => undefined);
  if (response === undefined) return Number.NaN;
  const match = /^collector_spool_backlog_bytes(?:\{[^}]*\})? (\S+)$/m.exec(await response.text());
  return Number(match?.[1] ?? Number.NaN);
}
