import { request } from "node:http";
import { gunzipSync, gzipSync, zstdDecompressSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type EngineUnderTest,
  quietClient,
  startEngineUnderTest,
} from "./testing/engine-under-test.ts";

let engine: EngineUnderTest;
let origin: string;
let password: string;
beforeAll(async () => {
  engine = await startEngineUnderTest();
  const url = new URL(engine.clickhouse.url);
  origin = url.origin;
  password = decodeURIComponent(url.password);
});
afterAll(() => engine.close());

const keyed = () => ({ "X-ClickHouse-User": "default", "X-ClickHouse-Key": password });
const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => fetch(`${origin}${path}`, { method: "POST", body, headers: { ...keyed(), ...headers } });

describe("credentials", () => {
  it("are accepted in all three places", async () => {
    const basic = {
      authorization: `Basic ${Buffer.from(`default:${password}`).toString("base64")}`,
    };
    expect(await (await fetch(`${origin}/?query=SELECT+1`, { headers: basic })).text()).toBe("1\n");
    expect(await (await fetch(`${origin}/?query=SELECT+1`, { headers: keyed() })).text()).toBe(
      "1\n",
    );
    const inUrl = `user=default&password=${encodeURIComponent(password)}`;
    expect(await (await fetch(`${origin}/?query=SELECT+1&${inUrl}`)).text()).toBe("1\n");
  });

  it.each([
    ["none", {}],
    ["a wrong key", { "X-ClickHouse-User": "default", "X-ClickHouse-Key": "x" }],
    ["another user", { "X-ClickHouse-User": "root", "X-ClickHouse-Key": "x" }],
    ["a bearer token", { authorization: "Bearer x" }],
    ["a broken header", { authorization: "Basic" }],
  ])("that are wrong are refused: %s", async (_, headers) => {
    const answer = await fetch(`${origin}/?query=SELECT+1`, { headers });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("x-clickhouse-exception-code")).toBe("516");
    expect(await answer.text()).toMatch(
      /^Code: 516\. DB::Exception: .*\(AUTHENTICATION_FAILED\)\n$/,
    );
  });

  it("that are wrong are an error with the server's type for the client", async () => {
    const client = quietClient(engine.clickhouse.url.replace(/:[^:@]*@/, ":wrong@"));
    await expect(client.query({ query: "SELECT 1" })).rejects.toMatchObject({
      code: "516",
      type: "AUTHENTICATION_FAILED",
    });
    await client.close();
  });

  it("are not needed for a ping", async () => {
    for (const path of ["/ping", "/replicas_status", "/"]) {
      expect(await (await fetch(`${origin}${path}`)).text()).toBe("Ok.\n");
    }
    expect((await fetch(`${origin}/nothing`)).status).toBe(404);
  });
});

describe("headers", () => {
  it("name query, time zone, format and what the query did", async () => {
    const answer = await post(
      "/?query_id=my-query&default_format=JSONEachRow",
      "SELECT number FROM numbers(3)",
    );
    expect(answer.headers.get("x-clickhouse-query-id")).toBe("my-query");
    expect(answer.headers.get("x-clickhouse-timezone")).toMatch(/\w/);
    expect(answer.headers.get("x-clickhouse-format")).toBe("JSONEachRow");
    const summary: unknown = JSON.parse(answer.headers.get("x-clickhouse-summary") ?? "");
    expect(summary).toMatchObject({ read_rows: "3", result_rows: "3", written_rows: "0" });
  });

  it("ask for a format like the argument does", async () => {
    const answer = await post("/", "SELECT 1 AS a", { "X-ClickHouse-Format": "JSONEachRow" });
    expect(await answer.text()).toBe('{"a":1}\n');
  });

  it("ask for a database like the argument does", async () => {
    expect(
      await (
        await post("/", "SELECT currentDatabase()", { "X-ClickHouse-Database": "system" })
      ).text(),
    ).toBe("system\n");
    expect(await (await post("/?database=system", "SELECT currentDatabase()")).text()).toBe(
      "system\n",
    );
    expect(
      (await post("/?database=no%60where", "SELECT 1")).headers.get("x-clickhouse-exception-code"),
    ).toBe("81");
  });

  it.each([
    ["SELECT no", 404],
    ["SELECT (", 400],
    ["SELECT throwIf(1)", 500],
  ])("give %s the status %i", async (sql, status) => {
    expect((await post("/", sql)).status).toBe(status);
  });
});

describe("an address that can't be read", () => {
  it.each(["//", "/%", "/?query=%FF%FE", "/?%"])("is refused without harm: %s", async (path) => {
    const { port } = new URL(origin);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ host: "127.0.0.1", port, path, headers: keyed() }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode));
      });
      asked.on("error", reject).end();
    });
    expect(status).toBeLessThan(500);
    expect(engine.clickhouse.restarts()).toBe(0);
  });
});

describe("GET", () => {
  it("reads and never writes", async () => {
    const get = (sql: string, more = "") =>
      fetch(`${origin}/?query=${encodeURIComponent(sql)}${more}`, { headers: keyed() });
    expect(await (await get("SELECT 2")).text()).toBe("2\n");
    for (const more of ["", "&readonly=0"]) {
      const write = await get("CREATE TABLE x (a Int8) ENGINE = Memory", more);
      expect(write.headers.get("x-clickhouse-exception-code")).toBe("164");
    }
  });
});

describe("compression", () => {
  it.each([
    ["gzip", gunzipSync],
    ["zstd", zstdDecompressSync],
  ])("of results is done in %s when asked for", async (coding, decode) => {
    const path = "/?enable_http_compression=1&query=SELECT+number+FROM+numbers(1000)";
    const body = await new Promise<Buffer>((resolve, reject) => {
      const headers = { ...keyed(), "accept-encoding": coding };
      const asked = request(`${origin}${path}`, { headers }, (answer) => {
        expect(answer.headers["content-encoding"]).toBe(coding);
        const parts: Buffer[] = [];
        answer
          .on("data", (part: Buffer) => parts.push(part))
          .on("end", () => resolve(Buffer.concat(parts)));
      });
      asked.on("error", reject).end();
    });
    expect(decode(body).toString().split("\n")).toHaveLength(1001);
  });

  it("of results is not done unasked", async () => {
    expect((await post("/", "SELECT 1")).headers.get("content-encoding")).toBeNull();
  });

  it("of requests is understood, and a broken one refused", async () => {
    const body = gzipSync("SELECT 'שלום'");
    expect(await (await post("/", body, { "content-encoding": "gzip" })).text()).toBe("שלום\n");
    const cut = await post("/", body.subarray(0, 20), { "content-encoding": "gzip" });
    expect(cut.headers.get("x-clickhouse-exception-code")).toBe("354");
    expect((await post("/", "x", { "content-encoding": "br" })).status).toBe(501);
  });
});

describe("a statement in two parts", () => {
  it("continues from the URL into the body", async () => {
    expect(await (await post("/?query=SELECT+1+%2B", "2")).text()).toBe("3\n");
    await engine.client.command({ query: "CREATE TABLE parts (a UInt8) ENGINE = Memory" });
    await post("/?query=INSERT+INTO+parts+VALUES", "(1),(2);");
    await post("/?query=INSERT+INTO+parts", "FORMAT CSV\n3\n4\n");
    await post("/?query=INSERT+INTO+parts+FORMAT+CSV+5", "6\n");
    expect(await (await post("/", "SELECT a FROM parts ORDER BY a FORMAT CSV")).text()).toBe(
      "1\n2\n3\n4\n5\n6\n",
    );
  });
});

describe("a form", () => {
  const send = (body: string, boundary = "; boundary=xYz") =>
    post("/", body, { "content-type": `multipart/form-data${boundary}` });
  const field = (name: string, value: string) =>
    `--xYz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const query = field("query", "\r\nSELECT {a:String}\r\nFORMAT TSVRaw\r\n");

  it("keeps line breaks and dashes within and around values", async () => {
    for (const value of ["\n\n--x\n--", "", "שלום 😀", " a "]) {
      const escaped = value.replaceAll("\n", "\\n");
      const answer = await send(`${query}${field("param_a", escaped)}--xYz--\r\n`);
      expect(await answer.text()).toBe(`${value}\n`);
    }
  });

  it.each(["", "--xYz", "--xYz\r\n\r\n--xYz--", "--xYz\r\nname\r\n\r\nvalue"])(
    "that is broken is refused: %j",
    async (body) => {
      const answer = await send(body);
      expect(answer.headers.get("x-clickhouse-exception-code")).toBe("36");
    },
  );

  it("without a boundary, or with a file whose columns are not stated, is refused", async () => {
    const answer = await send(`${query}--xYz--\r\n`, "");
    expect(answer.headers.get("x-clickhouse-exception-code")).toBe("36");
    const file = field("t", "1").replace('"t"', '"t"; filename="t"');
    expect((await send(`${file}--xYz--\r\n`)).status).toBe(400);
  });
});
