import { randomUUID } from "node:crypto";

import { visitorDataCalls } from "@pro-talent/schemas/analytics/erasure-calls";
import { VisitorId } from "@pro-talent/schemas/primitives/ids";
import Fastify from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { subjectTables, sweepErasures } from "./erase/erase-rows.ts";
import { Erasures, pruneErasures } from "./erase/erasures.ts";
import { createPseudonyms, createReaderKeys, visitorOfLink } from "./session/identity.ts";
import { createStores, startShipping, type Stores } from "./ship/testing/shipping-under-test.ts";
import { eventRecord, openRecord } from "./spool/testing/rows.ts";
import { addVisitorData } from "./visitor-data.ts";

const minuteMs = 60_000;
const pseudonymise = createPseudonyms(Buffer.alloc(32, 3));
const readerKeyOf = createReaderKeys(Buffer.alloc(32, 4));

let stores: Stores;
let shipping: Awaited<ReturnType<typeof startShipping>>;
let now: number;
let erasures: Erasures;

beforeAll(async () => {
  stores = await createStores();
  shipping = await startShipping(stores);
});
afterAll(async () => {
  await shipping.stop();
  await stores.drop();
});
beforeEach(async () => {
  now = Date.UTC(2026, 2, 1, 9);
  erasures = new Erasures(stores.sql, () => now);
  await stores.sql`delete from collector.erasure`;
  await stores.sql`delete from collector.instance`;
});

const newVisitor = () => VisitorId.parse(randomUUID());
const visit = (visitor: string, views = 3): Promise<void> =>
  shipping.store(Array.from({ length: views }, () => eventRecord({ visitor_id: visitor })));
/** An open of a link by a visitor who consented. */
const openBy = (visitor: VisitorId, link: string) =>
  openRecord(randomUUID(), {
    link_id: link,
    visitor_id: visitorOfLink(readerKeyOf(visitor), link),
  });
const rowsOf = async (visitor: string): Promise<number> => {
  const tables = subjectTables.visitor.tables.map((table) =>
    stores.count(`SELECT count() FROM {db}.${table} WHERE visitor_id = '${visitor}'`),
  );
  return (await Promise.all(tables)).reduce((sum, rows) => sum + rows, 0);
};
/** Every byte of what is stored of a visitor. */
const contentOf = async (visitor: string): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      subjectTables.visitor.tables.map((table) =>
        stores.rows(`SELECT * FROM {db}.${table} WHERE visitor_id = '${visitor}' ORDER BY ALL`),
      ),
    ),
  );
const sweep = () =>
  sweepErasures(
    { clickhouse: stores.clickhouse.client, database: stores.clickhouse.database, visitorOfLink },
    erasures,
  );
async function request(visitor: VisitorId): Promise<string> {
  const erasureId = randomUUID();
  await erasures.request(erasureId, { kind: "visitor", id: visitor }, readerKeyOf);
  return erasureId;
}
describe("the erasure of a visitor", () => {
  it("deletes every row, and leaves another visitor as they are to the byte", async () => {
    const [dana, control] = [newVisitor(), newVisitor()];
    await visit(dana);
    await visit(control);
    const before = await contentOf(control);
    const erasureId = await request(dana);
    expect(await rowsOf(dana)).toBeGreaterThan(3);
    expect(await sweep()).toEqual({ done: 1, waiting: 0 });
    expect(await rowsOf(dana)).toBe(0);
    expect(await contentOf(control)).toBe(before);
    const status = await erasures.status(erasureId);
    expect(status).toMatchObject({ status: "erased", rows: 6 });
    const [row] = await stores.sql<object[]>`select subject_id from collector.erasure`;
    expect(JSON.stringify(row)).not.toContain(dana);
  });

  it("takes words out of the aggregates that no one else brought, and leaves those of others", async () => {
    const [dana, other] = [newVisitor(), newVisitor()];
    const words = { utm_campaign: "for-dana-מכתב", page: "/for-dana" };
    const shared = { utm_source: "linkedin.com", page: "/pricing" };
    await shipping.store([
      eventRecord({ visitor_id: dana, ...words }),
      ...[dana, other].map((visitor) => eventRecord({ visitor_id: visitor, ...shared })),
    ]);
    const stored = async () =>
      JSON.stringify([
        await stores.rows("SELECT utm_source, utm_campaign, page_views FROM {db}.referrers_agg"),
        await stores.rows("SELECT page, page_views FROM {db}.page_views_agg"),
      ]);
    const before = await stored();
    for (const word of Object.values(words)) expect(before).toContain(word);
    await request(dana);
    expect(await sweep()).toEqual({ done: 1, waiting: 0 });
    const after = await stored();
    for (const word of Object.values(words)) expect(after).not.toContain(word);
    for (const word of Object.values(shared)) expect(after).toContain(word);
  });

  it("is not done before every instance has shipped what it took before the request", async () => {
    const [dana, slow, ended] = [newVisitor(), randomUUID(), randomUUID()];
    for (const instance of [slow, ended]) await erasures.register(instance);
    await visit(dana);
    const erasureId = await request(dana);
    expect(await sweep()).toEqual({ done: 0, waiting: 1 });
    expect(await rowsOf(dana)).toBe(6);
    // An instance is away for long: what is there is deleted meanwhile.
    now += minuteMs;
    expect(await sweep()).toEqual({ done: 0, waiting: 1 });
    expect(await erasures.status(erasureId)).toMatchObject({ status: "scheduled", rows: 6 });
    // A record that was acknowledged before the request, and waited in the spool of the slow instance.
    await visit(dana, 1);
    await erasures.acknowledge(slow, [erasureId]);
    expect(await sweep()).toEqual({ done: 0, waiting: 1 });
    expect(await rowsOf(dana)).toBeGreaterThan(0);
    await erasures.forget(ended);
    expect(await sweep()).toEqual({ done: 1, waiting: 0 });
    expect(await rowsOf(dana)).toBe(0);
    expect(await erasures.status(erasureId)).toMatchObject({ status: "erased", rows: 8 });
  });

  it("may be asked for and worked on many times at once", async () => {
    const visitors = Array.from({ length: 20 }, newVisitor);
    for (const visitor of visitors.slice(0, 5)) await visit(visitor);
    const ids = await Promise.all(
      visitors.flatMap((visitor) => [request(visitor), request(visitor)]),
    );
    await Promise.all([sweep(), sweep(), sweep()]);
    await sweep();
    for (const visitor of visitors) expect(await rowsOf(visitor)).toBe(0);
    for (const id of ids) expect((await erasures.status(id))?.status).toBe("erased");
  });

  it("is forgotten ninety days after it was done, and not before", async () => {
    const id = await request(newVisitor());
    await sweep();
    now += 89 * 24 * 60 * minuteMs;
    await pruneErasures(stores.sql, now);
    expect(await erasures.status(id)).toBeDefined();
    now += 2 * 24 * 60 * minuteMs;
    await pruneErasures(stores.sql, now);
    expect(await erasures.status(id)).toBeUndefined();
  });
});

it("every table that names a visitor or an account is erased", async () => {
  const named = await stores.rows(`
    SELECT DISTINCT concat(c.table, '.', c.name) AS name FROM system.columns c
      JOIN system.tables t ON t.database = c.database AND t.name = c.table
     WHERE c.database = '{db}' AND c.name IN ('visitor_id', 'account_id') AND t.engine LIKE '%MergeTree'`);
  const known = Object.values(subjectTables).flatMap(({ column, tables }) =>
    tables.map((table) => `${table}.${column}`),
  );
  // Of a link's opens it is of that link alone: with consent it is found by the visitor's key.
  const ofLinks = "link_opens.visitor_id";
  // Days that are over are dropped: store-days.int.test.ts.
  const ofDays = ["stored_sessions", "stored_page_views"].flatMap((table) =>
    [table, `${table}_next`].map((name) => `${name}.visitor_id`),
  );
  expect(new Set(named.map(({ name }) => name))).toEqual(new Set([...known, ofLinks, ...ofDays]));
});

describe("a visitor without an account", () => {
  const anonymousId = "1795428682069-4243a15dd63bb97e8a3eb589";
  const decisions: object[] = [];
  const server = async () => {
    const app = Fastify();
    addVisitorData(app, {
      clickhouse: stores.clickhouse.client,
      database: stores.clickhouse.database,
      erasures,
      pseudonymise,
      readerKeyOf,
      clock: () => now,
      ledger: {
        decide: async (decision) => {
          decisions.push(decision);
          return { recorded: true, receiptId: null, state: "withdrawn" };
        },
      },
    });
    await app.ready();
    return app;
  };

  it("sees what is stored under their anonymous id, erases it, and sees that it is gone", async () => {
    const app = await server();
    await visit(pseudonymise(anonymousId), 2);
    await visit(newVisitor());
    const links = [randomUUID(), randomUUID()];
    for (const visitor of [pseudonymise(anonymousId), newVisitor()])
      await shipping.store(links.map((link) => openBy(visitor, link)));
    const [data, erasure] = ["data", "erasure"].map((name) => `/api/analytics/visitor/${name}`);
    const { answer } = visitorDataCalls["POST /api/analytics/visitor/data"];
    const stored = async () =>
      answer.parse(
        (await app.inject({ method: "POST", url: data ?? "", payload: { anonymousId } })).json(),
      );
    const seen = await stored();
    expect(seen).toMatchObject({ visits: 2, eventsStored: 2 });
    expect(seen.events.map(({ page, country }) => [page, country])).toEqual([
      ["/", "IL"],
      ["/", "IL"],
    ]);
    expect(seen.opens).toHaveLength(2);
    expect(JSON.stringify(seen)).not.toContain(pseudonymise(anonymousId));
    const asked = await app.inject({
      method: "POST",
      url: erasure ?? "",
      payload: { anonymousId },
    });
    expect(asked.statusCode).toBe(202);
    const visitorId = pseudonymise(anonymousId);
    expect(decisions).toMatchObject([{ visitorId, purpose: "analytics", decision: "refuse" }]);
    await sweep();
    const { erasureId } = asked.json<{ erasureId: string }>();
    const status = await app.inject({ method: "GET", url: `${erasure}/${erasureId}` });
    expect(status.json()).toMatchObject({ status: "erased", rows: 6 });
    const opens = `FROM {db}.link_opens WHERE link_id IN ('${links.join("', '")}')`;
    expect(await stores.count(`SELECT count() ${opens}`)).toBe(2);
    expect(await stored()).toEqual({
      visits: 0,
      events: [],
      eventsStored: 0,
      opens: [],
      firstAt: null,
      lastAt: null,
    });
    await app.close();
  });
});
