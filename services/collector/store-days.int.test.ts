import { randomUUID } from "node:crypto";

import { VisitorId } from "@pro-talent/schemas/primitives/ids";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { sweepErasures } from "./erase/erase-rows.ts";
import { Erasures } from "./erase/erasures.ts";
import { createReaderKeys, visitorOfLink } from "./session/identity.ts";
import { createStores, startShipping, type Stores } from "./ship/testing/shipping-under-test.ts";
import { eventRecord } from "./spool/testing/rows.ts";
import { storeDays } from "./store-days.ts";

let stores: Stores;
let shipping: Awaited<ReturnType<typeof startShipping>>;
beforeAll(async () => {
  stores = await createStores();
  shipping = await startShipping(stores);
});
afterAll(async () => {
  await shipping.stop();
  await stores.drop();
});

const march = { from: "2026-03-01", to: "2026-03-31" };
const store = () => ({
  clickhouse: stores.clickhouse.client,
  database: stores.clickhouse.database,
});
const newVisitor = () => VisitorId.parse(randomUUID());

/** A session over midnight, with pauses that make three visits of it, and a page that is seen again. */
async function visit(visitor: VisitorId, day: string, more: object = {}): Promise<void> {
  const session = { visitor_id: visitor, session_id: randomUUID(), ...more };
  const started = `${day}T23:05:00.100Z`;
  const next = new Date(Date.parse(started) + 90 * 60_000).toISOString();
  const seen = [
    ["/", started],
    ["/pricing", `${day}T23:10:00.000Z`],
    ["/pricing", `${day}T23:10:30.000Z`],
    ["/join", `${day}T23:59:00.000Z`],
    ["/", next],
  ] as const;
  await shipping.store(
    seen.map(([page, occurred_at]) =>
      eventRecord({ ...session, session_started_at: started, occurred_at, page }),
    ),
  );
}

/** What questions read: every column, of all visitors or of one. */
const read = async (visitor?: VisitorId): Promise<string> => {
  const where = visitor === undefined ? "" : `WHERE visitor_id = '${visitor}'`;
  const of = (view: string) => stores.rows(`SELECT * FROM {db}.${view} ${where} ORDER BY ALL`);
  return JSON.stringify([await of("sessions_by_day"), await of("page_views_by_day")]);
};
const visits = async (visitor?: VisitorId): Promise<number> =>
  z.tuple([z.array(z.unknown()), z.array(z.unknown())]).parse(JSON.parse(await read(visitor)))[0]
    .length;
const storedDays = () => stores.rows("SELECT DISTINCT day FROM {db}.stored_sessions ORDER BY day");
const beingStored = () =>
  stores.count(
    "SELECT (SELECT count() FROM {db}.stored_sessions_next) + (SELECT count() FROM {db}.stored_page_views_next)",
  );

it("questions read the same whether a day is stored or not, and what came after it was stored", async () => {
  const [dana, other] = [newVisitor(), newVisitor()];
  await visit(dana, "2026-03-03", { channel: "search" });
  await visit(other, "2026-03-04", { is_bot: 1 });
  const computed = await read();
  expect(JSON.stringify(await stores.rows("SELECT path FROM {db}.page_views_by_day"))).toContain(
    "/ → /pricing",
  );
  // Sessions of two days; page views of three, as both visits go over midnight; and the visitors of two.
  expect(await storeDays(store(), march)).toBe(7);
  expect(await storedDays()).toEqual([{ day: "2026-03-03" }, { day: "2026-03-04" }]);
  expect(await read()).toBe(computed);
  expect(await storeDays(store(), march)).toBe(0);
  expect(await beingStored()).toBe(0);

  const before = await visits();
  await visit(dana, "2026-03-03");
  expect(await visits()).toBe(before);
  expect(await storeDays(store(), march)).toBe(5);
  expect(await visits()).toBe(before + 3);
  // A day that is not stored is read as it is now.
  await visit(other, "2026-03-06");
  expect(await visits()).toBe(before + 6);
});

it("an erasure leaves no stored row of the visitor, and others as they are, also one amid the storing of a day", async () => {
  const [dana, control] = [newVisitor(), newVisitor()];
  const erase = async () => {
    const erasures = new Erasures(stores.sql, Date.now);
    const readerKeyOf = createReaderKeys(Buffer.alloc(32, 4));
    await erasures.request(randomUUID(), { kind: "visitor", id: dana }, readerKeyOf);
    await sweepErasures({ ...store(), visitorOfLink }, erasures);
  };
  await visit(dana, "2026-03-10");
  await visit(control, "2026-03-10");
  const before = await read(control);
  await storeDays(store(), march);
  expect(await read(dana)).not.toBe("[[],[]]");
  await erase();
  expect(await read(dana)).toBe("[[],[]]");
  expect(await read(control)).toBe(before);

  await visit(dana, "2026-03-10");
  const { client } = stores.clickhouse;
  const command: typeof client.command = async (params) => {
    if (params.query.includes("REPLACE PARTITION '2026-03-10'")) await erase();
    return await client.command(params);
  };
  const erasing = { query: client.query.bind(client), command };
  await storeDays({ ...store(), clickhouse: erasing }, march);
  expect(await read(dana)).toBe("[[],[]]");
  await storeDays(store(), march);
  expect(await read(dana)).toBe("[[],[]]");
  expect(await read(control)).toBe(before);
  expect(await beingStored()).toBe(0);
});
