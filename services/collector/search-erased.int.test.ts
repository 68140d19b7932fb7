import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { spellingsOf } from "@pro-talent/platform/search/spellings";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Erasures } from "./erase/erasures.ts";
import { searchClickhouse } from "./search-clickhouse.ts";
import { searchOfCollector, searchSpool } from "./search-erased.ts";
import {
  createStores,
  silent,
  startShipping,
  type Stores,
} from "./ship/testing/shipping-under-test.ts";
import { eventRecord, openRecord } from "./spool/testing/rows.ts";

let stores: Stores;
let shipping: Awaited<ReturnType<typeof startShipping>>;
const instanceId = randomUUID();

beforeAll(async () => {
  stores = await createStores();
  shipping = await startShipping(stores);
});
afterAll(async () => {
  await shipping.stop();
  await stores.drop();
});

const searched = () => ({
  clickhouse: stores.clickhouse.client,
  database: stores.clickhouse.database,
  sql: stores.sql,
  directory: shipping.directory,
  instanceId,
  keepsIds: new Set<string>(),
});
/** What each search finds, all of them in one pass. */
const inClickhouse = (...searches: readonly Partial<Traces>[]) =>
  searchClickhouse(
    searched(),
    searches.map((traces) => ({ values: [], ids: [], ...traces })),
  );

describe("the search of ClickHouse", () => {
  const email = "Dana.Levi+jobs@Example.com";

  it("finds a value in every spelling, in texts of every kind", async () => {
    const control = `control-${randomUUID()}@example.com`;
    const values = [email, "דנה לוי־כהן"];
    // Values of its own for each: what is stored for one must not be found for another.
    const stored = values.map((value) =>
      spellingsOf(value).flatMap((spelling, place) => [
        eventRecord({ event_data: JSON.stringify({ spelling }), page: `/p${place}` }),
        eventRecord({ page: `/u/${spelling}`, page_title: "A page" }),
        eventRecord({ bot_reasons: ["x", spelling] }),
      ]),
    );
    await shipping.store([...stored.flat(), eventRecord({ event_data: control })]);
    const others = values.map((value) => value.replace("a", "o").replace("ד", "כ"));
    const found = await inClickhouse(
      ...[...values, ...others, control].map((value) => ({ values: [value] })),
    );
    for (const [place, records] of stored.entries()) {
      // Pages are in the aggregates too.
      expect(found[place]?.decoy).toBe(true);
      expect(found[place]?.hits).toBeGreaterThanOrEqual(records.length);
    }
    expect(found.slice(values.length).map(({ hits }) => hits)).toEqual([0, 0, 1]);
  });

  it("finds an account by its id, and no other, and leaves no planted row", async () => {
    const [account, link] = [randomUUID(), randomUUID()];
    await shipping.store([
      openRecord(randomUUID(), { account_id: account, link_id: link }),
      openRecord(randomUUID(), { account_id: randomUUID() }),
    ]);
    const before = await stores.count("SELECT count() FROM {db}.events");
    const ids = [[account], [link], [randomUUID()]];
    const found = await inClickhouse(...ids.map((one) => ({ ids: one })));
    expect(found.map(({ hits, decoy }) => [hits, decoy])).toEqual([
      [1, true],
      [1, true],
      [0, true],
    ]);
    // No planted row is left.
    expect(await stores.count("SELECT count() FROM {db}.events")).toBe(before);
    expect(
      await stores.count("SELECT count() FROM {db}.events WHERE occurred_at > now() + 86400"),
    ).toBe(0);
  });
});

describe("the search of the spool", () => {
  const inSpool = async (value: string) =>
    (await searchSpool(searched(), [{ values: [value], ids: [] }]))[0];

  it("finds what waits, and what is in quarantine", async () => {
    const [waiting, refused] = [randomUUID(), randomUUID()].map((id) => `${id}@example.com`);
    await shipping.spool.append([eventRecord({ event_data: JSON.stringify({ waiting }) })]);
    await mkdir(join(shipping.directory, "quarantine"), { recursive: true });
    await writeFile(
      join(shipping.directory, "quarantine", "1.events_in.ndjson"),
      `{"x":"${refused}"}\n`,
    );
    expect(await inSpool(waiting ?? "")).toMatchObject({ hits: 1, decoy: true });
    expect(await inSpool(refused ?? "")).toMatchObject({ hits: 1, decoy: true });
    expect(await inSpool("unknown@example.com")).toMatchObject({ hits: 0, decoy: true });
  });

  it("is unknown while another instance has something in quarantine, which it cannot read", async () => {
    const search = searchOfCollector(searched(), silent);
    const traces = { values: ["unknown@example.com"], ids: [] };
    await new Erasures(stores.sql, Date.now).register(randomUUID(), 1);
    const decoys = async () =>
      Object.fromEntries((await search(traces)).map(({ store, decoy }) => [store, decoy]));
    expect(await decoys()).toEqual({ spool: false, clickhouse: true, "analytics-postgres": true });
    await stores.sql`delete from collector.instance`;
    expect(await decoys()).toEqual({ spool: true, clickhouse: true, "analytics-postgres": true });
  });
});

it("a ClickHouse that does not answer is unknown", async () => {
  const away = connectClickhouse("http://127.0.0.1:9", {
    application: "test",
    requestTimeoutMs: 500,
  });
  const search = searchOfCollector({ ...searched(), clickhouse: away }, silent);
  const found = await search({ values: ["unknown@example.com"], ids: [] });
  expect(found.find(({ store }) => store === "clickhouse")).toMatchObject({
    decoy: false,
    hits: 0,
  });
  await away.close();
});
