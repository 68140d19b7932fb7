import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";

import { entered, newAddress } from "@pro-talent/ledger/domains/contact/testing/contact-samples";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { backendOf } from "@pro-talent/platform/queue/backend";
import { Queue } from "bullmq";

import { startProcesses } from "../docker/start-processes.ts";
import { clickhouseUrl, superuserUrl } from "../embedded/addresses.ts";
import { startCutProxy } from "./cut-proxy.ts";
import { startPrometheus } from "./prometheus-server.ts";
import { startConsentedVisits } from "./visits.ts";

/** Bounds that a drill of minutes cannot reach. */
export const alertBounds: Readonly<Record<string, string>> = {
  "process_memory_bytes > 0.9 * 1024 * 1024 * 1024":
    'process_memory_bytes{job="accounts"} > 256 * 1024 * 1024',
  "collector_spool_backlog_bytes > 1024 * 1024 * 1024": "collector_spool_backlog_bytes > 64 * 1024",
  "ledger_outbox_oldest_seconds > 900": "ledger_outbox_oldest_seconds > 15",
  "ledger_follower_lag_events > 1000": "ledger_follower_lag_events > 0",
  "backup_wal_lag_seconds > 600": "backup_wal_lag_seconds > 10",
};
const bodyBytes = 60_000;
const unfinishedRequest = `POST /api/account/sign-in HTTP/1.1
host: drill
content-type: application/json
content-length: ${bodyBytes}

${"x".repeat(bodyBytes - 1)}`.replaceAll("\n", "\r\n");
const spoolBytesMax = 256 * 1024;

export type AlertStack = Awaited<ReturnType<typeof openAlertStack>>;

/** The product as its containers run it, watched by Prometheus, with what faults need. */
export async function openAlertStack(directory: string) {
  const [clickhouse, backupsDatabase] = [await startCutProxy(), await startCutProxy()];
  const backupsClock = join(directory, "backups-clock.json");
  const product = await startProcesses({
    dataDir: join(directory, "data"),
    more: (name, context) => {
      clickhouse.leadTo(context.port("clickhouse"));
      backupsDatabase.leadTo(context.port("postgres"));
      if (name === "backups") {
        return {
          POSTGRES_ADMIN_URL: throughPort(superuserUrl(context), backupsDatabase.port),
          BACKUP_FIRST_AFTER_SECONDS: "0",
          BACKUP_WAL_EVERY_SECONDS: "1",
          NODE_ENV: "test",
          TEST_CLOCK_FILE: backupsClock,
        };
      }
      // All requests come from one address.
      if (name === "accounts") return { CALLS_PER_MINUTE: "1000000" };
      if (name !== "collector") return { OUTBOX_FIRST_WAIT_MS: "1000" };
      return {
        CLICKHOUSE_URL: throughPort(clickhouseUrl(context), clickhouse.port),
        SPOOL_BYTES_MAX: String(spoolBytesMax),
        CALLS_PER_MINUTE: "0",
      };
    },
  });
  const { services, origin, postgres } = product.runtime;
  const portOf = (name: string): number => Number(new URL(services[name] ?? "").port);
  const prometheus = await startPrometheus(directory, portOf, alertBounds);
  const [admin, owner] = [postgres?.superuserUrl ?? "", postgres?.ownerUrl ?? ""].map((url) =>
    connectPostgres(url, { max: 4, applicationName: "drill" }),
  );
  if (admin === undefined || owner === undefined) throw new Error("Postgres does not run");
  const jobs: unknown = backendOf(product.queueUrl, "collector").openQueue({});
  if (!(jobs instanceof Queue)) throw new TypeError("The queue is not one of BullMQ");
  const sessions = await startConsentedVisits(services["collector"] ?? "", 4);
  return {
    admin,
    owner,
    jobs,
    prometheus,
    clickhouse,
    backupsDatabase,
    backupsClock,
    spoolDir: join(product.dataDir, "spool"),
    signal: (name: string, signal: NodeJS.Signals): void => {
      const pid = product.processes.get(name)?.pid();
      if (pid !== undefined) process.kill(pid, signal);
    },
    ...callsTo(origin, sessions),
    holdRequests: (count: number) => holdRequests(services["accounts"] ?? "", count),
    stop: async (): Promise<void> => {
      await jobs.close();
      await Promise.all([admin.end(), owner.end()]);
      await prometheus.stop();
      await product.stop();
      await Promise.all([clickhouse.stop(), backupsDatabase.stop()]);
    },
  };
}

const throughPort = (url: string, port: number): string =>
  Object.assign(new URL(url), { port: String(port) }).href;

/** What visitors and holders ask of the product. */
function callsTo(origin: string, sessions: readonly string[]) {
  let reports = 0;
  return {
    /** A call of accounts that reads its database. */
    ask: () =>
      fetch(`${origin}/api/account`, { headers: { authorization: `Bearer ${randomUUID()}` } }),
    /** A report that is stored. */
    report: () => {
      reports += 1;
      return fetch(`${origin}/api/analytics/track/click`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          sessionId: sessions[reports % sessions.length],
          element: "button",
          page: `/drill/${"x".repeat(400)}`,
        }),
      });
    },
    /** A message to support, which is mailed. */
    write: () =>
      fetch(`${origin}/api/contact/send`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(entered({ email: newAddress() })),
      }),
  };
}

/** Requests to a service whose bodies do not end. @returns what closes their connections */
async function holdRequests(url: string, count: number): Promise<() => void> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    socket.on("error", () => undefined);
    socket.write(unfinishedRequest);
  }
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
