import { randomUUID } from "node:crypto";

import { until } from "@pro-talent/platform/testing/until";
import { VisitorId } from "@pro-talent/schemas/primitives/ids";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";

import { acknowledgeErasures, UnderWay } from "./acknowledge-erasures.ts";
import { sweepErasures } from "./erase/erase-rows.ts";
import { Erasures } from "./erase/erasures.ts";
import {
  createStores,
  type Shipping,
  silent,
  startShipping,
  type Stores,
} from "./ship/testing/shipping-under-test.ts";
import { eventRecord, openRecord } from "./spool/testing/rows.ts";

let stores: Stores;
let erasures: Erasures;
/** Wrong by years on every instance: no clock decides when an erasure is done. */
const clocks = [() => 0, () => Date.UTC(2099, 0)];
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  stores = await createStores();
});
afterAll(() => stores.drop());
beforeEach(() => {
  erasures = new Erasures(stores.sql, Date.now);
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  await stores.sql`delete from collector.erasure`;
  await stores.sql`delete from collector.instance`;
});

type Instance = { readonly shipping: Shipping; readonly underWay: UnderWay };

/** An instance of the collector; without ClickHouse nothing leaves its spool. */
async function startInstance(
  instanceId: string,
  options: { directory?: string; clickhouseUrl?: string } = {},
): Promise<Instance & { suppressed: Set<string>; kill: () => Promise<void> }> {
  const shipping = await startShipping(stores, options);
  const [underWay, suppressed] = [new UnderWay(), new Set<string>()];
  const clock = clocks[stops.length % clocks.length] ?? Date.now;
  const stop = await acknowledgeErasures({
    erasures: new Erasures(stores.sql, clock),
    instanceId,
    suppressed,
    underWay,
    spool: shipping.spool,
    shipper: shipping.shipper,
    log: silent,
  });
  let running = true;
  const kill = async (): Promise<void> => {
    if (!running) return;
    running = false;
    await shipping.stop();
    await stop();
  };
  stops.push(kill);
  return { shipping, underWay, suppressed, kill };
}

const newVisitor = () => VisitorId.parse(randomUUID());
const rowsOf = (visitor: string) =>
  stores.count(`SELECT count() FROM {db}.events WHERE visitor_id = '${visitor}'`);
async function request(visitor: VisitorId): Promise<string> {
  const erasureId = randomUUID();
  await erasures.request(erasureId, { kind: "visitor", id: visitor }, () => Buffer.alloc(32));
  return erasureId;
}
const sweep = () =>
  sweepErasures(
    {
      clickhouse: stores.clickhouse.client,
      database: stores.clickhouse.database,
      visitorOfLink: () => randomUUID(),
    },
    erasures,
  );
const settled = async (): Promise<boolean> =>
  (await erasures.pending()).every((one) => one.settled);

it("ships what it took before an erasure at once, and then acknowledges it, with any clock", async () => {
  const dana = newVisitor();
  const instances = [await startInstance(randomUUID()), await startInstance(randomUUID())];
  for (const { shipping } of instances)
    await shipping.spool.append([eventRecord({ visitor_id: dana })]);
  const erasureId = await request(dana);
  await until("both have acknowledged", settled);
  expect(await rowsOf(dana)).toBe(2);
  expect(await sweep()).toEqual({ done: 1, waiting: 0 });
  expect(await rowsOf(dana)).toBe(0);
  expect((await erasures.status(erasureId))?.status).toBe("erased");
});

it("waits for a call that was under way, and for its record", async () => {
  const dana = newVisitor();
  const { shipping, underWay } = await startInstance(randomUUID());
  let answer = (): void => undefined;
  const consents = new Promise<void>((resolve) => (answer = resolve));
  const call = underWay.track(
    consents.then(() => shipping.spool.append([eventRecord({ visitor_id: dana })])),
  );
  await request(dana);
  const other = await startInstance(randomUUID());
  await until("the other has acknowledged", async () => {
    const rows = await stores.sql`select from collector.erasure where cardinality(shipped_by) > 0`;
    return rows.length === 1;
  });
  expect(await settled()).toBe(false);
  answer();
  await call;
  await until("both have acknowledged", settled);
  expect(await rowsOf(dana)).toBe(1);
  await other.kill();
});

it("is not acknowledged for a spool whose process has ended, until the next one has shipped it", async () => {
  const [dana, instanceId] = [newVisitor(), randomUUID()];
  const away = await startInstance(instanceId, { clickhouseUrl: "http://127.0.0.1:1" });
  await away.shipping.spool.append([eventRecord({ visitor_id: dana })]);
  await away.kill();
  const other = await startInstance(randomUUID());
  await request(dana);
  await until("the other has acknowledged", async () => {
    const rows = await stores.sql`select from collector.erasure where cardinality(shipped_by) > 0`;
    return rows.length === 1;
  });
  expect(await sweep()).toEqual({ done: 0, waiting: 1 });
  await startInstance(instanceId, { directory: away.shipping.directory });
  await until("both have acknowledged", settled);
  expect(await rowsOf(dana)).toBe(1);
  expect(await sweep()).toEqual({ done: 1, waiting: 0 });
  expect(await rowsOf(dana)).toBe(0);
  await other.kill();
});

it("suppresses an account from the moment it is known, and again after a restart", async () => {
  const [accountId, instanceId] = [randomUUID(), randomUUID()];
  const first = await startInstance(instanceId);
  await first.shipping.spool.append([openRecord(randomUUID(), { account_id: accountId })]);
  const subject = { kind: "account", id: accountId } as const;
  await erasures.request(randomUUID(), subject, () => Buffer.alloc(32));
  await until("it is acknowledged", settled);
  expect(first.suppressed).toContain(accountId);
  expect(await sweep()).toEqual({ done: 1, waiting: 0 });
  const opens = `SELECT count() FROM {db}.link_opens WHERE account_id = '${accountId}'`;
  expect(await stores.count(opens)).toBe(0);
  await first.kill();
  const second = await startInstance(instanceId, { directory: first.shipping.directory });
  expect(second.suppressed).toContain(accountId);
});
