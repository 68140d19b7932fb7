import { get } from "node:http";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

import { afterAll, beforeAll, expect, it } from "vitest";

import { type EngineUnderTest, startEngineUnderTest } from "./testing/engine-under-test.ts";

let engine: EngineUnderTest;
let address: URL;
beforeAll(async () => {
  engine = await startEngineUnderTest();
  address = new URL(engine.clickhouse.url);
});
afterAll(() => engine.close());

const credentials = () => ({
  "x-clickhouse-user": address.username,
  "x-clickhouse-key": decodeURIComponent(address.password),
});
const post = (
  options: Record<string, string>,
  body: string | FormData,
  headers: Record<string, string> = {},
) =>
  fetch(`http://${address.host}/?${new URLSearchParams(options).toString()}`, {
    method: "POST",
    headers: { ...credentials(), ...headers },
    body,
  });

const slow = "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1";

it("sends progress as headers until the result begins, also when it ends with an error", async () => {
  const options = { send_progress_in_http_headers: "1", http_headers_progress_interval_ms: "20" };
  const steps = "SELECT sum(sleepEachRow(0.01)) FROM numbers(50) SETTINGS max_block_size = 5";
  const whole = await post(options, steps);
  const progress = whole.headers.get("x-clickhouse-progress") ?? "";
  expect(progress.split("}, {").length).toBeGreaterThan(1);
  expect(progress).toContain('"total_rows_to_read":"50"');
  expect(await whole.text()).toBe("0\n");
  const failing = await post({ ...options, max_execution_time: "1" }, slow);
  expect(failing.status).toBe(200);
  expect(failing.headers.get("x-clickhouse-exception-code")).toBe("159");
  expect(await failing.text()).toContain("TIMEOUT_EXCEEDED");
});

it("ends a query by the id that its client gave it, and no other", async () => {
  const running = post({ query_id: "named 'one'" }, slow).then((response) => response.text());
  const other = new AbortController();
  const unnamed = engine.client.query({ query: slow, abort_signal: other.signal }).catch(() => "");
  await expect
    .poll(() => engine.rows("KILL QUERY WHERE query_id = 'named \\'one\\'' SYNC"))
    .toHaveLength(1);
  expect(await running).toContain("QUERY_WAS_CANCELLED");
  const left = "SELECT count() AS n FROM system.processes WHERE query LIKE '%100000000000%'";
  expect(await engine.rows(`${left} AND query NOT LIKE '%system.processes%'`)).toEqual([{ n: 1 }]);
  other.abort();
  await unnamed;
});

it("sends progress and rows while a query still runs, in the formats that have both", async () => {
  const query = "SELECT sleepEachRow(0.05) AS a FROM numbers(10) SETTINGS max_block_size = 1";
  const url = `http://${address.host}/?${new URLSearchParams({ query, default_format: "JSONEachRowWithProgress" }).toString()}`;
  const arrived: string[] = [];
  await new Promise<void>((resolve, reject) => {
    get(url, { headers: credentials() }, (response) => {
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => arrived.push(chunk));
      response.on("end", resolve);
    }).on("error", reject);
  });
  expect(arrived.length).toBeGreaterThan(2);
  expect(arrived.join("").match(/\{"row":/g)).toHaveLength(10);
});

it("compresses errors as it compresses results", async () => {
  const path = "/?enable_http_compression=1&query=SELECT+nonsense";
  const headers = { ...credentials(), "accept-encoding": "gzip" };
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    get(`http://${address.host}${path}`, { headers }, (response) => {
      expect(response.statusCode).toBe(404);
      expect(response.headers["content-encoding"]).toBe("gzip");
      text(response.setEncoding("latin1")).then(
        (all) => resolve(Buffer.from(all, "latin1")),
        reject,
      );
    });
  });
  expect(gunzipSync(bytes).toString("utf8")).toContain("UNKNOWN_IDENTIFIER");
});

it("joins external tables that come with a query, and forgets them", async () => {
  const form = new FormData();
  form.set("ids", new Blob(["1\tone\n2\ttwo\n"]), "ids.tsv");
  form.set("others", new Blob(["2\n"]), "others");
  const query = "SELECT name FROM ids JOIN others ON ids.id = others._1";
  const columns = { ids_structure: "id UInt8, name String", others_types: "UInt8" };
  expect(await (await post({ query, ...columns }, form)).text()).toBe("two\n");
  expect(await (await post({}, "SELECT * FROM ids")).text()).toContain("UNKNOWN_TABLE");
});

it("keeps temporary tables in a session, and settings in a request", async () => {
  const session_id = "of a test";
  await post({ session_id }, "CREATE TEMPORARY TABLE kept (n Int32)");
  await post({ session_id, max_result_rows: "1" }, "INSERT INTO kept VALUES (1), (2)");
  expect(await (await post({ session_id }, "SELECT n FROM kept ORDER BY n")).text()).toBe("1\n2\n");
  const missing = await post({ session_id: "none", session_check: "1" }, "SELECT 1");
  expect(await missing.text()).toMatch(/^Code: 372\./);
  const [first, second] = await Promise.all(
    [1, 2].map(async () => (await post({ session_id }, "SELECT sleep(0.2)")).text()),
  );
  expect([first, second].filter((each) => each === "0\n")).toHaveLength(1);
  expect(`${first}${second}`).toContain("Code: 373.");
});
