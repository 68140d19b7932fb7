import { once as onceOf } from "node:events";
import { copyFile } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import type { Socket } from "node:net";
import { basename, join } from "node:path";

import { until } from "@pro-talent/platform/testing/until";
import { v7 as uuidV7 } from "uuid";
import { describe, expect, it } from "vitest";

import { counterRecord, eventRecord, eventRow } from "../spool/testing/rows.ts";
import { deliver } from "./deliver.ts";
import { insertLines } from "./store.ts";
import { eventsHead, lineFor, markLine, partitionsOf } from "./tables.ts";
import { storedTables } from "./testing/shipping-under-test.ts";
import { once, pageViews, useShipping } from "./testing/use-shipping.ts";

const shipping = useShipping();

describe("a closed segment", () => {
  it("is stored in every table, with its aggregates, and then removed", async () => {
    const running = await shipping.start();
    await running.store([...pageViews(20), counterRecord({ count: 3 }), counterRecord()]);
    expect(await shipping.figures()).toEqual(once(20, 4));
    expect(await running.files()).toEqual([]);
    expect(running.spool.bytes()).toBe(0);
    expect(running.shipper.backlog()).toEqual({ segments: 0, bytes: 0, oldestMs: 0 });
  });

  it("arrives in ClickHouse as the row that was spooled, to the millisecond and the last character", async () => {
    const record = eventRecord({
      page_title: 'שלום "עולם" \\ \n 🎉',
      occurred_at: "2026-03-01T08:00:00.123Z",
      click_x: -5,
      bot_reasons: ["headless", "no_languages"],
      event_data: '{"a":{"b":[1,2]}}',
      not_found: 1,
      page_language: "he",
      browser_language: "he-IL",
    });
    await (await shipping.start()).store([record]);
    const [stored] = await shipping
      .stores()
      .rows(`SELECT * FROM {db}.events SETTINGS date_time_output_format = 'iso'`);
    expect(stored).toEqual(record.row);
  });

  it("shipped again and again after a crash is stored once", async () => {
    const [path = ""] = await shipping.unshipped([
      ...pageViews(30),
      ...pageViews(5, true),
      counterRecord(),
    ]);
    const copy = join(shipping.directory(), "copy");
    await copyFile(path, copy);
    for (let time = 0; time < 3; time += 1) {
      await copyFile(copy, path);
      const running = await shipping.start();
      expect(await running.shipper.drain(20_000)).toBe(true);
      await running.stop();
    }
    expect(await shipping.figures()).toEqual(once(35, 1));
  });

  it("that an insert of a killed collector shows only when it ends is not sent under another token", async () => {
    const { clickhouse } = shipping.stores();
    const { client, database } = clickhouse;
    const rows = Array.from({ length: 5 }, () => eventRow()).map((row) => ({
      eventId: row.event_id,
      occurredDay: row.occurred_at.slice(0, 10),
      sessionDay: row.session_started_at.slice(0, 10),
      line: Buffer.from(`${JSON.stringify(row)}\n`),
    }));
    const segment = uuidV7();
    const day = new Date().toISOString().slice(0, 10);
    const about = { segment, day, head: eventsHead, rows };
    const signal = AbortSignal.timeout(20_000);
    await deliver({ clickhouse: client, database, signal }, { ...about, inDoubt: false });
    // The engine has the token; the rows are not seen before the insert has ended, which is asked for.
    let hasEnded = false;
    const query: typeof client.query = async (asked) => {
      hasEnded ||= asked.query.includes("system.processes");
      const hides = asked.query.startsWith("SELECT 0 AS i") && !hasEnded;
      return await client.query(hides ? { ...asked, query: "SELECT 0 AS i WHERE 0" } : asked);
    };
    const hiding = Object.assign(Object.create(client), { query });
    const again = await deliver(
      { clickhouse: hiding, database, signal },
      { ...about, inDoubt: true },
    );
    expect(again).toEqual({ refused: [], repaired: 0 });
    expect(await shipping.figures()).toEqual(once(5, 0));
  });

  it("across the end of a month is stored once in both partitions", async () => {
    const [path = ""] = await shipping.unshipped([
      eventRecord({ occurred_at: "2026-02-28T23:59:59.999Z" }),
      eventRecord({ occurred_at: "2026-03-01T00:00:00.000Z" }),
      eventRecord({
        occurred_at: "2026-03-01T00:10:00.000Z",
        session_started_at: "2026-02-28T23:50:00.000Z",
      }),
    ]);
    const copy = join(shipping.directory(), "copy");
    await copyFile(path, copy);
    for (let time = 0; time < 2; time += 1) {
      await copyFile(copy, path);
      const running = await shipping.start();
      expect(await running.shipper.drain(20_000)).toBe(true);
      await running.stop();
    }
    expect(await shipping.figures()).toEqual(once(3, 0));
  });

  it.each(storedTables)(
    "whose part in %s a crash of ClickHouse lost after the token was written is stored again",
    async (table) => {
      const [path = ""] = await shipping.unshipped([...pageViews(7), counterRecord()]);
      const copy = join(shipping.directory(), "copy");
      await copyFile(path, copy);
      const first = await shipping.start();
      expect(await first.shipper.drain(20_000)).toBe(true);
      await first.stop();
      // A mutation deletes the rows and keeps the token, like a kill between token and part.
      await shipping.stores().clickhouse.client.command({
        query: `ALTER TABLE ${shipping.stores().clickhouse.database}.${table} DELETE WHERE 1
                SETTINGS mutations_sync = 2`,
      });
      expect(await shipping.figures()).not.toEqual(once(7, 1));
      await copyFile(copy, path);
      const second = await shipping.start();
      expect(await second.shipper.drain(20_000)).toBe(true);
      expect(await second.metric("collector_repaired_parts_total")).toBe(1);
      expect(await shipping.figures()).toEqual(once(7, 1));
    },
  );
});

describe("a segment of which a stopped server kept a part without its token", () => {
  it.each(eventsHead.tables)("in $name is stored once", async (table) => {
    const now = "2026-03-02T08:00:00.000Z";
    const records = Array.from({ length: 7 }, () =>
      eventRecord({ occurred_at: now, session_started_at: now }),
    );
    const [path = ""] = await shipping.unshipped(records);
    const day = now.slice(0, 10);
    const [partition = ""] = partitionsOf([table], [{ occurredDay: day, sessionDay: day }]);
    const mark = markLine(eventsHead, basename(path).slice(0, 36), partition, day);
    const rows = records.map(({ row }) => Buffer.from(`${JSON.stringify(row)}\n`));
    const { client, database } = shipping.stores().clickhouse;
    const kept = { segment: "kept", token: "another", table: eventsHead.name };
    const lines = [...rows, mark].map((line) => lineFor(table.name, line));
    const { signal } = new AbortController();
    await insertLines({ clickhouse: client, database, signal }, { ...kept, lines });
    const running = await shipping.start();
    expect(await running.shipper.drain(20_000)).toBe(true);
    expect(await shipping.figures()).toEqual(once(7, 0));
  });
});

describe("a segment whose counters meet a stopped server, after its events were stored", () => {
  it("has its events once, although the server took no token of them", async () => {
    const { client, database, url } = shipping.stores().clickhouse;
    const proxy = await startStoppingProxy(url);
    const running = await shipping.start({ clickhouseUrl: proxy.url });
    await running.spool.append([...pageViews(7), counterRecord()]);
    await running.spool.rotate();
    await until(
      "the counters are refused",
      async () => (await running.metric("collector_ship_failures_total")) > 0,
    );
    const window = "MODIFY SETTING non_replicated_deduplication_window";
    for (const size of [0, 10_000])
      await client.command({ query: `ALTER TABLE ${database}.events ${window} = ${size}` });
    await proxy.goOn();
    expect(await running.shipper.drain(20_000)).toBe(true);
    expect(await shipping.figures()).toEqual(once(7, 1));
    await running.stop();
    await proxy.close();
  });
});

/** Passes on one request, then refuses connections until `goOn`. */
async function startStoppingProxy(target: string) {
  const sockets = new Set<Socket>();
  let isFirst = true;
  const server = createServer((request, response) => {
    const passedOn = forward(
      new URL(request.url ?? "/", target),
      { method: request.method, headers: { ...request.headers, host: new URL(target).host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, { ...answer.headers, connection: "close" });
        // Refused from before the answer is complete, so that no next request comes through.
        if (isFirst) server.close();
        isFirst = false;
        answer.pipe(response);
      },
    );
    request.pipe(passedOn);
  });
  server.on("connection", (socket) => sockets.add(socket));
  const listen = (port: number) => onceOf(server.listen(port, "127.0.0.1"), "listening");
  await listen(0);
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const url = new URL(target);
  url.port = String(port);
  return {
    url: url.toString(),
    goOn: () => listen(port),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe("stopping and waiting", () => {
  it("drains to the deadline only, keeps what is left, and the next process ships it", async () => {
    const cut = await shipping.start({ clickhouseUrl: "http://127.0.0.1:9" });
    await cut.spool.append(pageViews(5));
    await cut.spool.rotate();
    expect(await cut.shipper.drain(100)).toBe(false);
    expect(cut.shipper.backlog()).toMatchObject({ segments: 1 });
    await cut.stop();
    expect(await cut.files()).toHaveLength(1);
    const next = await shipping.start();
    expect(await next.shipper.drain(20_000)).toBe(true);
    expect(await shipping.figures()).toEqual(once(5, 0));
  });

  it("is unhealthy only after half a minute without success", async () => {
    const cut = await shipping.start({ clickhouseUrl: "http://127.0.0.1:9" });
    await cut.spool.append(pageViews(1));
    await cut.spool.rotate();
    await until(
      "a failed attempt",
      async () => (await cut.metric("collector_ship_failures_total")) > 0,
    );
    expect(cut.shipper.healthy()).toBe(true);
  });
});
