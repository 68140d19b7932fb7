import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { Redis } from "ioredis";
import { inject } from "vitest";

import { until } from "../../testing/until.ts";

const program = "redis-server";
/** Of the server that suites share where engines run in containers: as many as it has databases. */
const sharedDatabases = 1024;
const { redisUrl: sharedUrl } = inject("engines");

/** Whether there is Redis: a server in a container, or its program on this machine. */
export const hasTestRedis: boolean =
  sharedUrl !== undefined ||
  (await promisify(execFile)(program, ["--version"]).then(
    () => true,
    () => false,
  ));

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

/** A server of its own on loopback, with the settings of production. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "redis-test-"));
  const port = await freePort();
  const settings = `--port ${port} --bind 127.0.0.1 --appendonly yes --maxmemory-policy noeviction`;
  const args = [...settings.split(" "), "--dir", directory, "--save", ""];
  const child = spawn(program, args, { stdio: "ignore" });
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      await end(child);
      await rm(directory, { recursive: true });
    },
  };
}

/** A database that no other suite uses at this time. */
async function takeDatabase(url: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const redis = new Redis(url);
  const taken = await redis.incr("databases taken");
  redis.disconnect();
  const own = `${url}/${1 + (taken % (sharedDatabases - 1))}`;
  return { url: own, stop: async () => undefined };
}

/** A Redis of its own for one suite. */
export async function startTestRedis() {
  const { url, stop } = await (sharedUrl === undefined ? startServer() : takeDatabase(sharedUrl));
  const redis = new Redis(url, { retryStrategy: () => 50 });
  redis.on("error", () => undefined);
  await until("Redis answers", async () => redis.ping().then(() => true));
  await redis.flushdb();
  return {
    url,
    /** @returns how many connections were cut */
    cutConnections: async (): Promise<number> => {
      const list = String(await redis.client("LIST"));
      const own = String(await redis.client("ID"));
      const database = new URL(url).pathname.slice(1) || "0";
      const ids = [...list.matchAll(/^id=(\d+) .* db=(\d+) /gmu)].flatMap(([, id = "", db]) =>
        db === database && id !== own ? [id] : [],
      );
      for (const id of ids) await redis.client("KILL", "ID", id);
      return ids.length;
    },
    lose: async (): Promise<void> => {
      await redis.flushdb();
    },
    stop: async (): Promise<void> => {
      redis.disconnect();
      await stop();
    },
  };
}
