import { readFile } from "node:fs/promises";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type EngineUnderTest,
  bytesOf,
  startEngineUnderTest,
} from "./testing/engine-under-test.ts";

let engine: EngineUnderTest;
beforeAll(async () => void (engine = await startEngineUnderTest()));
afterAll(() => engine.close());

const TWO = "SELECT number AS n, toString(number) AS s FROM numbers(2)";

describe("a query's formats", () => {
  it.each([
    ["JSONEachRow", '{"n":0,"s":"0"}\n{"n":1,"s":"1"}\n', "application/x-ndjson; charset=UTF-8"],
    ["JSONCompactEachRow", '[0, "0"]\n[1, "1"]\n', "application/x-ndjson; charset=UTF-8"],
    ["CSV", '0,"0"\n1,"1"\n', "text/csv; charset=UTF-8; header=absent"],
    ["CSVWithNames", '"n","s"\n0,"0"\n1,"1"\n', "text/csv; charset=UTF-8; header=present"],
    ["TabSeparated", "0\t0\n1\t1\n", "text/tab-separated-values; charset=UTF-8"],
    [
      "TabSeparatedWithNamesAndTypes",
      "n\ts\nUInt64\tString\n0\t0\n1\t1\n",
      "text/tab-separated-values; charset=UTF-8",
    ],
  ] as const)("returns %s as a server writes it", async (format, text, type) => {
    const result = await engine.client.query({ query: TWO, format });
    expect(await result.text()).toBe(text);
    expect(result.response_headers["content-type"]).toBe(type);
    expect(result.response_headers["x-clickhouse-format"]).toBe(format);
  });

  it("returns one JSON document with metadata and real statistics, however many blocks it has", async () => {
    const result = await engine.client.query({
      query: "SELECT number AS n FROM numbers(200000) SETTINGS max_block_size = 1000",
      format: "JSON",
    });
    const document = await result.json<{ n: number }>();
    expect(document.meta).toEqual([{ name: "n", type: "UInt64" }]);
    expect(document.data).toHaveLength(200_000);
    expect(document.data.at(-1)).toEqual({ n: 199_999 });
    expect(document.statistics?.rows_read).toBe(200_000);
    expect(result.response_headers["content-type"]).toBe("application/json; charset=UTF-8");
  });

  it("keeps totals and an empty result in the document", async () => {
    const totals = "SELECT number % 2 AS k, count() AS c FROM numbers(4) GROUP BY k WITH TOTALS";
    const withTotals = await engine.client.query({ query: totals, format: "JSON" });
    expect(await withTotals.json()).toMatchObject({ totals: { k: 0, c: 4 }, rows: 2 });
    const nothing = await engine.client.query({ query: "SELECT 1 AS a WHERE 0", format: "JSON" });
    expect(await nothing.json()).toMatchObject({ meta: [{ name: "a" }], data: [], rows: 0 });
  });

  it("streams progress rows", async () => {
    const result = await engine.client.query({ query: TWO, format: "JSONEachRowWithProgress" });
    const lines = await result.json();
    expect(lines).toContainEqual({ row: { n: 1, s: "1" } });
    expect(JSON.stringify(lines)).toContain('"progress":{');
  });

  it("returns binary formats byte for byte", async () => {
    const { stream, response_headers } = await engine.client.exec({
      query: "SELECT unhex('000A0A3BFF0D0A') AS bytes FORMAT RowBinary",
    });
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(bytesOf(part));
    expect(Buffer.concat(parts)).toEqual(Buffer.from([7, 0, 0x0a, 0x0a, 0x3b, 0xff, 0x0d, 0x0a]));
    expect(response_headers["content-type"]).toBe("application/octet-stream");
  });

  it.each([
    "SHOW DATABASES",
    "DESCRIBE TABLE system.one",
    "EXPLAIN SELECT 1",
    "EXISTS TABLE system.one",
    "WITH 1 AS x SELECT x",
    "(SELECT 1) UNION ALL (SELECT 2)",
    "SELECT 1 AS `format`, 2 AS x -- FORMAT CSV",
  ])("formats the output of %s", async (sql) => {
    const result = await engine.client.query({ query: sql, format: "JSONCompactEachRow" });
    expect((await result.json()).length).toBeGreaterThan(0);
  });

  it("leaves a column called format alone", async () => {
    const sql = "SELECT format FROM (SELECT 7 AS format) ORDER BY format";
    expect(await engine.rows(sql)).toEqual([{ format: 7 }]);
  });
});

describe("a large result", () => {
  it("is streamed whole and in order", async () => {
    const result = await engine.client.query({
      query: "SELECT number AS n FROM numbers(1000000)",
      format: "JSONEachRow",
    });
    let next = 0;
    for await (const rows of result.stream<{ n: number }>()) {
      for (const row of rows) {
        if (row.json().n !== next) throw new Error(`Row ${next} is missing`);
        next += 1;
      }
    }
    expect(next).toBe(1_000_000);
  });

  it("waits for a slow reader instead of piling up in memory", async () => {
    const result = await engine.client.query({
      query: "SELECT repeat('x', 1000) AS s FROM numbers(2000000) SETTINGS max_block_size = 8192",
      format: "TabSeparated",
    });
    const before = await memoryOf(engine);
    const iterator: AsyncIterator<unknown[], unknown> = result.stream()[Symbol.asyncIterator]();
    let read = 0;
    let peak = before;
    while (read < 400_000) {
      const next = await iterator.next();
      if (next.done === true) break;
      const rows = next.value;
      read += rows.length;
      if (read % 10_000 < rows.length) peak = Math.max(peak, await memoryOf(engine));
    }
    result.close();
    expect(read).toBeGreaterThanOrEqual(400_000);
    // 400 MB have passed and 2 GB were asked for.
    expect(peak - before).toBeLessThan(150_000_000);
  });
});

async function memoryOf({ clickhouse }: EngineUnderTest): Promise<number> {
  const status = await readFile(`/proc/${clickhouse.pid()}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

describe("many queries at a time", () => {
  it("answers a small query while heavy ones run", async () => {
    const heavy = new AbortController();
    const sql = "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1";
    const running = Array.from({ length: 4 }, () =>
      engine.client.query({ query: sql, abort_signal: heavy.signal }).catch(() => undefined),
    );
    const startedAt = performance.now();
    for (let count = 0; count < 10; count += 1)
      expect(await engine.rows("SELECT 1 AS a")).toEqual([{ a: 1 }]);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    heavy.abort();
    await Promise.all(running);
  });

  it("queues more queries than it can run and answers all", async () => {
    const client = engine.connect({ max_open_connections: 60 });
    const answers = Array.from({ length: 60 }, async (_, n) => {
      const sql = "SELECT {n:UInt32} AS n, sleep(0.02)";
      const result = await client.query({ query: sql, query_params: { n }, format: "JSONEachRow" });
      return result.json<{ n: number }>();
    });
    const rows = (await Promise.all(answers)).flat();
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 60 }, (_, n) => n));
  });
});
