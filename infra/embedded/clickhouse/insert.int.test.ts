import { request } from "node:http";
import { Readable } from "node:stream";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import {
  type EngineUnderTest,
  bytesOf,
  startEngineUnderTest,
} from "./testing/engine-under-test.ts";

let engine: EngineUnderTest;
beforeAll(async () => {
  engine = await startEngineUnderTest();
  await engine.client.command({ query: "CREATE DATABASE app" });
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.client.command({ query: "DROP TABLE IF EXISTS app.t SYNC" });
  await engine.client.command({
    query: "CREATE TABLE app.t (a UInt32, s String) ENGINE = MergeTree ORDER BY a",
  });
});

const stored = () => engine.rows("SELECT a, s FROM app.t ORDER BY a, s");

/** Text that means something to every layer on the way. */
const AWKWARD = [
  "",
  "it's",
  "a\n\n\nb",
  "; DROP TABLE app.t;",
  "\t\\N\\",
  '{"x":1}',
  "😀 שלום",
  "\r\n\r\n",
  "/*",
];
const AWKWARD_ROWS = AWKWARD.map((s, a) => ({ a, s }));

describe("insert", () => {
  it("stores an array and reports how many rows and bytes were written", async () => {
    const { summary } = await engine.client.insert({
      table: "app.t",
      values: AWKWARD_ROWS,
      format: "JSONEachRow",
    });
    expect(await stored()).toEqual(AWKWARD_ROWS);
    expect(summary).toMatchObject({ written_rows: String(AWKWARD.length) });
    expect(Number(summary?.written_bytes)).toBeGreaterThan(0);
    expect(Number(summary?.elapsed_ns)).toBeGreaterThan(0);
  });

  it("counts the rows of materialised views as a server does", async () => {
    await engine.client.command({
      query: "CREATE MATERIALIZED VIEW app.v ENGINE = Memory AS SELECT a FROM app.t",
    });
    const { summary } = await engine.client.insert({
      table: "app.t",
      values: AWKWARD_ROWS,
      format: "JSONEachRow",
    });
    expect(summary?.written_rows).toBe(String(AWKWARD.length * 2));
    await engine.client.command({ query: "DROP VIEW app.v SYNC" });
  });

  it("stores a stream of objects", async () => {
    await engine.client.insert({
      table: "app.t",
      values: Readable.from(AWKWARD_ROWS),
      format: "JSONEachRow",
    });
    expect(await stored()).toEqual(AWKWARD_ROWS);
  });

  it("stores rows separated by empty lines, and none of them as a statement", async () => {
    const body = '{"a":1,"s":"x"}\n\n\n{"a":2,"s":"y"}\n\nDROP TABLE app.t\n';
    const insert = engine.client.exec({
      query: "INSERT INTO app.t FORMAT JSONEachRow",
      values: Readable.from([body]),
    });
    await expect(insert).rejects.toThrow(/Cannot parse/);
    expect(await engine.rows("EXISTS TABLE app.t")).toEqual([{ result: 1 }]);
    const good = body.replace("DROP TABLE app.t\n", "");
    await engine.client.exec({
      query: "INSERT INTO app.t FORMAT JSONEachRow",
      values: Readable.from([good]),
    });
    expect(await stored()).toEqual([
      { a: 1, s: "x" },
      { a: 2, s: "y" },
    ]);
  });

  it("stores line breaks and statements within a CSV field as text", async () => {
    const csv = '1,"x\n\n; CREATE TABLE app.evil (a Int8) ENGINE = Memory"\n2,y\n';
    await engine.client.insert({
      table: "app.t",
      values: Readable.from([csv], { objectMode: false }),
      format: "CSV",
    });
    expect(await stored()).toEqual([
      { a: 1, s: "x\n\n; CREATE TABLE app.evil (a Int8) ENGINE = Memory" },
      { a: 2, s: "y" },
    ]);
    expect(await engine.rows("EXISTS TABLE app.evil")).toEqual([{ result: 0 }]);
  });

  it("keeps characters whole whose bytes arrive in different chunks", async () => {
    const bytes = Buffer.from('{"a":1,"s":"😀שלום"}\n');
    const single = Array.from(bytes, (byte) => Buffer.from([byte]));
    await engine.client.exec({
      query: "INSERT INTO app.t FORMAT JSONEachRow",
      values: Readable.from(single, { objectMode: false }),
    });
    expect(await stored()).toEqual([{ a: 1, s: "😀שלום" }]);
  });

  it.each([
    "Native",
    "RowBinary",
    "RowBinaryWithNamesAndTypes",
    "Parquet",
    "Arrow",
    "ArrowStream",
    "ORC",
    "Avro",
    "MsgPack",
    "JSON",
    "JSONCompactEachRow",
    "CSVWithNames",
    "TabSeparatedWithNamesAndTypes",
  ])("takes back what it gave out in %s", async (format) => {
    const source =
      "SELECT toUInt32(number) AS a, char(10, 10, 59, number % 128) || toString(number) AS s FROM numbers(1000)";
    const { stream } = await engine.client.exec({ query: `${source} FORMAT ${format}` });
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(bytesOf(part));
    const values = Readable.from([Buffer.concat(parts)], { objectMode: false });
    const { stream: answer } = await engine.client.exec({
      query: `INSERT INTO app.t FORMAT ${format}`,
      values,
    });
    answer.resume();
    const hash = (from: string) =>
      engine.rows(`SELECT count() AS c, sum(cityHash64(a, s)) AS h FROM ${from}`);
    expect(await hash("app.t")).toEqual(await hash(`(${source})`));
  });

  it("treats an empty body as no rows, not as an error", async () => {
    const insert = { query: "INSERT INTO app.t FORMAT JSONEachRow" };
    const { summary } = await engine.client.exec({
      ...insert,
      values: Readable.from([], { objectMode: false }),
    });
    expect(summary?.written_rows).toBe("0");
    const viaStream = { table: "app.t", values: Readable.from([]), format: "JSONEachRow" } as const;
    await engine.client.insert(viaStream);
    await engine.client.command(insert);
    expect(await stored()).toEqual([]);
  });

  it("reports that the table of an empty insert does not exist", async () => {
    const insert = engine.client.exec({
      query: "INSERT INTO app.none FORMAT JSONEachRow",
      values: Readable.from([], { objectMode: false }),
    });
    await expect(insert).rejects.toMatchObject({ code: "60", type: "UNKNOWN_TABLE" });
  });

  it("accepts columns, VALUES with expressions and parameters, data in the statement, and SELECT", async () => {
    const { client } = engine;
    await client.insert({
      table: "app.t",
      values: [{ a: 1 }],
      columns: ["a"],
      format: "JSONEachRow",
    });
    await client.insert({
      table: "app.t",
      values: [{ a: 2 }],
      columns: { except: ["s"] },
      format: "JSONEachRow",
    });
    await client.command({
      query: "INSERT INTO app.t (a, s) VALUES ({a:UInt32}, concat('x;', '\n\n')), (4, 'y');",
      query_params: { a: 3 },
    });
    await client.command({
      query: 'INSERT INTO app.t SETTINGS max_threads = 1 FORMAT JSONEachRow\n{"a":5,"s":"z"}\n',
    });
    const { summary } = await client.command({
      query: "INSERT INTO app.t SELECT 6, 'w' FROM numbers(2)",
    });
    expect(summary?.written_rows).toBe("2");
    expect(await stored()).toEqual([
      { a: 1, s: "" },
      { a: 2, s: "" },
      { a: 3, s: "x;\n\n" },
      { a: 4, s: "y" },
      { a: 5, s: "z" },
      { a: 6, s: "w" },
      { a: 6, s: "w" },
    ]);
  });

  it("finds the table in the client's database", async () => {
    const client = engine.connect({ database: "app" });
    await client.insert({ table: "t", values: [{ a: 1, s: "x" }], format: "JSONEachRow" });
    expect(await stored()).toEqual([{ a: 1, s: "x" }]);
  });

  it("stores a body larger than any single block, compressed on the way", async () => {
    const client = engine.connect({ compression: { request: true } });
    const total = 100_000;
    const values = Readable.from(
      (function* () {
        for (let a = 0; a < total; a += 1) yield { a, s: "x".repeat(100) };
      })(),
    );
    const { summary } = await client.insert({ table: "app.t", values, format: "JSONEachRow" });
    expect(summary?.written_rows).toBe(String(total));
    expect(await engine.rows("SELECT count() AS c, uniqExact(a) AS u FROM app.t")).toEqual([
      { c: total, u: total },
    ]);
  }, 30_000);

  it("stores nothing of a body that breaks off", async () => {
    const url = new URL(engine.clickhouse.url);
    const path = `/?query=${encodeURIComponent("INSERT INTO app.t FORMAT JSONEachRow")}`;
    const { username, password, port } = url;
    await new Promise<void>((resolve) => {
      const outgoing = request({
        host: "127.0.0.1",
        port,
        path,
        method: "POST",
        auth: `${username}:${decodeURIComponent(password)}`,
      });
      outgoing.on("error", () => resolve());
      outgoing.write('{"a":1,"s":"x"}\n', () => outgoing.destroy());
      outgoing.on("close", () => resolve());
    });
    await engine.client.ping();
    expect(await stored()).toEqual([]);
  });

  it("refuses rows that do not fit and names the reason", async () => {
    const insert = engine.client.insert({
      table: "app.t",
      values: [{ a: "many" }],
      format: "JSONEachRow",
    });
    await expect(insert).rejects.toMatchObject({
      code: "27",
      type: "CANNOT_PARSE_INPUT_ASSERTION_FAILED",
    });
    expect(await stored()).toEqual([]);
  });
});
