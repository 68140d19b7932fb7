import { openPool } from "@pro-talent/platform/postgres/pool";
import { asRole } from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { buildJobsApp } from "./app.ts";
import { type JobsUnderTest, openJobsUnderTest, quiet, silent } from "./testing/jobs-under-test.ts";

let jobs: JobsUnderTest;
beforeAll(async () => {
  jobs = await openJobsUnderTest();
});
afterEach(() => jobs.rest());
afterAll(() => jobs.close());

describe("what the ledger wants done", () => {
  async function post(name: string): Promise<number> {
    const [row] = await jobs.owner<{ id: number }[]>`
      insert into ledger.outbox (pos, name, payload) values (0, ${name}, '{"ref": "opaque"}')
      returning id`;
    return row?.id ?? 0;
  }

  async function isDone(id: number): Promise<boolean> {
    const rows = await jobs.owner`
      select from ledger.outbox where id = ${id} and done_at is not null`;
    return rows.length === 1;
  }

  const metricsOf = async (host: FastifyInstance) => (await host.inject("/metrics")).body;

  it("is done by the host, and counted by name", async () => {
    const told: unknown[] = [];
    let failed = false;
    const host = await jobs.start({
      ...quiet,
      handlers: {
        "test.post": async (payload) => {
          if (!failed) {
            failed = true;
            throw new RangeError("not yet");
          }
          told.push(payload);
        },
      },
    });
    const id = await post("test.post");
    await until("it is done", () => isDone(id));
    const counted = 'ledger_messages_total{message="test.post",outcome="delivered"} 1';
    await until("it is counted", async () => (await metricsOf(host)).includes(counted));
    expect(told).toEqual([{ ref: "opaque" }]);
    const kept = await jobs.owner`
      select data from bullmq.job where name = 'ledger.deliver-message'`;
    expect([...kept]).toEqual([{ data: { outboxId: id } }]);
    const metrics = await metricsOf(host);
    expect(metrics).toContain('ledger_messages_total{message="test.post",outcome="failed"} 1');
    expect(metrics).toMatch(/^ledger_outbox_oldest_seconds 0$/mu);
    expect(metrics).toMatch(/^ledger_timers_behind 0$/mu);
  });

  it("is done when its time has come", async () => {
    await jobs.owner`insert into ledger.due_timer
      values ('test-stream', 'test.due', now() - interval '1 s', null, 0)`;
    const fired: string[] = [];
    const timers = { "test.due": async (stream: string) => void fired.push(stream) };
    const host = await jobs.start({ ...quiet, timers });
    await until("the timer has fired", () => fired.length > 0);
    await host.close();
    expect(fired).toEqual(["test-stream"]);
    const left = await jobs.owner`select from ledger.due_timer where fired_at is null`;
    expect(left.length).toBe(0);
  });

  it("is finished, when it was begun, before the host is closed", async () => {
    const begun = Promise.withResolvers<undefined>();
    const finish = Promise.withResolvers<undefined>();
    const host = await jobs.start({
      ...quiet,
      handlers: {
        "test.slow": async () => {
          begun.resolve(undefined);
          await finish.promise;
        },
      },
      // What was told to stop comes to its end.
      onStop: () => finish.resolve(undefined),
    });
    const id = await post("test.slow");
    await begun.promise;
    expect(await isDone(id)).toBe(false);
    await host.close();
    expect(await isDone(id)).toBe(true);
  });

  it("needs enough connections; a host that cannot start leaves none of its own", async () => {
    const few = openPool(asRole(jobs.ownerUrl, "ledger_app"), { applicationName: "jobs-few" });
    const starting = buildJobsApp({
      queueUrl: jobs.queueUrl,
      sql: jobs.sql,
      ledger: { sql: few, ...quiet },
      log: silent,
    });
    await expect(starting).rejects.toThrow("connections");
    await few.end();
    await until("its connections are gone", async () => {
      const rows = await jobs.owner`select from pg_stat_activity
        where application_name = 'queue' and datname = current_database()`;
      return rows.length === 0;
    });
  });
});
