import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { getPriority, networkInterfaces } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { until } from "@pro-talent/platform/testing/until";
import { afterEach, describe, expect, it } from "vitest";

import { type RunningClickhouse, startClickhouse } from "./start-clickhouse.ts";
import { quietClient, temporaryDir, untilSuccess } from "./testing/engine-under-test.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function newDir(): string {
  const dir = temporaryDir();
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function start(dataDir: string, port?: number): Promise<RunningClickhouse> {
  const clickhouse = await startClickhouse(port === undefined ? { dataDir } : { dataDir, port });
  cleanups.push(() => clickhouse.stop());
  return clickhouse;
}

function clientOf(url: string) {
  const client = quietClient(url);
  cleanups.push(() => client.close());
  return client;
}

async function countOf(url: string): Promise<number> {
  const result = await clientOf(url).query({
    query: "SELECT count() AS n FROM app.t",
    format: "JSONEachRow",
  });
  const [row] = await result.json<{ n: number }>();
  return Number(row?.n);
}

async function createTable(url: string): Promise<void> {
  const client = clientOf(url);
  await client.command({ query: "CREATE DATABASE app" });
  await client.command({ query: "CREATE TABLE app.t (a UInt32) ENGINE = MergeTree ORDER BY a" });
}

function killHard(pid: number | undefined): void {
  if (pid === undefined) throw new Error("There is no process to kill");
  process.kill(pid, "SIGKILL");
}

describe("the embedded engine", () => {
  it("keeps its tables over an orderly stop, and is ready again in well under a second", async () => {
    const dataDir = newDir();
    const first = await start(dataDir);
    await createTable(first.url);
    await clientOf(first.url).insert({ table: "app.t", values: [{ a: 1 }], format: "JSONEachRow" });
    await first.stop();
    const startedAt = performance.now();
    const second = await start(dataDir);
    expect(await countOf(second.url)).toBe(1);
    // 0.25 s alone on a machine; the limit allows for a busy one.
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  it("comes back after kill -9 at the same address with every acknowledged row", async () => {
    const clickhouse = await start(newDir());
    await createTable(clickhouse.url);
    const client = clientOf(clickhouse.url);
    let acknowledged = 0;
    for (let crash = 1; crash <= 3; crash += 1) {
      const pid = clickhouse.pid();
      const writing = (async () => {
        for (;;) {
          const values = [{ a: acknowledged }];
          await client.insert({ table: "app.t", values, format: "JSONEachRow" });
          acknowledged += 1;
        }
      })();
      const target = acknowledged + 20;
      await until("rows were written", () => acknowledged >= target);
      killHard(pid);
      await expect(writing).rejects.toThrow(/ECONNRE|socket hang up|EPIPE/);
      const count = await untilSuccess(() => countOf(clickhouse.url));
      // The insert under way may have been stored without being acknowledged.
      expect(count - acknowledged).toBeGreaterThanOrEqual(0);
      expect(count - acknowledged).toBeLessThanOrEqual(crash);
      await until("the restart is counted", () => clickhouse.restarts() === crash);
      expect(clickhouse.pid()).not.toBe(pid);
    }
  }, 60_000);

  it("leaves nothing of request bodies and pipes behind after a crash", async () => {
    const dataDir = newDir();
    const clickhouse = await start(dataDir);
    const pid = clickhouse.pid();
    killHard(pid);
    await until("it is replaced", () => clickhouse.restarts() === 1);
    await clientOf(clickhouse.url).query({ query: "SELECT 1" });
    const [only, ...more] = readdirSync(join(dataDir, "run"));
    expect(more).toEqual([]);
    expect(
      readdirSync(join(dataDir, "run", only ?? "")).filter((name) => name.endsWith(".body")),
    ).toEqual([]);
  });

  it("lets a running query finish before it stops", async () => {
    const clickhouse = await start(newDir());
    const client = clientOf(clickhouse.url);
    const slow = client.query({ query: "SELECT sleep(1) AS s", format: "JSONEachRow" });
    const watcher = clientOf(clickhouse.url);
    await until("the query runs", async () => {
      const result = await watcher.query({
        query: "SELECT count() AS n FROM system.processes WHERE query LIKE 'SELECT sleep(1)%'",
        format: "JSONEachRow",
      });
      return JSON.stringify(await result.json()).includes("1");
    });
    const stopped = clickhouse.stop();
    expect(await (await slow).json()).toEqual([{ s: 0 }]);
    await stopped;
    expect(clickhouse.pid()).toBeUndefined();
  });

  it("listens on the loopback address only", async () => {
    const clickhouse = await start(newDir());
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((each) => each?.family === "IPv4" && !each.internal);
    for (const other of others) {
      await expect(fetch(`http://${other?.address}:${clickhouse.port}/ping`)).rejects.toThrow(
        /fetch failed/,
      );
    }
    expect((await fetch(`http://127.0.0.1:${clickhouse.port}/ping`)).status).toBe(200);
  });

  it("reports why it can't start: a port in use", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    cleanups.push(() => blocker.close());
    const address = blocker.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await expect(startClickhouse({ dataDir: newDir(), port })).rejects.toThrow(
      /clickhouse ended with code 1[^]*EADDRINUSE/,
    );
  });

  it("gives way to other processes on request, as the session that it leads, too", async () => {
    const clickhouse = await startClickhouse({ dataDir: newDir(), givesWay: true });
    cleanups.push(() => clickhouse.stop());
    const pid = clickhouse.pid() ?? 0;
    expect(getPriority(pid)).toBe(10);
    // Empty where the kernel makes no such groups.
    const session = await readFile(`/proc/${pid}/autogroup`, "utf8").catch(() => "");
    expect(session).toMatch(/^$| nice 10\n/u);
  });

  it("refuses a path in which the engine would see wildcards", async () => {
    await expect(startClickhouse({ dataDir: join(newDir(), "a{b}") })).rejects.toThrow(
      /must not contain/,
    );
  });
});

type Orphan = { parent: ChildProcess; url: string };

async function startInAnotherProcess(dataDir: string): Promise<Orphan> {
  const script = fileURLToPath(new URL("testing/supervising-process.ts", import.meta.url));
  const parent = fork(script, [dataDir], { execArgv: [] });
  cleanups.push(() => parent.kill("SIGKILL"));
  const message = await new Promise<unknown>((resolve) => parent.once("message", resolve));
  const fields = new Map(
    Object.entries(typeof message === "object" && message !== null ? message : {}),
  );
  return { parent, url: String(fields.get("url")) };
}

describe("when the supervising process dies", () => {
  it.each(["at rest", "with a query running"])(
    "by kill -9 the engine ends too and a new start succeeds (%s)",
    async (state) => {
      const dataDir = newDir();
      const orphan = await startInAnotherProcess(dataDir);
      await createTable(orphan.url);
      const client = clientOf(orphan.url);
      await client.insert({ table: "app.t", values: [{ a: 1 }], format: "JSONEachRow" });
      if (state !== "at rest") {
        const heavy = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1";
        client.query({ query: heavy }).catch(() => undefined);
        const watcher = clientOf(orphan.url);
        await until("the query runs", async () => {
          const result = await watcher.query({
            query:
              "SELECT count() AS n FROM system.processes WHERE query LIKE 'SELECT count() FROM numbers%'",
            format: "JSONEachRow",
          });
          return JSON.stringify(await result.json()).includes("1");
        });
      }
      orphan.parent.kill("SIGKILL");
      const startedAt = performance.now();
      const clickhouse = await start(dataDir);
      expect(await countOf(clickhouse.url)).toBe(1);
      expect(performance.now() - startedAt).toBeLessThan(5000);
    },
    30_000,
  );
});
