import { createClient } from "@clickhouse/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type Holder,
  type Insights,
  openInsightsUnderTest,
} from "../../testing/insights-under-test.ts";

let insights: Insights;
let analyst: Holder;
let origin: string;
const pathname = "/api/v1/analytics/clickhouse";

beforeAll(async () => {
  insights = await openInsightsUnderTest();
  analyst = insights.holder(0, { roles: ["holder", "analyst"] });
  const decided = { day: "2026-03-02", metric: "consent", detail: "accept_all" };
  await insights.insert("counters_in", [{ ...decided, label: "granted", count: 30 }]);
  origin = await insights.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => insights.close());

const tool = (password = `pt_a_${analyst.token}`) =>
  createClient({ url: origin, pathname, username: "analyst", password });
async function rowsOf(query: string, query_params: Record<string, unknown> = {}) {
  const client = tool();
  const result = await client.query({ query, query_params, format: "JSONEachRow" });
  const rows = await result.json();
  await client.close();
  return rows;
}
const send = (sql: string, more = "", password = `pt_a_${analyst.token}`) =>
  fetch(`${origin}${pathname}?${more}`, {
    method: "POST",
    headers: { "X-ClickHouse-User": "any", "X-ClickHouse-Key": password },
    body: sql,
  });

/** Of each type that a result may have, and of some within each other. */
const valuesOfTypes = String.raw`
toString(number)
nullIf(toString(number), '1')
NULL
[[number], range(number)]
[]
map('a', [number])
(number, 'b')
CAST((1, 'b'), 'Tuple(a UInt8, b String)')
toDecimal64(number, 2)
toDateTime64(number, 3)
today()
toUUID('31d7c1e0-9b6a-5f0e-8a55-1c0a5fd27b11')
CAST('b', 'Enum8(\'a, (b\' = 1, \'b\' = 2)')
toLowCardinality('word')
toLowCardinality(nullIf(toString(number), '1'))
[toLowCardinality('word')]
arrayFilter(x -> (x = 'other'), [toLowCardinality('word')])
map(toLowCardinality('word'), number)
`
  .trim()
  .split("\n");

describe("a tool that uses ClickHouse's HTTP interface with an access token of an analyst", () => {
  it("reads views, also by their database, with parameters; and is recorded with what it asked", async () => {
    const text =
      "SELECT decision, sum(decisions) AS n FROM analytics.consent_daily WHERE day >= {from:Date} GROUP BY decision";
    expect(await rowsOf(text, { from: "2026-03-01" })).toEqual([{ decision: "granted", n: 30 }]);
    expect(insights.ledger.records.at(-1)).toMatchObject({
      analystId: analyst.accountId,
      channel: "program",
      views: ["consent_daily"],
      format: "other",
      outcome: "begun",
      text: expect.stringContaining("FROM analytics.consent_daily"),
    });
    await expect.poll(() => insights.ledger.ends.at(-1)).toMatchObject({ outcome: "shown" });
  });

  it("passes values of parameters on as they are", async () => {
    const values = { text: "a\t'b'\\n\n", list: ["it's", "\\"], map: { one: 1 }, at: new Date(0) };
    const sql =
      "SELECT {text:String} AS text, {list:Array(String)} AS list, {map:Map(String, UInt8)} AS map, toUnixTimestamp({at:DateTime64(3)}) AS at";
    expect(await rowsOf(sql, values)).toEqual([{ ...values, at: 0 }]);
  });

  it("finds the views, and nothing else, in what ClickHouse says of itself", async () => {
    expect(await rowsOf("SHOW DATABASES")).toEqual([{ name: "analytics" }]);
    const names = await rowsOf("SELECT name FROM system.tables WHERE database = 'analytics'");
    expect(await rowsOf("SHOW TABLES FROM analytics")).toEqual(names);
    expect(names).toContainEqual({ name: "sessions" });
    const columns = "SELECT name, type FROM system.columns AS c WHERE c.table = 'sessions' LIMIT 1";
    expect(await rowsOf(columns)).toHaveLength(1);
    expect(await rowsOf("DESCRIBE TABLE analytics.sessions")).not.toHaveLength(0);
    expect(await rowsOf("SELECT version() AS v, currentUser() AS u, timezone() AS t")).toEqual([
      { v: "25.8.1.1", u: "analyst", t: "UTC" },
    ]);
    expect(await rowsOf("SELECT 'version()' AS v")).toEqual([{ v: "version()" }]);
    expect((await send("SELECT constructor()")).status).not.toBe(200);
  });

  it.each([
    ["Python", "SELECT version(), timezone()", [{ "version()": "25.8.1.1", "timezone()": "UTC" }]],
    [
      "Python",
      "SELECT name, readonly FROM system.settings WHERE name = 'session_timezone' LIMIT 10000",
      [{ name: "session_timezone", readonly: 0 }],
    ],
    [
      "Grafana",
      "SELECT name, is_aggregate, alias_to, categories FROM system.functions WHERE name = 'uniq'",
      [{ name: "uniq", is_aggregate: 1, alias_to: "", categories: "" }],
    ],
    [
      "Metabase",
      "WITH s AS (SELECT version() AS ver, splitByChar('.', ver) AS parts) SELECT s.ver, toInt32(parts[1]) AS major FROM s",
      [{ ver: "25.8.1.1", major: 25 }],
    ],
    [
      "JDBC",
      "SELECT t.name AS TABLE_NAME, d.engine AS TYPE_SCHEM FROM system.tables t JOIN system.databases d ON system.tables.database = system.databases.name WHERE t.name LIKE 'sess%' AND (t.is_temporary = 0)",
      [{ TABLE_NAME: "sessions", TYPE_SCHEM: "Views" }],
    ],
    [
      "JDBC",
      "SELECT name AS COLUMN_NAME, toInt32(if(numeric_scale == 0, NULL, numeric_scale)) AS DECIMAL_DIGITS, toInt32(system.columns.position) AS ORDINAL_POSITION FROM system.columns WHERE table LIKE 'sessions' AND name LIKE 'day'",
      [{ COLUMN_NAME: "day", DECIMAL_DIGITS: null, ORDINAL_POSITION: 1 }],
    ],
    ["Superset", "EXISTS TABLE `analytics`.`sessions`", [{ result: 1 }]],
    ["Superset", "EXISTS DATABASE nonsense", [{ result: 0 }]],
  ])("answers what %s asks as it connects: %s", async (_tool, sql, rows) => {
    expect(await rowsOf(sql)).toEqual(rows);
  });

  it("answers in the blocks of a version of the protocol, as clickhouse-go reads them for Grafana", async () => {
    const bytesOf = async (sql: string, more = "") =>
      Buffer.from(await (await send(`${sql} FORMAT Native`, more)).arrayBuffer());
    const version = "client_protocol_version=54460";
    const head = [1, 0, 2, 255, 255, 255, 255, 0];
    const text = (value: string) => [value.length, ...Buffer.from(value)];
    const hello = [
      [...head, 4, 1],
      [...text("displayName()"), ...text("String"), 0, ...text("analytics")],
      [...text("version()"), ...text("String"), 0, ...text("25.8.1.1")],
      [...text("revision()"), ...text("UInt32"), 0, 0xbc, 0xd4, 0, 0],
      [...text("timezone()"), ...text("String"), 0, ...text("UTC")],
    ].flat();
    const asked = "SELECT displayName(), version(), revision(), timezone()";
    expect([...(await bytesOf(asked, version))]).toEqual(hello);
    for (const value of valuesOfTypes) {
      const sql = `SELECT ${value} AS x FROM numbers(3)`;
      const plain = await bytesOf(sql);
      // Behind two numbers and the name: the type, with its length.
      const behind = 5 + (plain[4] ?? 0);
      const parts = [Buffer.from(head), plain.subarray(0, behind), Buffer.from([0])];
      const expected = Buffer.concat([...parts, plain.subarray(behind)]);
      expect({ value, bytes: await bytesOf(sql, version) }).toEqual({ value, bytes: expected });
    }
    const long = "SELECT number AS x, toString(number) AS y FROM numbers(300000)";
    const more = (await bytesOf(long, version)).length - (await bytesOf(long)).length;
    expect(more % (head.length + 2)).toBe(0);
    expect(more).toBeGreaterThan(head.length + 2);
  });

  it.each(["CSVWithNames", "Parquet", "RowBinary", "Native", "ArrowStream", "Pretty"])(
    "chooses the format %s",
    async (format) => {
      const answer = await send(`SELECT 1 AS n FORMAT ${format}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-clickhouse-format")).toBe(format);
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0);
    },
  );

  it.each([
    ["SELECT * FROM system.users", "497"],
    ["SELECT * FROM pro_talent.events", "497"],
    ["INSERT INTO sessions VALUES (1)", "62"],
    ["SELECT 1; SELECT 2", "497"],
    ["SELECT file('/etc/hostname')", "497"],
    ["SELECT 1 FORMAT Template", "497"],
    ["SELECT 1 INTO OUTFILE 'x'", "497"],
    ["SELECT nonsense", "47"],
    ["SELECT 1 SETTINGS readonly = 0", "497"],
  ])("is refused in ClickHouse's form: %s", async (sql, code) => {
    const answer = await send(sql);
    expect(answer.headers.get("x-clickhouse-exception-code")).toBe(code);
    expect(await answer.text()).toMatch(
      new RegExp(`^Code: ${code}\\. DB::Exception: .+ \\([A-Z_]+\\)\\n$`, "u"),
    );
  });

  it("sets the form of a result, and nothing else", async () => {
    const form = "output_format_json_quote_64bit_integers=1&default_format=JSONEachRow";
    expect(await (await send("SELECT toUInt64(1) AS n", form)).text()).toBe('{"n":"1"}\n');
    expect((await send("SELECT 1", "allow_introspection_functions=1")).status).toBe(403);
    expect((await send("SELECT 1", "max_execution_time=9999&readonly=0")).status).toBe(200);
    expect(await (await send("SELECT 1", "compress=1")).text()).toContain("compress=false");
    expect((await send("SELECT 1", "compress=0&decompress=0")).status).toBe(200);
  });

  it("is not let in by a wrong token, another scope, or a token in the address", async () => {
    const wrong = await send("SELECT 1", "", "pt_a_nonsense");
    expect(await wrong.text()).toContain("AUTHENTICATION_FAILED");
    expect((await send("SELECT 1", "", `pt_${analyst.token}`)).status).toBe(403);
    const address = `user=any&password=pt_a_${analyst.token}&query=SELECT+1`;
    expect((await fetch(`${origin}${pathname}?${address}`)).status).toBe(401);
    const client = tool();
    expect(await client.ping()).toEqual({ success: true });
    await client.close();
  });
});
