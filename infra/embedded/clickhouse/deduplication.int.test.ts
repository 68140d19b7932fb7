import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import {
  type EngineUnderTest,
  startEngineUnderTest,
  untilSuccess,
} from "./testing/engine-under-test.ts";
import { runTokenInsertDrill } from "./testing/token-insert-drill.ts";

let engine: EngineUnderTest;
beforeAll(async () => void (engine = await startEngineUnderTest()));
afterEach(() => engine.client.command({ query: "DROP DATABASE app SYNC" }));
afterAll(() => engine.close());

async function createTables(): Promise<void> {
  const window = "SETTINGS non_replicated_deduplication_window = 100";
  for (const query of [
    "CREATE DATABASE app",
    `CREATE TABLE app.t (a UInt32) ENGINE = MergeTree ORDER BY a ${window}`,
    `CREATE TABLE app.sums (n UInt64, total UInt64) ENGINE = SummingMergeTree ORDER BY tuple() ${window}`,
    "CREATE MATERIALIZED VIEW app.v TO app.sums AS SELECT count() AS n, sum(a) AS total FROM app.t",
  ]) {
    await engine.client.command({ query });
  }
}

const counts = () =>
  engine.rows("SELECT (SELECT count() FROM app.t) AS raw, (SELECT sum(n) FROM app.sums) AS view");
const values = [{ a: 1 }, { a: 2 }];

describe("an insert with a token", () => {
  it.each(["as a setting of the request", "within the statement"])(
    "is stored once however often it is repeated (%s)",
    async (place) => {
      await createTables();
      const token = "t'1\\";
      for (let time = 0; time < 3; time += 1) {
        if (place === "within the statement") {
          const query =
            'INSERT INTO app.t SETTINGS insert_deduplication_token = \'t\\\'1\\\\\' FORMAT JSONEachRow\n{"a":1}\n{"a":2}';
          await engine.client.command({ query });
        } else {
          await engine.client.insert({
            table: "app.t",
            values,
            format: "JSONEachRow",
            clickhouse_settings: { insert_deduplication_token: token },
          });
        }
      }
      expect(await counts()).toEqual([{ raw: 2, view: 2 }]);
    },
  );

  it("does not swallow the next insert without one", async () => {
    await createTables();
    await engine.client.insert({
      table: "app.t",
      values,
      format: "JSONEachRow",
      clickhouse_settings: { insert_deduplication_token: "t1" },
    });
    await engine.client.insert({ table: "app.t", values: [{ a: 3 }], format: "JSONEachRow" });
    await engine.client.insert({
      table: "app.t",
      values,
      format: "JSONEachRow",
      clickhouse_settings: { insert_deduplication_token: "t2" },
    });
    expect(await counts()).toEqual([{ raw: 5, view: 5 }]);
  });

  it("is still known after the engine was killed", async () => {
    await createTables();
    const insert = () =>
      engine.client.insert({
        table: "app.t",
        values,
        format: "JSONEachRow",
        clickhouse_settings: { insert_deduplication_token: "t1" },
      });
    await insert();
    const pid = engine.clickhouse.pid();
    if (pid === undefined) throw new Error("The engine does not run");
    process.kill(pid, "SIGKILL");
    await untilSuccess(insert);
    expect(await counts()).toEqual([{ raw: 2, view: 2 }]);
  });

  it("is stored exactly once, in the table and in its views, wherever the engine is killed meanwhile", async () => {
    // At each of its moments once.
    const [kills, before] = [7, engine.clickhouse.restarts()];
    const report = await runTokenInsertDrill(engine.clickhouse, engine.client, kills);
    const { expected } = report;
    expect(report.counts).toEqual({
      raw: expected,
      distinct: expected,
      states: expected,
      state_ids: expected,
      sums: expected,
    });
    expect(engine.clickhouse.restarts()).toBe(before + kills);
  }, 120_000);
});
