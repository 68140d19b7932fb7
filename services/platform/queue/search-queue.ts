import { randomUUID } from "node:crypto";

import type { Traces } from "@pro-talent/schemas/primitives/traces";
import { Redis } from "ioredis";

import { openPool } from "../postgres/pool.ts";
import { type SearchedSchema, searchRows } from "../postgres/search-rows.ts";
import { fulfilledInTime } from "../runtime/wait.ts";
import { type Found, newDecoy, tallyOf } from "../search/search-request.ts";
import { backendKind, backendOf, redisConnection } from "./backend.ts";

const answerMs = 5_000;
/** Long after the search has removed it. */
const decoyDelayMs = 24 * 60 * 60_000;

/** Adds a job that holds values and that no worker takes. @returns what removes it */
const plantedOn =
  (url: string, name: string): SearchedSchema["plant"] =>
  async (decoys) => {
    const queue = backendOf(url, name).openQueue({});
    // Without a listener an error of the connection would end the process; the calls below reject.
    queue.on("error", () => undefined);
    const jobId = `decoy-${randomUUID()}`;
    try {
      // Without a limit a queue that is away would be waited for as long as it takes.
      if (!(await fulfilledInTime(queue.waitUntilReady(), answerMs)))
        throw new Error("The queue does not answer");
      const options = { jobId, delay: decoyDelayMs, attempts: 1, removeOnFail: true };
      await queue.add("platform.search-decoy", { decoys: [...decoys] }, options);
    } catch (error) {
      queue.close().catch(() => undefined);
      throw error;
    }
    return async () => {
      await queue.remove(jobId);
      await queue.close();
    };
  };

/**
 * Searches everything that the queues of all services keep: payloads, results, errors, schedules. Ids may be
 * there: payloads are ids, which lead to no one once what they name is erased.
 * @param name of a queue, on which the planted job waits
 * @throws when the queue does not answer
 */
export async function searchQueue(
  url: string,
  name: string,
  searches: readonly Traces[],
): Promise<Found[]> {
  const plant = plantedOn(url, name);
  if (backendKind(url) === "redis") return await searchRedis(url, plant, searches);
  const sql = openPool(url, { max: 2, applicationName: "queue-search" });
  try {
    const keepsIds = new Set(["bullmq.job"]);
    return await searchRows(sql, { schema: "bullmq", keepsIds, plant }, searches);
  } finally {
    await sql.end();
  }
}

async function searchRedis(
  url: string,
  plant: SearchedSchema["plant"],
  searches: readonly Traces[],
): Promise<Found[]> {
  const decoy = newDecoy();
  const remove = await plant([decoy]);
  const options = { maxRetriesPerRequest: 1 };
  const address = redisConnection(url);
  const redis =
    "url" in address ? new Redis(address.url, options) : new Redis({ ...address, ...options });
  redis.on("error", () => undefined);
  try {
    const tally = tallyOf(searches, [decoy]);
    for await (const keys of redis.scanStream({ match: "bull:*", count: 500 })) {
      // Redis answers in strings.
      for (const key of Array.isArray(keys) ? keys.map(String) : []) {
        const content = JSON.stringify([key, await contentOf(redis, key)]);
        tally.add(Buffer.from(content), { keepsIds: true });
      }
    }
    return tally.found();
  } finally {
    redis.disconnect();
    await remove();
  }
}

/** What a key holds, whatever its type is. */
async function contentOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case "string":
      return await redis.get(key);
    case "hash":
      return await redis.hgetall(key);
    case "list":
      return await redis.lrange(key, 0, -1);
    case "set":
      return await redis.smembers(key);
    case "zset":
      return await redis.zrange(key, "0", "-1");
    case "stream":
      return await redis.xrange(key, "-", "+");
    default:
      return null;
  }
}
