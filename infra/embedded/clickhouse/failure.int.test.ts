import { ClickHouseError } from "@clickhouse/client";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type EngineUnderTest, startEngineUnderTest } from "./testing/engine-under-test.ts";

let engine: EngineUnderTest;
beforeAll(async () => void (engine = await startEngineUnderTest()));
afterAll(() => engine.close());

describe("an error", () => {
  it.each([
    ["SELECT (1", "62", "SYNTAX_ERROR"],
    ["SELECT * FROM nowhere", "60", "UNKNOWN_TABLE"],
    ["SELECT * FROM nodb.nowhere", "81", "UNKNOWN_DATABASE"],
    ["SELECT nocolumn", "47", "UNKNOWN_IDENTIFIER"],
    ["SELECT nofunction(1)", "46", "UNKNOWN_FUNCTION"],
    ["SELECT throwIf(1)", "395", "FUNCTION_THROW_IF_VALUE_IS_NON_ZERO"],
    ["SELECT 1 SETTINGS nothing = 1", "115", "UNKNOWN_SETTING"],
    ["SELECT 1; SELECT 2", "62", "SYNTAX_ERROR"],
    ["SELECT 1 /* ; */; DROP TABLE x", "62", "SYNTAX_ERROR"],
    ["SELECT 1 INTO OUTFILE '/nowhere/x'", "171", "INTO_OUTFILE_NOT_ALLOWED"],
    ["INSERT INTO t FROM INFILE '/etc/hostname'", "63", "UNKNOWN_TYPE_OF_QUERY"],
    ["-- nothing", "62", "SYNTAX_ERROR"],
    ["1 + 1", "62", "SYNTAX_ERROR"],
  ])("of %s is the server's", async (query, code, type) => {
    const asked = engine.client.command({ query });
    await expect(asked).rejects.toBeInstanceOf(ClickHouseError);
    await expect(engine.client.command({ query })).rejects.toMatchObject({ code, type });
  });

  it("quotes the statement as its author wrote it", async () => {
    const error: unknown = await engine
      .rows("SELECT a b c FROM x")
      .catch((reason: unknown) => reason);
    expect(String(error)).toContain("failed at position 12 (c)");
    expect(String(error)).not.toMatch(/OUTFILE '|statement:|\.pipe/);
    await engine.client.command({ query: "CREATE TABLE t (a UInt8) ENGINE = Memory" });
    const insert: unknown = await engine.client
      .insert({ table: "t", values: [{ a: "x" }], format: "JSONEachRow" })
      .catch((reason: unknown) => reason);
    expect(String(insert)).toContain("(at row 1)");
    expect(String(insert)).not.toMatch(/INFILE|\.body|engine\/|run\//);
  });

  it("in the middle of a stream reaches the reader after the rows before it", async () => {
    const result = await engine.client.query({
      query:
        "SELECT number, throwIf(number = 900000, 'stop here') FROM numbers(1000000) SETTINGS max_block_size = 10000",
      format: "JSONEachRow",
    });
    let read = 0;
    const reading = (async () => {
      for await (const rows of result.stream()) read += rows.length;
    })();
    await expect(reading).rejects.toMatchObject({
      code: "395",
      message: expect.stringContaining("stop here"),
    });
    expect(read).toBeGreaterThan(1000);
  });

  it("in the middle of a text never looks like its end", async () => {
    const client = engine.connect();
    const result = await client.query({
      query:
        "SELECT number, throwIf(number = 900000) FROM numbers(1000000) SETTINGS max_block_size = 10000",
      format: "CSV",
    });
    await expect(result.text()).rejects.toThrow(/aborted/);
  });

  it("in the middle of a compressed stream is an error too", async () => {
    const client = engine.connect({ compression: { response: true } });
    const result = await client.query({
      query:
        "SELECT number, throwIf(number = 900000) FROM numbers(1000000) SETTINGS max_block_size = 10000",
      format: "JSONEachRow",
    });
    await expect(result.json()).rejects.toThrow(/aborted|non-zero|error in the stream/);
  });

  it("late in a result that is awaited whole is a proper error", async () => {
    const late = engine.client.query({
      query: "SELECT number, throwIf(number = 900000) FROM numbers(1000000)",
      format: "JSONEachRow",
      clickhouse_settings: { wait_end_of_query: 1 },
    });
    await expect(late).rejects.toMatchObject({ code: "395" });
  });
});

const HEAVY = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1";

const running = async (part: string): Promise<number> => {
  const sql =
    "SELECT count() AS n FROM system.processes WHERE position(query, {part:String}) > 0 AND position(query, 'system.processes') = 0";
  const result = await engine.client.query({
    query: sql,
    query_params: { part },
    format: "JSONEachRow",
  });
  const [row] = await result.json<{ n: number }>();
  return Number(row?.n);
};

describe("cancelling", () => {
  it("stops the engine's work on a query whose client gave up", async () => {
    const controller = new AbortController();
    const asked = engine.client.query({
      query: `${HEAVY} AND 'abort' = 'abort'`,
      abort_signal: controller.signal,
    });
    const outcome = asked.catch((error: unknown) => error);
    await until("the query runs", async () => (await running("'abort' = ")) === 1);
    controller.abort();
    expect(String(await outcome)).toContain("aborted");
    await until("the query has ended", async () => (await running("'abort' = ")) === 0);
  });

  it("stops a query whose subquery is being computed", async () => {
    const controller = new AbortController();
    const asked = engine.client.query({
      query: `SELECT (${HEAVY} AND 'sub' = 'sub')`,
      abort_signal: controller.signal,
    });
    const outcome = asked.catch(() => undefined);
    await until("the query runs", async () => (await running("'sub' = ")) > 0);
    expect(await engine.rows("SELECT 1 AS a")).toEqual([{ a: 1 }]);
    controller.abort();
    await outcome;
    await until("the query has ended", async () => (await running("'sub' = ")) === 0);
  });

  it("stops an endless stream that is closed while it is read", async () => {
    const result = await engine.client.query({
      query: "SELECT number FROM system.numbers WHERE 'close' = 'close'",
      format: "JSONEachRow",
    });
    const read: number[] = [];
    for await (const rows of result.stream()) if (read.push(rows.length) > 2) break;
    result.close();
    expect(read).toHaveLength(3);
    await until("the query has ended", async () => (await running("'close' = ")) === 0);
  });

  it("stops a query that is killed by KILL QUERY", async () => {
    const asked = engine.client.query({ query: `${HEAVY} AND 'kill' = 'kill'` });
    const outcome = asked.catch((error: unknown) => error);
    await until("the query runs", async () => (await running("'kill' = ")) === 1);
    await engine.client.command({
      query: "KILL QUERY WHERE position(query, concat('''ki', 'll'' = ')) > 0 ASYNC",
    });
    expect(await outcome).toMatchObject({ code: "394", type: "QUERY_WAS_CANCELLED" });
  });

  it("frees its place for other queries, whenever it comes", async () => {
    const abortAfter = async (milliseconds: number) => {
      const signal = AbortSignal.timeout(milliseconds);
      const query = {
        query: "SELECT number FROM system.numbers",
        format: "JSONEachRow",
        abort_signal: signal,
      } as const;
      const reading = engine.client.query(query).then(async (result) => {
        signal.addEventListener("abort", () => result.close());
        for await (const rows of result.stream()) if (rows.length === 0) break;
      });
      await expect(reading).rejects.toThrow(/aborted|closed/);
    };
    for (let after = 0; after < 60; after += 1)
      await Promise.all([after, after + 1, after + 2].map(abortAfter));
    await until("nothing runs", async () => (await running("system.numbers")) === 0);
    const client = engine.connect({ max_open_connections: 24 });
    const many = Array.from({ length: 24 }, () =>
      client
        .query({ query: "SELECT sleep(0.1) AS s", format: "JSONEachRow" })
        .then((result) => result.json()),
    );
    expect((await Promise.all(many)).flat()).toHaveLength(24);
  }, 60_000);
});
