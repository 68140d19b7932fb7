import { createLogger } from "@pro-talent/platform/runtime/logger";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";

import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { startDatabaseClock } from "./database-clock.ts";

const log = createLogger({ service: "test", level: "silent" });
const dayMs = 24 * 60 * 60_000;
const nearMs = 2000;

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());
afterEach(() => {
  vi.restoreAllMocks();
});

/** The clock of this machine, before it is set to another time. */
const systemNow = Date.now.bind(Date);
/** How far a time is from the database's, which runs on this machine. */
const differenceMs = (ms: number): number => Math.abs(ms - systemNow());

const setMachineClock = (aheadMs: number): void => {
  vi.spyOn(Date, "now").mockImplementation(() => systemNow() + aheadMs);
};

it.each([35, -35])(
  "a machine whose clock is wrong by %i days has the database's time",
  async (days) => {
    setMachineClock(days * dayMs);
    const { clock, stop } = await startDatabaseClock(ledger.sql, () => Date.now(), { log });
    expect(differenceMs(clock())).toBeLessThan(nearMs);
    await stop();
  },
);

it("a clock that jumps later changes nothing, and the test clock is followed at once", async () => {
  const moved = { byMs: 0 };
  const own = (): number => Date.now() + moved.byMs;
  const { clock, stop } = await startDatabaseClock(ledger.sql, own, { log });
  setMachineClock(35 * dayMs);
  expect(differenceMs(clock())).toBeLessThan(nearMs);
  moved.byMs = 3 * dayMs;
  expect(differenceMs(clock() - moved.byMs)).toBeLessThan(nearMs);
  await stop();
});

it("without an answer the process's own clock is used, until the database answers", async () => {
  const away = { now: true };
  const sql: TestLedger["sql"] = Object.assign((...given: Parameters<TestLedger["sql"]>) => {
    if (away.now) throw new Error("The database is away");
    return ledger.sql(...given);
  }, ledger.sql);
  setMachineClock(35 * dayMs);
  const { clock, stop } = await startDatabaseClock(sql, () => Date.now(), { log, everyMs: 20 });
  expect(differenceMs(clock() - 35 * dayMs)).toBeLessThan(nearMs);
  away.now = false;
  await until("the time is known", async () => differenceMs(clock()) < nearMs, 5000);
  await stop();
});
