import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { signingKey } from "@pro-talent/platform/crypto/signed-text";
import { openSignedLog } from "@pro-talent/platform/files/signed-log";
import { VisitorId } from "@pro-talent/schemas/primitives/ids";
import {
  erasureJournalPurpose,
  JournalledErasure,
} from "@pro-talent/schemas/privacy/erasure-journal";
import { afterAll, beforeAll, expect, it } from "vitest";

import { Erasures } from "./erase/erasures.ts";
import { eraseRestoredOpens, withoutErased } from "./erase/restored.ts";
import { createReaderKeys, visitorOfLink } from "./session/identity.ts";
import { createStores, startShipping, type Stores } from "./ship/testing/shipping-under-test.ts";
import type { ClosedSegment } from "./spool/segment.ts";
import { eventRecord, openRecord } from "./spool/testing/rows.ts";

const readerKeyOf = createReaderKeys(Buffer.alloc(32, 4));
const newVisitor = () => VisitorId.parse(randomUUID());
const link = randomUUID();
const openBy = (visitor: VisitorId, account: string) =>
  openRecord(randomUUID(), {
    link_id: link,
    account_id: account,
    visitor_id: visitorOfLink(readerKeyOf(visitor), link),
  });

let stores: Stores;
let directory: string;

beforeAll(async () => {
  stores = await createStores();
  directory = await mkdtemp(join(tmpdir(), "restored-"));
});
afterAll(async () => {
  await stores.drop();
  await rm(directory, { recursive: true });
});

it("what a restored spool and store hold of erased visitors and accounts is neither shipped nor kept", async () => {
  const [dana, omar] = [newVisitor(), newVisitor()];
  const [erasedAccount, account] = [randomUUID(), randomUUID()];
  // In the store of the backup: an open by a visitor who consented.
  const before = await startShipping(stores);
  await before.store([openBy(dana, account), openBy(omar, account)]);
  await before.stop();
  // In its spool: visits and opens that were not shipped yet.
  const held: ClosedSegment[] = [];
  const spooling = await startShipping(stores, { onSegment: (segment) => held.push(segment) });
  await spooling.spool.append([
    eventRecord({ visitor_id: dana }),
    eventRecord({ visitor_id: omar }),
    openBy(dana, account),
    openBy(omar, account),
    openBy(omar, erasedAccount),
  ]);
  await spooling.spool.rotate();
  // As a restore records what the journal names.
  await stores.sql`
    insert into collector.erasure (erasure_id, subject_kind, subject_id, requested_at)
    values (${randomUUID()}, 'visitor', ${dana}, now()),
           (${randomUUID()}, 'account', ${erasedAccount}, now())`;

  const erased = await new Erasures(stores.sql, Date.now).unfinished(readerKeyOf);
  const { client, database } = stores.clickhouse;
  await eraseRestoredOpens({ clickhouse: client, database }, erased.restored, visitorOfLink);
  for (const segment of held) {
    spooling.shipper.accept(withoutErased(segment, erased, visitorOfLink));
  }
  expect(await spooling.shipper.drain(20_000)).toBe(true);
  await spooling.stop();

  const visitors = await stores.rows("SELECT toString(visitor_id) AS id FROM {db}.events");
  expect(visitors).toEqual([{ id: omar }]);
  const opens = await stores.rows(
    "SELECT toString(visitor_id) AS id, toString(account_id) AS account FROM {db}.link_opens",
  );
  const ofOmar = { id: visitorOfLink(readerKeyOf(omar), link), account };
  expect(opens).toEqual([ofOmar, ofOmar]);
  // From now on the sweep finds their opens too.
  const [row] = await stores.sql<{ key: Buffer }[]>`
    select reader_key as key from collector.erasure where subject_kind = 'visitor'`;
  expect(row?.key).toEqual(readerKeyOf(dana));
});

it("an erasure of a visitor is in the journal before it is acknowledged, once", async () => {
  const journal = openSignedLog(join(directory, "journal.jsonl"), {
    key: signingKey(randomBytes(32)),
    purpose: erasureJournalPurpose,
    contract: JournalledErasure,
  });
  const erasures = new Erasures(stores.sql, Date.now, journal);
  const [erasureId, id] = [randomUUID(), newVisitor()];
  for (let times = 0; times < 2; times += 1) {
    await erasures.request(erasureId, { kind: "visitor", id }, readerKeyOf);
  }
  await erasures.request(randomUUID(), { kind: "account", id: randomUUID() }, readerKeyOf);
  expect(await journal.read()).toMatchObject([
    { requestId: erasureId, accountId: null, subjectIds: [], visitorIds: [id] },
  ]);
});
