import { TupleParam } from "@clickhouse/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type EngineUnderTest, startEngineUnderTest } from "./testing/engine-under-test.ts";

let engine: EngineUnderTest;
beforeAll(async () => void (engine = await startEngineUnderTest()));
afterAll(() => engine.close());

describe("query parameters", () => {
  it.each([
    [
      "String",
      'it\'s \\ \t \n \r\n `x` "y" {z} 😀 שלום',
      'it\'s \\ \t \n \r\n `x` "y" {z} 😀 שלום',
    ],
    ["String", "'; DROP TABLE x; --", "'; DROP TABLE x; --"],
    ["Array(String)", ["a'b", "c\\d", "e\nf", "g\th", ""], ["a'b", "c\\d", "e\nf", "g\th", ""]],
    ["Array(Array(UInt8))", [[1], [2, 3], []], [[1], [2, 3], []]],
    ["Map(String, String)", { "k'1": "v\\", "": "\n" }, { "k'1": "v\\", "": "\n" }],
    ["Nullable(String)", null, null],
    ["Nullable(String)", "NULL", "NULL"],
    ["Array(Nullable(String))", [null, "a"], [null, "a"]],
    ["Tuple(UInt8, String)", new TupleParam([7, "x'y"]), [7, "x'y"]],
    ["DateTime64(3, 'UTC')", new Date("2026-03-29T01:02:03.678Z"), "2026-03-29 01:02:03.678"],
    ["DateTime64(3, 'UTC')", "2026-03-29 01:02:03.004", "2026-03-29 01:02:03.004"],
    ["Date", "2026-03-29", "2026-03-29"],
    ["Bool", true, true],
    ["Float64", -1.5e10, -15_000_000_000],
    ["UUID", "0190a3c4-5b6d-7e8f-9a0b-1c2d3e4f5061", "0190a3c4-5b6d-7e8f-9a0b-1c2d3e4f5061"],
  ])("keeps a %s exactly as it was given", async (type, value, expected) => {
    expect(await engine.rows(`SELECT {v:${type}} AS v`, { v: value })).toEqual([{ v: expected }]);
  });

  it("keeps the digits of large integers", async () => {
    const client = engine.connect({
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    });
    const result = await client.query({
      query: "SELECT {v:UInt64} AS v",
      query_params: { v: "18446744073709551615" },
      format: "JSONEachRow",
    });
    expect(await result.json()).toEqual([{ v: "18446744073709551615" }]);
  });

  it("names tables and columns", async () => {
    const sql = "SELECT {column:Identifier} AS c FROM {db:Identifier}.{table:Identifier}";
    expect(await engine.rows(sql, { column: "dummy", db: "system", table: "one" })).toEqual([
      { c: 0 },
    ]);
  });

  it("come in a form when they are too large for a URL", async () => {
    const values = Array.from({ length: 20_000 }, (_, n) => `value '${n}'\n`);
    const sql = "SELECT length({values:Array(String)}) AS n, {values:Array(String)}[20000] AS last";
    expect(await engine.rows(sql, { values })).toEqual([{ n: 20_000, last: "value '19999'\n" }]);
  });

  it("of queries that run together stay apart", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, v) => engine.rows("SELECT {v:UInt32} AS v", { v })),
    );
    expect(answers.flat()).toEqual(Array.from({ length: 40 }, (_, v) => ({ v })));
  });

  it("that are missing are named", async () => {
    await expect(engine.rows("SELECT {v:UInt8}")).rejects.toMatchObject({
      code: "456",
      type: "UNKNOWN_QUERY_PARAMETER",
    });
  });
});

const settingOf = (name: string) => `SELECT value FROM system.settings WHERE name = '${name}'`;

describe("settings", () => {
  it("hold for their query only", async () => {
    const { client } = engine;
    const limited = client.query({
      query: "SELECT number FROM numbers(100)",
      clickhouse_settings: { max_result_rows: "10", result_overflow_mode: "throw" },
    });
    await expect(limited).rejects.toMatchObject({ code: "396" });
    expect(await engine.rows("SELECT number FROM numbers(11)")).toHaveLength(11);
    expect(await engine.rows(settingOf("max_result_rows"))).toEqual([{ value: "0" }]);
  });

  it.each(["x\\'; CREATE TABLE pwned (a Int8) ENGINE = Memory; --", "\\", "'", "a\nb\tc", "😀"])(
    "keep the value %j exactly",
    async (value) => {
      const result = await engine.client.query({
        query: "SELECT getSetting('log_comment') AS v",
        clickhouse_settings: { log_comment: value },
        format: "JSONEachRow",
      });
      expect(await result.json()).toEqual([{ v: value }]);
      expect(await engine.rows("EXISTS TABLE pwned")).toEqual([{ result: 0 }]);
    },
  );

  it("that do not exist are refused", async () => {
    const query = engine.client.query({
      query: "SELECT 1",
      clickhouse_settings: { no_such_setting: 1 },
    });
    await expect(query).rejects.toMatchObject({ code: "115", type: "UNKNOWN_SETTING" });
    const odd = engine.client.query({
      query: "SELECT 1",
      clickhouse_settings: { "max_threads = 1, x": 1 },
    });
    await expect(odd).rejects.toMatchObject({ code: "115", type: "UNKNOWN_SETTING" });
  });

  it("can forbid writing", async () => {
    const write = engine.client.command({
      query: "CREATE TABLE x (a Int8) ENGINE = Memory",
      clickhouse_settings: { readonly: "1" },
    });
    await expect(write).rejects.toMatchObject({ code: "164", type: "READONLY" });
  });

  it("limit time and memory with the server's errors", async () => {
    const slow = engine.client.query({
      query: "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1",
      clickhouse_settings: { max_execution_time: 0.2 },
    });
    await expect(slow).rejects.toMatchObject({ code: "159", type: "TIMEOUT_EXCEEDED" });
    const large = engine.client.query({
      query: "SELECT groupArray(number) FROM numbers(100000000)",
      clickhouse_settings: { max_memory_usage: "50000000" },
    });
    await expect(large).rejects.toMatchObject({ code: "241", type: "MEMORY_LIMIT_EXCEEDED" });
  });
});

describe("what is not supported", () => {
  it("is refused by name: roles that are not there", async () => {
    const role = engine.client.query({ query: "SELECT 1", role: "analyst" });
    await expect(role).rejects.toMatchObject({ code: "511", type: "UNKNOWN_ROLE" });
  });
});
