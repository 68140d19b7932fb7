import { randomUUID } from "node:crypto";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { connectPostgres } from "../postgres/connect.ts";
import { createLogger } from "../runtime/logger.ts";
import { asRole, createTestPostgres, type TestPostgres } from "../testing/engines.ts";
import { until } from "../testing/until.ts";
import { inSpan } from "../tracing/spans.ts";
import { recordedSpans } from "../tracing/testing/recorded-spans.ts";
import { connectQueue, scheduleJob } from "./connect-queue.ts";
import { defineJob, handleJob } from "./define-job.ts";
import { migrateQueue } from "./migrate-queue.ts";
import { openQueueUnderTest, type QueueUnderTest } from "./testing/queue-under-test.ts";
import { queueBackends } from "./testing/test-queue.ts";

const silent = createLogger({ service: "test", level: "silent" });
const dayMs = 24 * 60 * 60 * 1000;

/** A job of this test alone, which writes down what it receives. */
function recordingJob() {
  const seen: { due: Date; pages: number }[] = [];
  const job = defineJob({
    name: `test.record-${randomUUID()}`,
    payload: z.strictObject({
      due: z.iso.datetime().transform((text) => new Date(text)),
      pages: z.number().int().positive(),
    }),
    retry: { attempts: 1, backoffMs: 1 },
  });
  const handler = handleJob(job, async (payload) => void seen.push(payload));
  return { job, handler, seen };
}

const due = "2026-01-02T03:04:05.000Z";

describe.each(queueBackends)("on %s", (backend) => {
  let cut: QueueUnderTest;
  beforeAll(async () => {
    cut = await openQueueUnderTest(backend);
  });
  afterEach(() => cut.rest());
  afterAll(() => cut.close());

  describe("a job", () => {
    it("runs with its payload as the contract reads it", async () => {
      const { job, handler, seen } = recordingJob();
      await cut.work([handler]);
      await cut.queue.add(job, { due, pages: 3 });
      await until("the job ran", () => seen.length > 0);
      expect(seen).toEqual([{ due: new Date(due), pages: 3 }]);
    });

    it("is refused when its payload is not what it takes, without repeating the payload", async () => {
      const { job } = recordingJob();
      const before = await cut.bull.getJobCounts();
      const secret = { due: "someone@example.com", pages: 0, email: "someone@example.com" };
      const adding = cut.queue.add(job, secret);
      await expect(adding).rejects.toThrow(/does not take this payload: .*due, pages/u);
      await expect(adding).rejects.not.toThrow("someone@example.com");
      expect(await cut.bull.getJobCounts()).toEqual(before);
    });

    it("is kept as failed at once when its payload became wrong on the way", async () => {
      const { job, handler, seen } = recordingJob();
      await cut.work([handler]);
      const id = `wrong-${randomUUID()}`;
      const opts = { jobId: id, attempts: 5 };
      await cut.bull.add(job.name, { due: "someone@example.com", pages: 1 }, opts);
      await until("it failed", async () => (await cut.bull.getJobState(id)) === "failed");
      const kept = await cut.bull.getJob(id);
      expect(kept?.attemptsMade).toBe(1);
      expect(kept?.failedReason).toMatch(/does not take this payload: due$/u);
      expect(seen).toEqual([]);
    });

    it("runs once for one id, also when it is added again after it ran", async () => {
      const { job, handler, seen } = recordingJob();
      await cut.work([handler]);
      const id = `outbox-${randomUUID()}`;
      await Promise.all(
        Array.from({ length: 5 }, () => cut.queue.add(job, { due, pages: 1 }, { id })),
      );
      await until("it ran", async () => (await cut.bull.getJobState(id)) === "completed");
      await cut.queue.add(job, { due, pages: 2 }, { id });
      // The queue is in order: what is added after the repetition runs after it.
      await cut.queue.add(job, { due, pages: 9 });
      await until("the last job ran", () => seen.at(-1)?.pages === 9);
      expect(seen.map(({ pages }) => pages)).toEqual([1, 9]);
    });

    it.each([30, 90, 400])("that is due in %i days waits until then", async (days) => {
      const { job, handler, seen } = recordingJob();
      await cut.work([handler]);
      const id = `later-${randomUUID()}`;
      await cut.queue.add(job, { due, pages: 1 }, { id, delayMs: days * dayMs });
      await cut.queue.add(job, { due, pages: 2 });
      await until("a job that is not delayed ran", () => seen.length > 0);
      expect(seen.map(({ pages }) => pages)).toEqual([2]);
      expect(await cut.bull.getJobState(id)).toBe("delayed");
      expect((await cut.bull.getJob(id))?.delay).toBe(days * dayMs);
    });

    it("that fails is tried again after longer and longer pauses, then kept without its message", async () => {
      const ends: string[] = [];
      const moments: number[] = [];
      const job = defineJob({
        name: `test.fail-${randomUUID()}`,
        payload: z.strictObject({}),
        retry: { attempts: 3, backoffMs: 100 },
      });
      const failing = handleJob(job, async () => {
        moments.push(performance.now());
        throw new RangeError("someone@example.com is not welcome");
      });
      await cut.work([failing], (end) => ends.push(end.outcome));
      const id = `fail-${randomUUID()}`;
      await cut.queue.add(job, {}, { id });
      await until(
        "it is kept as failed",
        async () => (await cut.bull.getJobState(id)) === "failed",
      );
      expect(ends).toEqual(["failed", "failed", "failed"]);
      const [first = 0, second = 0, third = 0] = moments;
      // The delays are counted in whole milliseconds.
      expect(second - first).toBeGreaterThanOrEqual(99);
      expect(third - second).toBeGreaterThanOrEqual(199);
      const kept = await cut.bull.getJob(id);
      expect(kept?.failedReason).toBe("RangeError");
      expect(kept?.stacktrace?.join("\n")).toContain("queue.int.test.ts");
      expect(JSON.stringify(kept)).not.toContain("someone@example.com");
    });

    it("that no handler is known for is kept as failed, for a version that does", async () => {
      await cut.work([]);
      const id = `unknown-${randomUUID()}`;
      await cut.bull.add("test.of-another-version", {}, { jobId: id, attempts: 3 });
      await until("it failed", async () => (await cut.bull.getJobState(id)) === "failed");
      expect((await cut.bull.getJob(id))?.failedReason).toBe("UnknownJob");
    });

    it("is not lost when the listening connections are cut", async () => {
      const { job, handler, seen } = recordingJob();
      await cut.work([handler]);
      await cut.queue.add(job, { due, pages: 1 });
      await until("the worker listens", () => seen.length === 1);
      expect(await cut.cutConnections()).toBeGreaterThan(0);
      // What is added meanwhile is refused at once where the store is Redis: the caller knows, and asks again.
      await until("the queue answers again", () => cut.queue.reachable());
      await cut.queue.add(job, { due, pages: 2 });
      await until("the job ran nevertheless", () => seen.length === 2);
    });

    it("that was begun is finished when the worker is closed", async () => {
      const begun = Promise.withResolvers<undefined>();
      const finish = Promise.withResolvers<undefined>();
      const job = defineJob({
        name: `test.slow-${randomUUID()}`,
        payload: z.strictObject({}),
        retry: { attempts: 1, backoffMs: 1 },
      });
      const slow = handleJob(job, async () => {
        begun.resolve(undefined);
        await finish.promise;
      });
      const worker = await cut.work([slow]);
      const id = `slow-${randomUUID()}`;
      await cut.queue.add(job, {}, { id });
      await begun.promise;
      const closing = worker.close();
      finish.resolve(undefined);
      await closing;
      expect(await cut.bull.getJobState(id)).toBe("completed");
    });
  });

  describe("a schedule", () => {
    const waiting = async (name: string): Promise<number> => {
      const jobs = await cut.bull.getJobs(["waiting", "delayed"]);
      return jobs.filter((job) => job.name === name).length;
    };

    it("exists once however often it is kept, and ends when it is kept no longer", async () => {
      const { job } = recordingJob();
      const schedule = scheduleJob(job, { due, pages: 1 }, 60_000);
      for (let host = 0; host < 3; host += 1) await cut.queue.keepSchedules([schedule]);
      const kept = await cut.bull.getJobSchedulers();
      expect(kept.map(({ key, every }) => [key, every])).toEqual([[job.name, 60_000]]);
      expect(await waiting(job.name)).toBe(1);
      await cut.queue.keepSchedules([]);
      expect(await cut.bull.getJobSchedulers()).toEqual([]);
    });

    it("goes on as one, also when several hosts keep it at the same moment", async () => {
      const { job, handler, seen } = recordingJob();
      const schedule = scheduleJob(job, { due, pages: 1 }, 100);
      await Promise.all([1, 2, 3].map(() => cut.queue.keepSchedules([schedule])));
      expect(await cut.bull.getJobSchedulersCount()).toBe(1);
      await cut.work([handler]);
      await cut.work([handler]);
      // Hosts keep their schedules every minute: what a race between them stopped goes on then.
      await until("it ran again and again", async () => {
        const before = seen.length;
        await cut.queue.keepSchedules([schedule]);
        await until("it ran several times more", () => seen.length >= before + 5, 2_000);
        return true;
      });
      expect(await waiting(job.name)).toBeLessThanOrEqual(1);
      await cut.queue.keepSchedules([]);
    });
  });

  it("keeps the place of its request in the trace, and is counted by its state", async () => {
    const traces = await recordedSpans();
    const { job, handler } = recordingJob();
    const request = randomUUID();
    const id = `traced-${randomUUID()}`;
    const delayed = (await cut.queue.counts()).delayed;
    await inSpan("request", { of: request }, () =>
      cut.queue.add(job, { due, pages: 1 }, { id, delayMs: 50 }),
    );
    expect((await cut.queue.counts()).delayed).toBe(delayed + 1);
    await cut.work([handler]);
    await until("its span is recorded", () => traces.of(request).length === 2);
    const [first, second] = traces.of(request);
    expect(second).toMatchObject({ name: `job ${job.name}`, parent: first?.id });
    await traces.stop();
  });
});

describe("the queue's tables", () => {
  let postgres: TestPostgres;
  let tables: { queueUrl: string; ownerUrl: string; name: string; role: string };
  beforeAll(async () => {
    postgres = await createTestPostgres();
    const { ownerUrl } = postgres;
    tables = { queueUrl: asRole(ownerUrl, "jobs_app"), ownerUrl, name: "jobs", role: "jobs_app" };
    await migrateQueue(tables);
  });
  afterAll(() => postgres.drop());

  it("are made twice without harm, also at once", async () => {
    const outcomes = await Promise.all([migrateQueue(tables), migrateQueue(tables)]);
    expect(outcomes).toEqual(["up to date", "up to date"]);
  });

  it("can be filled by the service, not changed", async () => {
    const service = connectPostgres(tables.queueUrl, { max: 1, applicationName: "test" });
    for (const statement of [
      "create table bullmq.mine (n int)",
      "alter table bullmq.job add column mine int",
      "delete from bullmq.migration",
    ]) {
      await expect(service.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
    }
    await service.end();
  });

  it("are not needed for Redis", async () => {
    const nowhere = { ownerUrl: "postgres://127.0.0.1:1/none", name: "jobs", role: "jobs_app" };
    expect(await migrateQueue({ queueUrl: "redis://127.0.0.1:1", ...nowhere })).toBe(
      "nothing to do",
    );
  });

  it("must be there before the queue is opened", async () => {
    const url = new URL(tables.queueUrl);
    url.pathname = "/postgres";
    await expect(connectQueue(url.toString(), { name: "jobs", log: silent })).rejects.toThrow(
      "not initialized",
    );
  });

  it("an address that leads nowhere known is refused", async () => {
    await expect(connectQueue("amqp://localhost", { name: "jobs", log: silent })).rejects.toThrow(
      "postgres://",
    );
  });
});
