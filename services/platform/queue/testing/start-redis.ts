import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
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

/** Whether its program is installed on this machine. */
export const hasRedisServer: boolean = await promisify(execFile)(program, ["--version"]).then(
  () => true,
  () => false,
);
/** Whether there is Redis: a server in a container, or its program on this machine. */
export const hasTestRedis: boolean = sharedUrl !== undefined || hasRedisServer;

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

/** Starts a server of Redis with settings as its configuration file has them. */
function spawnRedis(settings: Readonly<Record<string, string | number>>): ChildProcess {
  const given = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return spawn(program, given, { stdio: "ignore" });
}

const password = "test-only-password";

/**
 * A Redis, its replica and a sentinel that watches both and puts the replica in the place of a Redis that is
 * lost; one password opens all of them.
 */
export async function startWatchedRedis() {
  const directory = await mkdtemp(join(tmpdir(), "redis-sentinel-"));
  const [first, second, watching] = [await freePort(), await freePort(), await freePort()];
  const data = { bind: "127.0.0.1", appendonly: "yes", save: "", dir: directory };
  const secret = { requirepass: password, masterauth: password };
  const one = spawnRedis({ ...data, ...secret, port: first, appenddirname: "first" });
  const other = spawnRedis({
    ...data,
    ...secret,
    port: second,
    appenddirname: "second",
    replicaof: `127.0.0.1 ${first}`,
  });
  const file = join(directory, "sentinel.conf");
  const lines = [
    `port ${watching}`,
    "bind 127.0.0.1",
    `dir ${directory}`,
    `requirepass ${password}`,
    `sentinel monitor queue 127.0.0.1 ${first} 1`,
    `sentinel auth-pass queue ${password}`,
    "sentinel down-after-milliseconds queue 500",
    "sentinel failover-timeout queue 2000",
  ];
  await writeFile(file, `${lines.join("\n")}\n`);
  const replica = new Redis(second, "127.0.0.1", { password, retryStrategy: () => 50 });
  replica.on("error", () => undefined);
  await until("the replica follows", async () =>
    replica.info("replication").then((text) => text.includes("master_link_status:up")),
  );
  const sentinel = spawn(program, [file, "--sentinel"], { stdio: "ignore" });
  const asked = new Redis(watching, "127.0.0.1", { password, retryStrategy: () => 50 });
  asked.on("error", () => undefined);
  await until("the sentinel knows the replica", async () =>
    asked
      .call("SENTINEL", "REPLICAS", "queue")
      .then((list) => Array.isArray(list) && list.length === 1),
  );
  return {
    url: `redis+sentinel://:${password}@127.0.0.1:${watching}/queue`,
    /** Kills the Redis that takes writes. */
    killFirst: (): void => void one.kill("SIGKILL"),
    stop: async (): Promise<void> => {
      replica.disconnect();
      asked.disconnect();
      await Promise.all([
        end(sentinel),
        end(other),
        one.exitCode === null && one.signalCode === null ? end(one) : undefined,
      ]);
      await rm(directory, { recursive: true });
    },
  };
}

/** A server of its own on loopback, with the settings of production. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "redis-test-"));
  const port = await freePort();
  const child = spawnRedis({
    port,
    bind: "127.0.0.1",
    appendonly: "yes",
    "maxmemory-policy": "noeviction",
    dir: directory,
    save: "",
  });
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
