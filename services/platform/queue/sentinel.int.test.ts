import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createLogger } from "../runtime/logger.ts";
import { until } from "../testing/until.ts";
import { redisConnection } from "./backend.ts";
import { connectQueue } from "./connect-queue.ts";
import { defineJob, handleJob } from "./define-job.ts";
import { searchQueue } from "./search-queue.ts";
import { hasRedisServer, startWatchedRedis } from "./testing/start-redis.ts";
import { workOnQueue } from "./work-on-queue.ts";

describe("an address of sentinels", () => {
  it("names them, what they watch, and the password of all", () => {
    expect(redisConnection("redis+sentinel://:a%40b@one:26380,two/queue")).toEqual({
      sentinels: [
        { host: "one", port: 26_380 },
        { host: "two", port: 26_379 },
      ],
      name: "queue",
      password: "a@b",
      sentinelPassword: "a@b",
    });
    expect(redisConnection("redis+sentinel://one/queue")).toEqual({
      sentinels: [{ host: "one", port: 26_379 }],
      name: "queue",
    });
    expect(redisConnection("redis://one:6379")).toEqual({ url: "redis://one:6379" });
    expect(() => redisConnection("redis+sentinel://one")).toThrow("Sentinels are stated as");
  });
});

describe.each(hasRedisServer ? ["Redis"] : [])("on %s with a sentinel", () => {
  it("jobs run before and after the Redis that takes writes is lost, and are searched", async () => {
    const redis = await startWatchedRedis();
    const log = createLogger({ service: "test", level: "silent" });
    const queue = await connectQueue(redis.url, { name: "watched", log });
    const seen: number[] = [];
    const job = defineJob({
      name: "test.watched",
      payload: z.strictObject({ number: z.number() }),
      retry: { attempts: 3, backoffMs: 50 },
    });
    const handler = handleJob(job, async ({ number }) => void seen.push(number));
    const worker = await workOnQueue(redis.url, { name: "watched", jobs: [handler], log });
    try {
      await queue.add(job, { number: 1 });
      await until("the first job ran", () => seen.includes(1));
      redis.killFirst();
      // Refused until the replica has taken the place: what asks for a job asks again.
      await until(
        "the queue takes a job again",
        () => queue.add(job, { number: 2 }).then(() => true),
        30_000,
      );
      await until("the second job ran", () => seen.includes(2), 30_000);
      const [found] = await searchQueue(redis.url, "watched", [{ values: ["nowhere"], ids: [] }]);
      expect(found).toMatchObject({ decoy: true, hits: 0 });
    } finally {
      await worker.close();
      await queue.close();
      await redis.stop();
    }
  }, 90_000);
});
