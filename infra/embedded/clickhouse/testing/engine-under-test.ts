import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { ClickHouseLogLevel, type ClickHouseClient, createClient } from "@clickhouse/client";

import { type RunningClickhouse, startClickhouse } from "../start-clickhouse.ts";

/** The client's options besides its address. */
type ClientOptions = Omit<NonNullable<Parameters<typeof createClient>[0]>, "url" | "log">;

export type EngineUnderTest = {
  clickhouse: RunningClickhouse;
  client: ClickHouseClient;
  dataDir: string;
  lines: string[];
  /** Another client of the same engine, closed with it. */
  connect: (options?: ClientOptions) => ClickHouseClient;
  /** The parsed rows of a query. */
  rows: (sql: string, parameters?: Record<string, unknown>) => Promise<unknown[]>;
  close: () => Promise<void>;
};

/** A client that keeps expected failures out of the test's output. */
export function quietClient(url: string, options: ClientOptions = {}): ClickHouseClient {
  return createClient({ ...options, url, log: { level: ClickHouseLogLevel.OFF } });
}

export function temporaryDir(): string {
  return mkdtempSync(join(tmpdir(), "clickhouse-test-"));
}

/** Starts an engine with a data directory of its own. */
export async function startEngineUnderTest(): Promise<EngineUnderTest> {
  const dataDir = temporaryDir();
  const lines: string[] = [];
  const clickhouse = await startClickhouse({ dataDir, onLog: (line) => lines.push(line) });
  const clients: ClickHouseClient[] = [];
  const connect = (options: ClientOptions = {}): ClickHouseClient => {
    const client = quietClient(clickhouse.url, options);
    clients.push(client);
    return client;
  };
  const client = connect();
  const rows = async (
    sql: string,
    parameters: Record<string, unknown> = {},
  ): Promise<unknown[]> => {
    const result = await client.query({
      query: sql,
      format: "JSONEachRow",
      query_params: parameters,
    });
    return result.json();
  };
  const close = async (): Promise<void> => {
    await Promise.all(clients.map((each) => each.close()));
    await clickhouse.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { clickhouse, client, dataDir, lines, connect, rows, close };
}

/** A chunk of a stream whose chunks are bytes. */
export function bytesOf(chunk: unknown): Buffer {
  if (!Buffer.isBuffer(chunk)) throw new Error("A chunk of bytes was expected");
  return chunk;
}

/** Calls until it succeeds: what a client does while the engine is being replaced. */
export async function untilSuccess<T>(call: () => Promise<T>, withinMs = 20_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await delay(20);
  }
}
