import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { listen } from "@pro-talent/platform/http/listen";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { systemClock } from "@pro-talent/platform/runtime/clock";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";
import { collectDefaultMetrics } from "prom-client";

import { buildCollectorApp } from "./app.ts";
import { connectGateDatabase, ConsentGate } from "./consent/consent-gate.ts";
import { createLedgerClient } from "./consent/ledger-client.ts";
import { readEnv } from "./env.ts";
import { openLocations } from "./ingest/enrich/location.ts";
import { type BacklogFacts, createCollectorMetrics } from "./metrics.ts";
import { deriveKeys } from "./session/identity.ts";
import { Shipper } from "./ship/shipper.ts";
import { Spool } from "./spool/spool.ts";

const dropFlushMs = 5_000;
const drainMs = 10_000;
const closeSeconds = 2;

const env = readEnv();
const log = createLogger({ service: "collector", level: env.LOG_LEVEL });

const gateSql = connectGateDatabase(env.DATABASE_URL);
const claimsSql = openPool(env.DATABASE_URL, {
  max: 4,
  applicationName: "collector-claims",
});
const clickhouse = connectClickhouse(env.CLICKHOUSE_URL, { application: "collector" });
const backlog = (): BacklogFacts => {
  const { segments, oldestMs } = shipper.backlog();
  return { bytes: spool.bytes(), segments, oldestMs, shipping: shipper.healthy() };
};
const metrics = createCollectorMetrics(backlog);
collectDefaultMetrics({ register: metrics.registry });

const locate = await openLocations();
const shipper = new Shipper({
  clickhouse,
  database: env.CLICKHOUSE_DATABASE,
  sql: claimsSql,
  metrics: metrics.registry,
  log,
  clock: systemClock,
});
const spool = await Spool.open({
  directory: env.SPOOL_DIR,
  bytesMax: env.SPOOL_BYTES_MAX,
  onSegment: (segment) => shipper.accept(segment),
  onCommit: (seconds) => metrics.commitSeconds.observe(seconds),
  log,
});
const { server, drops, stopTaking } = buildCollectorApp({
  log,
  clock: systemClock,
  keys: deriveKeys(env.COLLECTOR_KEY, env.VISITOR_KEY),
  spool,
  spoolBytesMax: env.SPOOL_BYTES_MAX,
  gate: new ConsentGate({
    sql: gateSql,
    onBatch: (questions, seconds) => {
      metrics.gateQuestions.observe(questions);
      metrics.gateSeconds.observe(seconds);
    },
    onChange: (answering, error) => {
      if (answering) log.info("consent can be read again");
      else log.error({ err: error }, "consent cannot be read; reports are refused");
    },
  }),
  ledger: createLedgerClient({ url: env.LEDGER_URL, internalToken: env.INTERNAL_TOKEN, log }),
  locate,
  metrics,
  backlog,
  trustedProxies: env.TRUSTED_PROXIES,
  callsPerMinute: env.CALLS_PER_MINUTE,
});
const dropTimer = setInterval(() => {
  // What is not written stays in memory; the metrics count it meanwhile.
  drops.flush().catch((error: unknown) => log.warn({ err: error }, "drops could not be written"));
}, dropFlushMs);

const shutdown = new Shutdown(log);
shutdown.add("refuse new calls", async () => stopTaking());
shutdown.add("finish calls", () => server.close());
shutdown.add("write drops", async () => {
  clearInterval(dropTimer);
  await drops.flush();
});
shutdown.add("close spool", () => spool.close());
shutdown.add("ship the rest", async () => {
  const shipped = await shipper.drain(drainMs);
  await shipper.stop();
  if (!shipped)
    log.warn({ backlog: shipper.backlog() }, "the rest stays in the spool for the next start");
});
shutdown.add("close stores", async () => {
  await clickhouse.close();
  // With a time limit: the driver never ends a pool of which the server closed a connection.
  await gateSql.end({ timeout: closeSeconds });
  await claimsSql.end();
});
shutdown.listen();
await listen(server, env);
log.info("collector is ready");
