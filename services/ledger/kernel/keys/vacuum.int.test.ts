import { randomUUID } from "node:crypto";

import { asRole } from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";

import { createTestLedger, type TestLedger } from "../../testing/create-test-ledger.ts";
import { rawAppend } from "../../testing/raw-append.ts";
import { openKeeperPool, vacuumRemoved } from "./vacuum.ts";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

async function eraseOne(): Promise<void> {
  const subject = await ledger.subjects.ofOccasion("test.sender", randomUUID(), "noa@example.com");
  const sealed = subject.seal({ text: "kept for now" }).bytes.toString("base64");
  await rawAppend(ledger.owner, {
    stream: `note-${randomUUID()}`,
    type: "NoteWritten",
    sealed,
    keyId: subject.id,
  });
  await ledger.destroyKey(subject.id);
}

/** How often each table was vacuumed; statistics follow some moments later. */
const vacuums = async (): Promise<number[]> => {
  const rows = await ledger.owner<{ n: number }[]>`
    select vacuum_count as n from pg_stat_user_tables
     where schemaname = 'ledger' and relname in ('event', 'subject') order by relname`;
  return rows.map(({ n }) => n);
};

it("an erasure makes one vacuum of both tables due, which the keeper's role may do", async () => {
  const keeper = openKeeperPool(asRole(ledger.ownerUrl, "ledger_keeper"));
  expect(await keeper`select current_setting('vacuum_cost_delay') as delay`).toEqual([
    { delay: "2ms" },
  ]);
  expect(await vacuumRemoved(keeper)).toBe(false);
  await ledger.destroyKey(randomUUID());
  expect(await vacuumRemoved(keeper)).toBe(false);
  await eraseOne();
  await eraseOne();
  expect(await vacuumRemoved(keeper)).toBe(true);
  expect(await vacuumRemoved(keeper)).toBe(false);
  await until("both were vacuumed once", async () => (await vacuums()).join() === "1,1");
  await keeper.end();
});

it("an erasure during a vacuum, and one that was interrupted, make another due", async () => {
  await eraseOne();
  await ledger.keeper`select ledger.begin_vacuum()`;
  await eraseOne();
  await ledger.keeper`select ledger.end_vacuum()`;
  expect(await vacuumRemoved(ledger.keeper)).toBe(true);
  await eraseOne();
  await ledger.keeper`select ledger.begin_vacuum()`;
  expect(await vacuumRemoved(ledger.keeper)).toBe(true);
  expect(await vacuumRemoved(ledger.keeper)).toBe(false);
});
