import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { Redis } from "ioredis";

import { until } from "../../testing/until.ts";

const program = "redis-server";

/** Where jobs can wait on this machine: Redis where its server is installed. */
export const queueBackends: readonly ("postgres" | "redis")[] = await promisify(execFile)(program, [
  "--version",
]).then(
  () => ["postgres", "redis"] as const,
  () => ["postgres"] as const,
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port is free");
  return address.port;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** A Redis of its own on loopback, with the settings of production. */
export async function startTestRedis() {
  const directory = await mkdtemp(join(tmpdir(), "redis-test-"));
  const port = await freePort();
  const child = spawn(
    program,
    [
      ...`--port ${port} --bind 127.0.0.1 --appendonly yes --maxmemory-policy noeviction`.split(
        " ",
      ),
      "--dir",
      directory,
      "--save",
      "",
    ],
    { stdio: "ignore" },
  );
  const redis = new Redis(port, "127.0.0.1", { retryStrategy: () => 50 });
  redis.on("error", () => undefined);
  await until("Redis answers", async () => redis.ping().then(() => true));
  return {
    url: `redis://127.0.0.1:${port}`,
    /** @returns how many connections were cut */
    cutConnections: async (): Promise<number> =>
      Number(await redis.call("CLIENT", "KILL", "SKIPME", "yes")),
    stop: async (): Promise<void> => {
      redis.disconnect();
      await end(child);
      await rm(directory, { recursive: true });
    },
  };
}
