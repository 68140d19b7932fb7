import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";

import { connectPostgres, type Sql } from "@pro-talent/platform/postgres/connect";
import { migratePostgres } from "@pro-talent/platform/postgres/migrate";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import {
  openTestQueue,
  type TestQueue,
  usualBackend,
} from "@pro-talent/platform/queue/testing/test-queue";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import {
  asRole,
  createTestPostgres,
  type TestPostgres,
} from "@pro-talent/platform/testing/engines";
import { startRecoveringPostgres } from "@pro-talent/platform/testing/recovering-postgres";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, afterEach, beforeAll, expect, inject, it } from "vitest";

import { openCollectorWorker } from "./prune-claims.ts";
import { startService } from "./testing/service-process.ts";

const log = createLogger({ service: "test", level: "silent" });
const directory = fileURLToPath(new URL("migrations/postgres", import.meta.url));

let postgres: TestPostgres;
let owner: Sql;
let queue: TestQueue;
const running: Awaited<ReturnType<OpenService>>[] = [];

beforeAll(async () => {
  postgres = await createTestPostgres();
  const { ownerUrl } = postgres;
  owner = connectPostgres(ownerUrl, { max: 1, applicationName: "test" });
  await migratePostgres(owner, { schema: "collector", directory });
  queue = await openTestQueue(usualBackend, { ownerUrl, name: "collector" });
  // Where the worker waits for its database, the queue is there as well.
  const queueUrl = asRole(ownerUrl, "jobs_app");
  await migrateQueue({ queueUrl, ownerUrl, name: "collector", role: "jobs_app" });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.close()));
});
afterAll(async () => {
  await queue.close();
  await owner.end();
  await postgres.drop();
});

/** The worker's variables, with the database at an address. */
const environmentAt = (url: string) => ({
  DATABASE_URL: asRole(url, "collector_app"),
  CLICKHOUSE_URL: inject("engines").clickhouseUrl,
  CLICKHOUSE_DATABASE: "default",
  QUEUE_URL: asRole(url, "jobs_app"),
  PUBLIC_ORIGIN: "https://pro-talent.example",
});

async function start() {
  const environment = { ...environmentAt(postgres.ownerUrl), QUEUE_URL: queue.url };
  const worker = await openCollectorWorker(environment, log);
  running.push(worker);
  return worker.app;
}

async function claim(age: string): Promise<string> {
  const id = randomUUID();
  await owner`insert into collector.event_claim (event_id, segment, claimed_at)
    values (${id}, ${randomUUID()}, now() - ${age}::interval)`;
  return id;
}

async function claims(): Promise<string[]> {
  const rows = await owner<{ event_id: string }[]>`select event_id from collector.event_claim`;
  return rows.map((row) => row.event_id);
}

it("old claims are pruned by the schedule, young ones stay; two workers keep one schedule", async () => {
  const old = await claim("73 hours");
  const young = await claim("47 hours");
  const both = await Promise.all([start(), start()]);
  await until("the old claim is pruned", async () => !(await claims()).includes(old));
  expect(await claims()).toEqual([young]);
  const everyMs = 600_000;
  expect(await queue.schedules()).toEqual([
    { name: "collector.destroy-recognition", everyMs },
    { name: "collector.prune-claims", everyMs },
  ]);
  const counted = /jobs_attempts_total\{job="collector\.prune-claims",outcome="completed"\} [1-9]/u;
  await until("a worker has counted it", async () => {
    const texts = await Promise.all(both.map(async (app) => (await app.inject("/metrics")).body));
    return texts.some((text) => counted.test(text));
  });
});

it("the worker is ready while it takes jobs, and keeps no data in the queue", async () => {
  const app = await start();
  expect((await app.inject("/healthz")).statusCode).toBe(200);
  expect((await app.inject("/readyz")).json()).toEqual({ ready: true, missing: [] });
  const kept = await queue.jobs();
  expect(kept.length).toBeGreaterThan(0);
  for (const { name, data } of kept) {
    expect(["collector.destroy-recognition", "collector.prune-claims"]).toContain(name);
    expect(data).toEqual({});
  }
});

it.each([
  ["collector_app", "update collector.event_claim set claimed_at = now()"],
  ["collector_app", "truncate collector.event_claim"],
  ["collector_app", "delete from collector.migration"],
  ["jobs_app", "select * from collector.event_claim"],
  ["jobs_app", "delete from collector.event_claim"],
  ["jobs_app", "select * from collector.migration"],
] as const)("%s may not: %s", async (role, statement) => {
  const sql = connectPostgres(asRole(postgres.ownerUrl, role), { max: 1, applicationName: "test" });
  await expect(sql.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  await sql.end();
});

it("a worker that starts while the database recovers waits for it, and logs that once", async () => {
  const server = await startRecoveringPostgres(postgres.ownerUrl);
  const starting = startService("collector/worker.ts", environmentAt(server.url));
  await until("it was refused several times", () => server.refused() >= 3, 20_000);
  server.recover();
  const worker = await starting;
  expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
  expect(worker.output().match(/does not take connections yet/g)).toHaveLength(1);
  expect(worker.output()).toContain('"code":"57P03"');
  expect(worker.output()).not.toContain("starting up");
  await worker.stop();
  await server.stop();
});

it("a worker that cannot start says where and with which code, not in the driver's words", async () => {
  const url = new URL(postgres.ownerUrl);
  url.pathname = "/there_is_none";
  const starting = startService("collector/worker.ts", environmentAt(url.href));
  await expect(starting).rejects.toThrow(/"level":60,.*"code":"3D000".*could not start/);
  await expect(starting).rejects.not.toThrow("there_is_none");
});
