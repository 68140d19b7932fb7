import { fileURLToPath } from "node:url";

import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { migratePostgres } from "@pro-talent/platform/postgres/migrate";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { uuidV7 } from "@pro-talent/platform/runtime/uuid-v7";
import {
  asRole,
  createTestPostgres,
  type TestPostgres,
} from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";

import { buildJobsApp } from "./app.ts";
import { migrateJobs } from "./migrate.ts";
import { createRegistry } from "./registry.ts";
import { schedules } from "./schedules.ts";

/** What the jobs work on; the services themselves do not know each other. */
const collectorMigrations = fileURLToPath(
  new URL("../collector/migrations/postgres", import.meta.url),
);
const log = createLogger({ service: "test", level: "silent" });

let postgres: TestPostgres;
let owner: ReturnType<typeof connectPostgres>;
let sql: Sql;
let queueUrl: string;
const hosts: FastifyInstance[] = [];

beforeAll(async () => {
  postgres = await createTestPostgres();
  const { ownerUrl } = postgres;
  queueUrl = asRole(ownerUrl, "jobs_app");
  await migrateJobs({ queueUrl, ownerUrl });
  owner = connectPostgres(ownerUrl, { max: 1, applicationName: "test" });
  await migratePostgres(owner, { schema: "collector", directory: collectorMigrations });
  sql = openPool(queueUrl, { max: 2, applicationName: "jobs" });
});

afterAll(async () => {
  await Promise.all(hosts.map((host) => host.close()));
  await sql.end();
  await owner.end();
  await postgres.drop();
});

async function startHost(): Promise<FastifyInstance> {
  const host = await buildJobsApp({ queueUrl, sql, log });
  hosts.push(host);
  return host;
}

async function claim(age: string): Promise<string> {
  const id = uuidV7(Date.now());
  await owner`insert into collector.event_claim (event_id, segment, claimed_at)
    values (${id}, ${uuidV7(Date.now())}, now() - ${age}::interval)`;
  return id;
}

async function claims(): Promise<string[]> {
  const rows = await owner<{ event_id: string }[]>`select event_id from collector.event_claim`;
  return rows.map((row) => row.event_id);
}

it("old claims are forgotten by the schedule, young ones stay; two hosts keep one schedule", async () => {
  const old = await claim("49 hours");
  const young = await claim("47 hours");
  const [first, second] = await Promise.all([startHost(), startHost()]);
  await until("the old claim is forgotten", async () => !(await claims()).includes(old));
  expect(await claims()).toEqual([young]);
  const kept = await owner`select scheduler_id, every_ms from bullmq.scheduler`;
  expect([...kept]).toEqual([{ scheduler_id: "collector.prune-claims", every_ms: 600_000 }]);
  const counted = /jobs_attempts_total\{job="collector\.prune-claims",outcome="completed"\} [1-9]/u;
  await until("a host has counted it", async () => {
    const texts = await Promise.all(
      [first, second].map(async (host) => (await host.inject("/metrics")).body),
    );
    return texts.some((text) => counted.test(text));
  });
});

it("a host is ready while it takes jobs, and says what is missing when it does not", async () => {
  const cut = openPool(queueUrl, { max: 1, applicationName: "test" });
  const host = await buildJobsApp({ queueUrl, sql: cut, log });
  expect((await host.inject("/healthz")).statusCode).toBe(200);
  expect((await host.inject("/readyz")).json()).toEqual({ ready: true, missing: [] });
  await cut.end();
  const answer = await host.inject("/readyz");
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({ ready: false, missing: ["postgres"] });
  await host.close();
});

it("what jobs are told has no room for personal data, and what the queue keeps has none", async () => {
  for (const job of createRegistry({ sql })) {
    const run = job.run({ email: "someone@example.com" });
    await expect(run).rejects.toThrow("does not take this payload");
  }
  expect(schedules.map(({ name, payload }) => [name, payload])).toEqual([
    ["collector.prune-claims", {}],
  ]);
  const kept = await owner`select distinct data from bullmq.job`;
  expect([...kept]).toEqual([{ data: {} }]);
});

it("every scheduled job has a handler", () => {
  const known = new Set(createRegistry({ sql }).map(({ name }) => name));
  expect(schedules.filter(({ name }) => !known.has(name))).toEqual([]);
  expect(schedules.length).toBeGreaterThan(0);
});

it("the host may forget claims and nothing else of the collector", async () => {
  for (const statement of [
    "update collector.event_claim set claimed_at = now()",
    "insert into collector.event_claim (event_id, segment) values (gen_random_uuid(), gen_random_uuid())",
    "select * from collector.migration",
  ]) {
    await expect(sql.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  }
});
