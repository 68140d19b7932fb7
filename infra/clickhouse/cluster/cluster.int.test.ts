import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { deleteWhere } from "@pro-talent/collector/erase/delete-where";
import { dropDaysOf } from "@pro-talent/collector/erase/drop-days";
import { ownWordsOf } from "@pro-talent/collector/erase/own-words";
import { clickhouseMigrations } from "@pro-talent/collector/migrate";
import { searchClickhouse } from "@pro-talent/collector/search-clickhouse";
import { shardingKeys } from "@pro-talent/collector/sharding-keys";
import { insertLines } from "@pro-talent/collector/ship/store";
import { eventRow } from "@pro-talent/collector/spool/testing/rows";
import { storeDays } from "@pro-talent/collector/store-days";
import { type ClickHouseClient, connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { migrateClickhouse } from "@pro-talent/platform/clickhouse/migrate";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import {
  type RunningClickhouse,
  startClickhouse,
} from "../../embedded/clickhouse/start-clickhouse.ts";
import { temporaryDirectory } from "../../embedded/testing/temporary-directory.ts";

/**
 * The embedded engine has neither Keeper nor a second node. It reads the configuration of a cluster, and is
 * then each of its shards: first the only one, then both of two, which makes every row two. Statements run without
 * ON CLUSTER and without replication; that the engine understands both is seen from its parser.
 */
const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(name, import.meta.url)), "utf8");
const cluster = "main";
const [shardsOfOne, shardsOfTwo] = ["one", "two"] as const;

/**
 * The configuration with this engine as every node, without second replicas, which would store with it, and a
 * second cluster with the first shard alone.
 */
function configuration(): string {
  const text = read("server.xml")
    .replaceAll(/<user_directories.*?<\/user_directories>/gsu, "")
    .replaceAll(/<replica><host>clickhouse-\d-1<.*?<\/replica>/gsu, "")
    .replaceAll(/<host>clickhouse-\d-0<\/host>/gu, "<host>127.0.0.1</host>")
    .replaceAll(/\w+ from_env="\w+"/gu, (tag) => tag.split(" ")[0] ?? "");
  const shard = /<shard>.*?<\/shard>/su.exec(text)?.[0] ?? "";
  return (
    text
      // Nodes at the engine's own port are itself.
      .replace("<clickhouse>", "<clickhouse><tcp_port>9000</tcp_port>")
      .replaceAll(`<${cluster}>`, `<${shardsOfTwo}>`)
      .replaceAll(`</${cluster}>`, `</${shardsOfTwo}><${shardsOfOne}>${shard}</${shardsOfOne}>`)
  );
}

const profile = read("users.xml");
const settings = Object.fromEntries(
  ["distributed_product_mode", "optimize_skip_unused_shards"].map((name) => [
    name,
    new RegExp(`<${name}>(\\w+)<`, "u").exec(profile)?.[1] ?? "",
  ]),
);

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: RunningClickhouse;
let plain: ClickHouseClient;
/** What was sent, before it was made into what one node without Keeper can do. */
const sent: string[] = [];

/** A client to one node of a cluster. */
function node(): ClickHouseClient {
  const client = connectClickhouse(server.url, { application: "test" });
  const command = client.command.bind(client);
  const query = client.query.bind(client);
  return Object.assign(client, {
    command: (params: Parameters<typeof command>[0]) => {
      sent.push(params.query);
      const alone = params.query.startsWith("SYSTEM SYNC REPLICA") ? "SELECT 1" : params.query;
      return command({
        ...params,
        query: alone
          .replaceAll(/ON CLUSTER `\w+`/gu, "")
          .replaceAll(/ENGINE = Replicated/gu, "ENGINE = ")
          .replaceAll(
            /\breplicated_(deduplication_window = \d+), \w+ = \d+/gu,
            "non_replicated_$1",
          ),
      });
    },
    query: (params: Parameters<typeof query>[0]) =>
      query({ ...params, clickhouse_settings: { ...settings, ...params.clickhouse_settings } }),
  });
}

const store = (database: string) => ({ clickhouse: node(), database, cluster: database });

beforeAll(async () => {
  directory = await temporaryDirectory();
  const configFile = join(directory.path, "cluster.xml");
  writeFileSync(configFile, configuration());
  server = await startClickhouse({ dataDir: join(directory.path, "engine"), configFile });
  plain = connectClickhouse(server.url, { application: "test" });
  for (const database of [shardsOfOne, shardsOfTwo]) {
    const topology = { kind: "cluster", cluster: database, shardingKeys } as const;
    await migrateClickhouse(node(), { database, directory: clickhouseMigrations, topology });
  }
}, 120_000);
afterAll(async () => {
  await plain.close();
  await server.stop();
  await directory.remove();
});

async function rowsOf(query: string): Promise<Record<string, unknown>[]> {
  const result = await node().query({ query, format: "JSONEachRow" });
  return await result.json<Record<string, unknown>>();
}

const countOf = async (table: string): Promise<number> =>
  z.coerce.number().parse((await rowsOf(`SELECT count() AS n FROM ${table}`))[0]?.["n"]);

const visitorId = randomUUID();

async function visit(database: string, token: string, pages: readonly string[]): Promise<void> {
  const sessionId = randomUUID();
  const rows = pages.map((page) =>
    eventRow({ visitor_id: visitorId, session_id: sessionId, page, entry_page: pages[0] }),
  );
  const lines = rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`));
  const { clickhouse } = store(database);
  const signal = AbortSignal.timeout(20_000);
  const insert = { table: "events_in", segment: randomUUID(), token, lines };
  for (const _again of [1, 2]) await insertLines({ clickhouse, database, signal }, insert);
}

it("the parser understands every statement of the migrations as a cluster gets it", async () => {
  const statements = sent.filter((text) => text.includes(`ON CLUSTER \`${shardsOfTwo}\``));
  expect(statements.length).toBeGreaterThan(100);
  for (const text of statements) {
    const result = await plain.query({
      query: "SELECT formatQuerySingleLine({text:String}) AS formatted",
      query_params: { text },
      format: "JSONEachRow",
    });
    const [row] = await result.json<{ formatted: string }>();
    expect(row?.formatted).toContain(`ON CLUSTER ${shardsOfTwo}`);
  }
});

it("every table of one server is a Distributed table over a stored one, and views are the same", async () => {
  const tables = await rowsOf(
    `SELECT name, engine FROM system.tables WHERE database = '${shardsOfTwo}' ORDER BY name`,
  );
  const named = (pattern: RegExp): string[] =>
    tables.filter(({ engine }) => pattern.test(String(engine))).map(({ name }) => String(name));
  const distributed = named(/^Distributed$/u);
  expect(distributed).toEqual(Object.keys(shardingKeys).toSorted());
  expect(named(/MergeTree$|^Null$/u)).toEqual(
    distributed.map((name) => `${name}_local`).toSorted(),
  );
  expect(named(/^View$/u)).toContain("analyst_sessions");
});

it("a segment that is sent twice is stored once, whole sessions on the visitor's shard", async () => {
  await visit(shardsOfOne, "segment-1", ["/", "/pricing", "/about"]);
  expect(await countOf(`${shardsOfOne}.events`)).toBe(3);
  expect(await countOf(`${shardsOfOne}.events_local`)).toBe(3);
  expect(
    await rowsOf(`SELECT toString(visitor_id) AS visitor, page_views FROM ${shardsOfOne}.sessions`),
  ).toEqual([{ visitor: visitorId, page_views: 3 }]);
  expect(
    await rowsOf(`SELECT page, page_views FROM ${shardsOfOne}.page_views_daily ORDER BY page`),
  ).toEqual(["/", "/about", "/pricing"].map((page) => ({ page, page_views: 1 })));
});

it("every view answers over two shards, for owners, administrators and analysts", async () => {
  await visit(shardsOfTwo, "segment-1", ["/"]);
  const views = await rowsOf(
    `SELECT name, create_table_query AS text FROM system.tables
      WHERE database = '${shardsOfTwo}' AND engine = 'View'`,
  );
  expect(views.length).toBeGreaterThan(30);
  const uuid = randomUUID();
  for (const { name, text } of views) {
    const types = new Map(
      [...String(text).matchAll(/\{(\w+):([^}]+)\}/gu)].map(([, parameter = "", type = ""]) => [
        parameter,
        type,
      ]),
    );
    const given = [...types].map(([parameter, type]) => `${parameter} = {${parameter}:${type}}`);
    const source = given.length === 0 ? String(name) : `${String(name)}(${given.join(", ")})`;
    const result = await node().query({
      query: `SELECT count() AS rows FROM ${shardsOfTwo}.${source}`,
      query_params: {
        accounts: [uuid],
        account: uuid,
        links: [uuid],
        from: "2026-01-01 00:00:00",
        until: "2026-02-01 00:00:00",
        first: "2026-01-01",
        last: "2026-02-01",
        country: "",
        device: "",
        source: "",
        _pseudonym_key: "key",
        day: "2026-01-01",
      },
      format: "JSONEachRow",
    });
    expect(await result.json()).toHaveLength(1);
  }
});

it("an erasure deletes on every shard what the visitor alone brought, and a search finds what is left", async () => {
  await visit(shardsOfOne, "segment-2", [`/only-${visitorId.slice(0, 8)}`]);
  const one = store(shardsOfOne);
  const traces = { values: [], ids: [visitorId] };
  const [before] = await searchClickhouse(one, [traces]);
  expect(before).toMatchObject({ decoy: true });
  expect(before?.hits).toBeGreaterThan(0);
  const today = new Date().toISOString().slice(0, 10);
  const range = { from: "2020-01-01", to: today };
  expect(await storeDays(one, range)).toBeGreaterThan(0);
  expect(await storeDays(one, range)).toBe(0);
  const daysStored = `SELECT uniq(visitor_id) AS n FROM ${shardsOfOne}.stored_page_views`;
  expect(await rowsOf(daysStored)).toEqual([{ n: 1 }]);
  const counted = `SELECT sum(visitors) AS n FROM ${shardsOfOne}.stored_visitors WHERE property = 'page' AND is_all = 1`;
  expect(await rowsOf(counted)).toEqual([{ n: 1 }]);
  const words = await ownWordsOf(store(shardsOfTwo), [visitorId]);
  expect(words.get("page_views_agg")?.flat()).toContain("/");
  for (const table of ["events", "sessions_agg"]) {
    const condition = "visitor_id IN {ids:Array(UUID)}";
    await deleteWhere(one, table, { condition, params: { ids: [visitorId] } });
  }
  await dropDaysOf(one, [visitorId]);
  expect(await rowsOf(daysStored)).toEqual([{ n: 0 }]);
  expect(await rowsOf(counted)).toEqual([{ n: 0 }]);
  expect(sent.find((text) => /^ALTER TABLE .* DELETE WHERE/u.test(text))).toContain(
    "ALTER TABLE `one`.`events_local` ON CLUSTER `one` DELETE",
  );
  const [after] = await searchClickhouse(one, [traces]);
  expect(after).toMatchObject({ decoy: true, hits: 0 });
});
