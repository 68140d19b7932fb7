import { until } from "@pro-talent/platform/testing/until";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { claimEvents, pruneClaims } from "./event-claims.ts";
import { createStores, type Stores } from "./testing/shipping-under-test.ts";

let stores: Stores;

beforeAll(async () => {
  stores = await createStores();
});
afterAll(() => stores.drop());

let made = 0;
const newId = (): string => uuidV7({ msecs: Date.UTC(2026, 2, 1) + made++ });
const newIds = (count: number): string[] => Array.from({ length: count }, newId);

/** Claims in a transaction that stays open until `commit`, as of a connection that hangs. */
async function claimSlowly(segment: string, ids: string[]) {
  const { promise: committing, resolve: commit } = Promise.withResolvers<undefined>();
  const { promise: claimed, resolve: onClaimed } = Promise.withResolvers<undefined>();
  const ended = stores.sql.begin(async (tx) => {
    await tx`insert into collector.event_claim (event_id, segment)
      select unnest(${ids}::uuid[]), ${segment}::uuid`;
    onClaimed(undefined);
    await committing;
  });
  await claimed;
  return async (): Promise<void> => {
    commit(undefined);
    await ended;
  };
}

const claimCount = async (): Promise<number> => {
  const [row] = await stores.sql<{ n: number }[]>`
    select count(*)::int as n from collector.event_claim`;
  return row?.n ?? 0;
};

const aClaimWaits = async (): Promise<boolean> => {
  const [row] = await stores.sql<{ waiting: number }[]>`
    select count(*) as waiting from pg_locks where not granted`;
  return (row?.waiting ?? 0) > 0;
};

describe("claims of client-made event ids", () => {
  it("belong to the first segment, and a segment that comes again keeps them", async () => {
    const [first, second] = [newId(), newId()];
    const ids = newIds(2_500);
    expect(await claimEvents(stores.sql, first, ids)).toEqual(new Set());
    expect(await claimEvents(stores.sql, first, ids)).toEqual(new Set());
    expect(await claimEvents(stores.sql, second, [...ids.slice(2_400), ...newIds(3)])).toEqual(
      new Set(ids.slice(2_400)),
    );
  });

  it("are not lost to an earlier attempt of the same segment that is still running", async () => {
    const segment = newId();
    const ids = newIds(3);
    const commit = await claimSlowly(segment, ids);
    const again = claimEvents(stores.sql, segment, ids);
    await until("the second claim waits for the first", aClaimWaits);
    await commit();
    expect(await again).toEqual(new Set());
  });

  it("are lost to another segment that takes them at the same moment", async () => {
    const ids = newIds(3);
    const commit = await claimSlowly(newId(), ids);
    const late = claimEvents(stores.sql, newId(), ids);
    await until("the second claim waits for the first", aClaimWaits);
    await commit();
    expect(await late).toEqual(new Set(ids));
  });

  it("are forgotten after their time, in steps, and only by then", async () => {
    const before = await claimCount();
    const ids = Array.from({ length: 25 }, () => uuidV7());
    await stores.sql`insert into collector.event_claim (event_id, segment, claimed_at)
      select unnest(${ids}::uuid[]), ${uuidV7()}::uuid, now() - interval '49 hours'`;
    expect(await pruneClaims(stores.sql, 48, 10)).toBe(25);
    expect(await claimCount()).toBe(before);
  });

  it("can't be changed by the collector, only made, read and forgotten", async () => {
    await expect(
      stores.sql`update collector.event_claim set claimed_at = now()`,
    ).rejects.toMatchObject({
      code: "42501",
    });
  });
});
