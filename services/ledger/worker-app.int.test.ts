import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import type { JobQueue } from "@pro-talent/platform/queue/connect-queue";
import { until } from "@pro-talent/platform/testing/until";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { settleMatter } from "./domains/contact/contact-messages.ts";
import { sendContactMessage } from "./domains/contact/send-contact-message.ts";
import { newMessage } from "./domains/contact/testing/contact-samples.ts";
import { append } from "./kernel/append.ts";
import { idOf } from "./kernel/events.ts";
import { defineModule, type ModuleDefinition } from "./kernel/module.ts";
import { workerOptions } from "./kernel/testing/ledger-workers.ts";
import { type LedgerWorkers, openLedgerWorkers } from "./kernel/testing/open-ledger-workers.ts";
import { modules as productModules } from "./modules.ts";
import { consentAppend, newStream } from "./testing/consent-append.ts";
import { testCause } from "./testing/create-test-ledger.ts";
import { buildLedgerWorker, ledgerConnectionsMin, prepareParts } from "./worker-app.ts";

type Handlers = Pick<ModuleDefinition<Record<never, never>>, "messages" | "timers">;

let workers: LedgerWorkers;
const pools: Sql[] = [];
const running: FastifyInstance[] = [];

beforeAll(async () => {
  workers = await openLedgerWorkers();
});
/** A worker that is left would take the next test's messages. */
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.close()));
  await endPools();
  await workers.rest();
});
afterAll(() => workers.close());

async function endPools(): Promise<void> {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
}

function openLedgerPool(max = ledgerConnectionsMin): Sql {
  const pool = openPool(workers.ledgerUrl, { max, applicationName: "test-worker" });
  pools.push(pool);
  return pool;
}

const moduleWith = (handlers: Handlers, name = "test") =>
  defineModule<Record<never, never>>({ name, events: [], ...handlers });

/** Starts a worker on a pool of its own, as a process has it. */
async function start(handlers: Handlers = {}, sql = openLedgerPool()): Promise<FastifyInstance> {
  const modules = [moduleWith(handlers)];
  const worker = await buildLedgerWorker(
    workerOptions(sql, workers.queueUrl, workers.ledger.testKeys.keys, { modules }),
  );
  running.push(worker);
  return worker;
}

async function post(name: string): Promise<number> {
  const [id = 0] = await workers.post([{ name, payload: { ref: "opaque" } }]);
  return id;
}

const isDone = async (id: number) => (await workers.done([id])) === 1;
const metricsOf = async (worker: FastifyInstance) => (await worker.inject("/metrics")).body;

describe("the schedule of several workers", () => {
  // The first test: what an earlier worker ran is due again in an hour.
  it("exists once, and is run and counted by one of them", async () => {
    const both = await Promise.all([start(), start()]);
    expect(await workers.store.schedules()).toEqual([
      { name: "ledger.forget-mailbox-mails", everyMs: 3_600_000 },
      { name: "ledger.forget-orphans", everyMs: 3_600_000 },
      { name: "ledger.forget-records", everyMs: 3_600_000 },
    ]);
    const counted =
      /jobs_attempts_total\{job="ledger\.forget-orphans",outcome="completed"\} [1-9]/u;
    await until("a worker has counted it", async () => {
      const texts = await Promise.all(both.map(metricsOf));
      return texts.some((text) => counted.test(text));
    });
  });
});

describe("a message of the outbox", () => {
  it("is done by the worker, and counted by name", async () => {
    const received: unknown[] = [];
    let failed = false;
    const worker = await start({
      messages: () => ({
        "test.post": async (payload) => {
          if (!failed) {
            failed = true;
            throw new RangeError("not yet");
          }
          received.push(payload);
        },
      }),
    });
    const id = await post("test.post");
    await until("it is done", () => isDone(id));
    const counted = 'ledger_messages_total{message="test.post",outcome="delivered"} 1';
    await until("it is counted", async () => (await metricsOf(worker)).includes(counted));
    expect(received).toEqual([{ ref: "opaque" }]);
    expect(await workers.store.jobs("ledger.deliver-message")).toMatchObject([
      { data: { outboxId: id } },
    ]);
    const metrics = await metricsOf(worker);
    expect(metrics).toContain('ledger_messages_total{message="test.post",outcome="failed"} 1');
    expect(metrics).toMatch(/^ledger_outbox_oldest_seconds 0$/mu);
    expect(metrics).toMatch(/^ledger_timers_behind 0$/mu);
  });

  it("that is under way is finished before the worker is closed", async () => {
    const begun = Promise.withResolvers<undefined>();
    const finish = Promise.withResolvers<undefined>();
    const worker = await start({
      messages: ({ stopping }) => {
        // Long work learns of the stop and comes to its end.
        stopping.addEventListener("abort", () => finish.resolve(undefined));
        return {
          "test.slow": async () => {
            begun.resolve(undefined);
            await finish.promise;
          },
        };
      },
    });
    const id = await post("test.slow");
    await begun.promise;
    expect(await isDone(id)).toBe(false);
    await worker.close();
    expect(await isDone(id)).toBe(true);
  });
});

describe("a timer", () => {
  it("that is due is fired by the worker", async () => {
    const stream = newStream();
    const timers = [{ set: "test.due", dueAt: instantFromMs(Date.now() - 1000) }];
    await append(workers.ledger, consentAppend({ stream, timers }));
    const fired: string[] = [];
    const worker = await start({
      timers: () => ({ "test.due": async (id) => void fired.push(`consent-${id}`) }),
    });
    await until("the timer has fired", () => fired.length > 0);
    await worker.close();
    expect(fired).toEqual([stream]);
    const left = await workers.ledger.owner`select from ledger.due_timer where fired_at is null`;
    expect(left).toHaveLength(0);
  });
});

describe("a duty whose timer was deleted", () => {
  it("is done by a worker that starts, which counts the repair", async () => {
    const { ledger } = workers;
    const issued = (actor: string) => ({
      now: instantFromMs(Date.now()),
      cause: testCause(actor),
    });
    await sendContactMessage(ledger, newMessage(), issued("visitor"));
    const [row] = await ledger.sql<{ stream: string }[]>`
      select stream from ledger.event order by pos desc limit 1`;
    const id = idOf(row?.stream ?? "");
    await settleMatter(ledger.ledger, id, issued("operator"));
    await ledger.owner`delete from ledger.due_timer`;
    const { keys } = ledger.testKeys;
    const change = { modules: productModules };
    const worker = await buildLedgerWorker(
      workerOptions(openLedgerPool(), workers.queueUrl, keys, change),
    );
    running.push(worker);
    const erased = async () => (await ledger.subjects.find(id)) === undefined;
    await until("the details are erased", erased, 25_000);
    const metrics = await metricsOf(worker);
    expect(metrics).toContain('ledger_duties_repaired_total{repair="armed"} 2');
    expect(metrics).toMatch(/^ledger_duties_overdue 0$/mu);
  });
});

describe("a worker", () => {
  it("is ready while it works, and names what is missing when it cannot", async () => {
    const worker = await start();
    expect((await worker.inject("/healthz")).statusCode).toBe(200);
    expect((await worker.inject("/readyz")).json()).toEqual({ ready: true, missing: [] });
    await endPools();
    const answer = await worker.inject("/readyz");
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ ready: false, missing: ["postgres"] });
  });

  it("is refused a pool on which its deliveries would wait for each other", async () => {
    const starting = start({}, openLedgerPool(ledgerConnectionsMin - 1));
    await expect(starting).rejects.toThrow("connections");
  });

  it("that cannot start leaves no connection of its own", async () => {
    const before = await queueConnections();
    const sameTwice = ["one", "two"].map((name) =>
      moduleWith({ messages: () => ({ "test.same": async () => undefined }) }, name),
    );
    const options = workerOptions(
      openLedgerPool(),
      workers.queueUrl,
      workers.ledger.testKeys.keys,
      { modules: sameTwice },
    );
    await expect(buildLedgerWorker(options)).rejects.toThrow(
      "Two modules declare the message test.same",
    );
    await until("its connections are gone", async () => {
      const now = await queueConnections();
      return now.every((pid) => before.includes(pid));
    });
  });
});

/** Processes of the database that serve connections of queues: the test has one, each worker some. */
async function queueConnections(): Promise<number[]> {
  const rows = await workers.ledger.owner<{ pid: number }[]>`
    select pid from pg_stat_activity
     where application_name = 'queue' and datname = current_database()`;
  return rows.map(({ pid }) => pid);
}

/** The jobs and schedules of the worker with all domains; nothing runs. */
function productParts() {
  const queue: Pick<JobQueue, "add"> = { add: async () => undefined };
  const options = workerOptions(
    workers.ledger.sql,
    workers.queueUrl,
    workers.ledger.testKeys.keys,
    { modules: productModules },
  );
  return prepareParts(options, { queue, metrics: new Registry() });
}

describe("the jobs of the worker", () => {
  it("take no personal data", async () => {
    const { jobs } = productParts();
    expect(jobs.map(({ name }) => name)).toEqual([
      "ledger.deliver-message",
      "ledger.forget-orphans",
      "ledger.forget-mailbox-mails",
      "ledger.forget-records",
    ]);
    for (const job of jobs) {
      const run = job.run({ outboxId: 1, email: "someone@example.com" });
      await expect(run).rejects.toThrow("does not take this payload");
    }
  });

  it("that are scheduled have a handler and an empty payload", () => {
    const { jobs, schedules } = productParts();
    const known = new Set(jobs.map(({ name }) => name));
    expect(schedules.filter(({ name }) => !known.has(name))).toEqual([]);
    expect(schedules.map(({ name, payload }) => [name, payload])).toEqual([
      ["ledger.forget-orphans", {}],
      ["ledger.forget-mailbox-mails", {}],
      ["ledger.forget-records", {}],
    ]);
  });

  it("leave no personal data in the queue", async () => {
    await start({ messages: () => ({ "test.post": async () => undefined }) });
    const id = await post("test.post");
    await until("it is done", () => isDone(id));
    const kept = await workers.store.jobs();
    const fields = kept.map(({ name, data }) => `${name} ${Object.keys(data ?? {}).join()}`);
    expect([...new Set(fields)].toSorted()).toEqual([
      "ledger.deliver-message outboxId",
      "ledger.forget-mailbox-mails ",
      "ledger.forget-orphans ",
      "ledger.forget-records ",
    ]);
  });
});
