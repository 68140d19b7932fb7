import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type {} from "@pro-talent/platform/testing/engines";
import type { TestProject } from "vitest/node";
import { z } from "zod";

import { hasRedis } from "../../faults/redis-server.ts";

const Engines = z.object({
  kind: z.enum(["embedded", "servers"]),
  postgresUrl: z.string(),
  clickhouseUrl: z.string(),
  redisUrl: z.string().optional(),
  queue: z.enum(["postgres", "redis"]).optional(),
});

/**
 * Starts the engines once per run, in a process of their own, and passes their addresses to the
 * tests as `engines`. `TEST_ENGINES` is `embedded` (default) or `servers`; `TEST_QUEUE`, if it is set, `postgres` or
 * `redis`.
 * @throws when it has another value, or the engines do not start: no test is skipped for want of one
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kind = process.env["TEST_ENGINES"] || "embedded";
  if (kind === "embedded" && !(await hasRedis())) {
    console.log("redis-server is not installed: suites of the queue run on Postgres alone.");
  }
  const child = fork(fileURLToPath(new URL("engines.process.ts", import.meta.url)), [kind]);
  const ended = once(child, "exit");
  const [engines] = await Promise.race([once(child, "message"), ended.then(() => [])]);
  if (engines === undefined) throw new Error("The engines did not start.");
  project.provide("engines", Engines.parse({ ...engines, queue: process.env["TEST_QUEUE"] }));
  return async () => {
    child.disconnect();
    await ended;
  };
}
