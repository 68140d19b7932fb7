import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { z } from "zod";

import { startClickhouse } from "../embedded/clickhouse/start-clickhouse.ts";
import { choosePort } from "../embedded/ports.ts";
import { startPostgres } from "../embedded/postgres/start-postgres.ts";
import { provisionPostgres } from "../postgres/provision.ts";
import { DATABASE, OWNER_ROLE } from "../postgres/roles.ts";
import { runOnce, ServiceUnderDrill } from "./service-under-drill.ts";

const service = (path: string): string =>
  fileURLToPath(new URL(`../../services/${path}`, import.meta.url));

/** Engines, ledger and collectors on one machine, made to be hurt. */
export type DrillStack = Awaited<ReturnType<typeof startDrillStack>>;

/** Starts everything in `directory`, which must be empty; logs of services go to `directory/logs`. */
export async function startDrillStack(options: { directory: string; collectors: number }) {
  const { directory } = options;
  const logs = join(directory, "logs");
  await mkdir(logs, { recursive: true });
  const postgres = await startPostgres({ dataDir: join(directory, "postgres") });
  const clickhousePort = await choosePort();
  const clickhousePassword = randomBytes(24).toString("hex");
  const clickhouseOptions = {
    dataDir: join(directory, "clickhouse"),
    port: clickhousePort,
    password: clickhousePassword,
  };
  let clickhouse = await startClickhouse(clickhouseOptions);
  const urls = await provisionDatabase(postgres.url);
  const clickhouseEnv = { CLICKHOUSE_URL: clickhouse.url, CLICKHOUSE_DATABASE: DATABASE };
  await runOnce(service("ledger/migrate.ts"), { DATABASE_OWNER_URL: urls.owner });
  await runOnce(service("collector/migrate.ts"), {
    DATABASE_OWNER_URL: urls.owner,
    ...clickhouseEnv,
  });

  const token = randomBytes(32).toString("hex");
  const ledger = new ServiceUnderDrill({
    name: "ledger",
    file: service("ledger/main.ts"),
    port: await choosePort(),
    environment: { DATABASE_URL: urls.ledger, INTERNAL_TOKEN: token },
    logFile: join(logs, "ledger.log"),
  });
  await ledger.start();

  const key = randomBytes(32).toString("hex");
  const collectors: ServiceUnderDrill[] = [];
  for (let n = 0; n < options.collectors; n++) {
    const collector = new ServiceUnderDrill({
      name: `collector-${n}`,
      file: service("collector/main.ts"),
      port: await choosePort(),
      environment: {
        LEDGER_URL: ledger.url,
        INTERNAL_TOKEN: token,
        DATABASE_URL: urls.collector,
        SPOOL_DIR: join(directory, `spool-${n}`),
        COLLECTOR_KEY: key,
        TRUSTED_PROXIES: "127.0.0.1",
        // The load comes from one address.
        CALLS_PER_MINUTE: "0",
        ...clickhouseEnv,
      },
      logFile: join(logs, `collector-${n}.log`),
    });
    await collector.start();
    collectors.push(collector);
  }

  const client = connectClickhouse(clickhouse.url, { database: DATABASE, application: "drill" });
  const rows = async (query: string): Promise<Record<string, unknown>[]> => {
    const result = await client.query({ query, format: "JSONEachRow" });
    return result.json<Record<string, unknown>>();
  };

  return {
    directory,
    logs,
    ledger,
    collectors,
    ownerUrl: urls.owner,
    rows,
    /** The single number that a question on the product's database answers. */
    count: async (query: string): Promise<number> => {
      const [row] = await rows(query);
      return z.coerce.number().parse(Object.values(row ?? {})[0]);
    },
    runClickhouse: async (query: string): Promise<void> => {
      await client.command({ query });
    },
    killClickhouse: (): void => {
      const pid = clickhouse.pid();
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
    /** Takes ClickHouse away until `returnClickhouse`; its data stays. */
    removeClickhouse: (): Promise<void> => clickhouse.stop(),
    returnClickhouse: async (): Promise<void> => {
      clickhouse = await startClickhouse(clickhouseOptions);
    },
    /** Resolves when no collector has anything left to ship. */
    untilShipped: async (deadlineMs: number): Promise<void> => {
      const end = performance.now() + deadlineMs;
      for (;;) {
        const backlogs = await Promise.all(collectors.map((collector) => backlogBytes(collector)));
        if (backlogs.every((bytes) => bytes === 0)) return;
        if (performance.now() > end) throw new Error(`Not shipped in time: ${backlogs.join(", ")}`);
        await delay(50);
      }
    },
    stop: async (): Promise<void> => {
      for (const collector of collectors) await collector.stop();
      await ledger.stop();
      await client.close();
      await clickhouse.stop();
      await postgres.stop();
    },
  };
}

async function provisionDatabase(
  adminUrl: string,
): Promise<{ owner: string; ledger: string; collector: string }> {
  const passwords = {
    owner: randomBytes(24).toString("hex"),
    ledger: randomBytes(24).toString("hex"),
    collector: randomBytes(24).toString("hex"),
  };
  await provisionPostgres({
    adminUrl,
    ownerPassword: passwords.owner,
    servicePasswords: { ledger_app: passwords.ledger, collector_app: passwords.collector },
  });
  const as = (role: string, password: string): string => {
    const url = new URL(adminUrl);
    url.username = role;
    url.password = password;
    url.pathname = `/${DATABASE}`;
    return url.toString();
  };
  return {
    owner: as(OWNER_ROLE, passwords.owner),
    ledger: as("ledger_app", passwords.ledger),
    collector: as("collector_app", passwords.collector),
  };
}

/** What a collector says of itself in its metrics: bytes acknowledged but not yet in ClickHouse. */
async function backlogBytes(collector: ServiceUnderDrill): Promise<number> {
  const response = await fetch(`${collector.url}/metrics`).catch(() => undefined);
  if (response === undefined) return Number.NaN;
  const match = /^collector_spool_backlog_bytes(?:\{[^}]*\})? (\S+)$/m.exec(await response.text());
  return Number(match?.[1] ?? Number.NaN);
}
