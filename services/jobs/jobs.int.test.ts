import { randomUUID } from "node:crypto";

import { prepareLedgerJobs } from "@pro-talent/ledger/jobs";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { until } from "@pro-talent/platform/testing/until";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";

import { createRegistry } from "./registry.ts";
import { schedules } from "./schedules.ts";
import { type JobsUnderTest, openJobsUnderTest, quiet, silent } from "./testing/jobs-under-test.ts";

let jobs: JobsUnderTest;
beforeAll(async () => {
  jobs = await openJobsUnderTest();
});
afterEach(() => jobs.rest());
afterAll(() => jobs.close());

async function claim(age: string): Promise<string> {
  const id = randomUUID();
  await jobs.owner`insert into collector.event_claim (event_id, segment, claimed_at)
    values (${id}, ${randomUUID()}, now() - ${age}::interval)`;
  return id;
}

async function claims(): Promise<string[]> {
  const rows = await jobs.owner<{ event_id: string }[]>`select event_id from collector.event_claim`;
  return rows.map((row) => row.event_id);
}

it("old claims are forgotten by the schedule, young ones stay; two hosts keep one schedule", async () => {
  const old = await claim("49 hours");
  const young = await claim("47 hours");
  const [first, second] = await Promise.all([jobs.start(), jobs.start()]);
  await until("the old claim is forgotten", async () => !(await claims()).includes(old));
  expect(await claims()).toEqual([young]);
  const kept = await jobs.owner`
    select scheduler_id, every_ms from bullmq.scheduler order by scheduler_id`;
  expect([...kept]).toEqual([
    { scheduler_id: "collector.prune-claims", every_ms: 600_000 },
    { scheduler_id: "ledger.forget-orphans", every_ms: 3_600_000 },
  ]);
  const counted = /jobs_attempts_total\{job="collector\.prune-claims",outcome="completed"\} [1-9]/u;
  await until("a host has counted it", async () => {
    const texts = await Promise.all(
      [first, second].map(async (host) => (await host.inject("/metrics")).body),
    );
    return texts.some((text) => counted.test(text));
  });
});

it("a host is ready while it takes jobs, and says what is missing when it does not", async () => {
  const cut = openPool(jobs.queueUrl, { max: 1, applicationName: "test" });
  const host = await jobs.start(quiet, cut);
  expect((await host.inject("/healthz")).statusCode).toBe(200);
  expect((await host.inject("/readyz")).json()).toEqual({ ready: true, missing: [] });
  await cut.end();
  const answer = await host.inject("/readyz");
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({ ready: false, missing: ["postgres"] });
  await host.close();
});

function registry() {
  const queue = { add: async () => undefined };
  const ledger = prepareLedgerJobs(
    { sql: jobs.ledgerSql, ...quiet },
    { queue, log: silent, metrics: new Registry() },
  );
  return createRegistry({ sql: jobs.sql, ledger });
}

it("what jobs are told has no room for personal data, and what the queue keeps has none", async () => {
  for (const job of registry()) {
    const run = job.run({ outboxId: 1, email: "someone@example.com" });
    await expect(run).rejects.toThrow("does not take this payload");
  }
  expect(schedules.map(({ name, payload }) => [name, payload])).toEqual([
    ["collector.prune-claims", {}],
    ["ledger.forget-orphans", {}],
  ]);
  const kept = await jobs.owner<
    { name: string; data: object }[]
  >`select name, data from bullmq.job`;
  const fields = kept.map(({ name, data }) => `${name} ${Object.keys(data).join()}`);
  expect([...new Set(fields)].toSorted()).toEqual([
    "collector.prune-claims ",
    "ledger.forget-orphans ",
  ]);
});

it("every scheduled job has a handler", () => {
  const known = new Set(registry().map(({ name }) => name));
  expect(schedules.filter(({ name }) => !known.has(name))).toEqual([]);
  expect(schedules.length).toBeGreaterThan(0);
});

it("the host may forget claims and nothing else of the collector", async () => {
  for (const statement of [
    "update collector.event_claim set claimed_at = now()",
    "insert into collector.event_claim (event_id, segment) values (gen_random_uuid(), gen_random_uuid())",
    "select * from collector.migration",
  ]) {
    await expect(jobs.sql.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  }
});
