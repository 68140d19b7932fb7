import { createLogger } from "@pro-talent/platform/runtime/logger";
import { until } from "@pro-talent/platform/testing/until";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { append, type TimerChange } from "../event-store/append.ts";
import { consentAppend, newStream } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { startSweeping, sweepTimers, type TimerHandler } from "./sweep-timers.ts";

const log = createLogger({ service: "test", level: "silent" });
const hourMs = 60 * 60_000;

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger({ max: 12 });
});
afterEach(async () => {
  await ledger.owner`delete from ledger.due_timer`;
});
afterAll(() => ledger.drop());

const fromNow = (ms: number): Instant => instantFromMs(Date.now() + ms);

/** Changes the timers of a stream as an event does. */
async function change(stream: string, timers: readonly TimerChange[]): Promise<void> {
  const request = consentAppend({ stream, timers, expected: "any" });
  expect(await append(ledger.store, request)).toMatchObject({ status: "appended" });
}

async function setTimer(name: string, dueAt: Instant): Promise<string> {
  const stream = newStream();
  await change(stream, [{ put: { name, dueAt } }]);
  return stream;
}

const setTimers = (count: number, name: string) =>
  Promise.all(Array.from({ length: count }, (_, n) => setTimer(name, fromNow(-hourMs + n))));

async function waiting(): Promise<string[]> {
  const rows = await ledger.sql<{ stream: string }[]>`
    select stream from ledger.due_timer where fired_at is null order by due_at`;
  return rows.map((row) => row.stream);
}

function sweep(handlers: Readonly<Record<string, TimerHandler>>, batchSize = 7): Promise<number> {
  return sweepTimers({ sql: ledger.sql, log, handlers, batchSize });
}

describe("a timer", () => {
  it("fires once each, however many sweepers there are and however small their steps", async () => {
    const streams = await setTimers(60, "test.due");
    const fired: string[] = [];
    const handlers = { "test.due": async (stream: string) => void fired.push(stream) };
    const counts = await Promise.all([1, 2, 3, 4].map(() => sweep(handlers)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
    expect(fired.toSorted()).toEqual(streams.toSorted());
    expect(await sweep(handlers)).toBe(0);
    expect(await waiting()).toEqual([]);
  });

  it("does not fire before its time, and soon after it", async () => {
    const dueAt = fromNow(400);
    const later = await setTimer("test.due", fromNow(hourMs));
    const soon = await setTimer("test.due", dueAt);
    const fired: { stream: string; now: Instant }[] = [];
    const handlers = {
      "test.due": async (stream: string, now: Instant) => void fired.push({ stream, now }),
    };
    await until("it fired", async () => (await sweep(handlers)) > 0);
    const [first] = fired;
    expect(fired.map(({ stream }) => stream)).toEqual([soon]);
    expect(Date.parse(first?.now ?? "")).toBeGreaterThanOrEqual(Date.parse(dueAt));
    expect(await waiting()).toEqual([later]);
  });

  it("whose handler fails stays due, and holds up no other", async () => {
    const bad = await setTimer("test.due", fromNow(-2 * hourMs));
    await setTimers(20, "test.due");
    let works = false;
    const handlers = {
      "test.due": async (stream: string) => {
        if (stream === bad && !works) throw new RangeError("not yet");
      },
    };
    expect(await sweep(handlers)).toBe(20);
    expect(await waiting()).toEqual([bad]);
    expect(await sweep(handlers)).toBe(0);
    works = true;
    expect(await sweep(handlers)).toBe(1);
    expect(await waiting()).toEqual([]);
  });

  it("may be moved by what it sets off, and fires again then", async () => {
    const stream = await setTimer("test.due", fromNow(-hourMs));
    let fired = 0;
    const handlers = {
      "test.due": async (own: string) => {
        fired += 1;
        if (fired === 1) await change(own, [{ put: { name: "test.due", dueAt: fromNow(-1) } }]);
      },
    };
    expect(await sweep(handlers)).toBe(1);
    expect(await waiting()).toEqual([stream]);
    expect(await sweep(handlers)).toBe(1);
    expect(await waiting()).toEqual([]);
  });

  it("may be taken away by what it sets off", async () => {
    await setTimer("test.due", fromNow(-hourMs));
    const handlers = {
      "test.due": async (own: string) => change(own, [{ gone: { name: "test.due" } }]),
    };
    expect(await sweep(handlers)).toBe(1);
    expect(await ledger.sql`select from ledger.due_timer`).toEqual([]);
  });

  it("that nobody handles stays due, for a version that does", async () => {
    const stream = await setTimer("toString", fromNow(-hourMs));
    expect(await sweep({})).toBe(0);
    expect(await waiting()).toEqual([stream]);
  });

  it("is swept until the sweeper is stopped, which waits for the handler under way", async () => {
    await setTimers(30, "test.due");
    const begun = Promise.withResolvers<undefined>();
    const finish = Promise.withResolvers<undefined>();
    let fired = 0;
    const slow = async (): Promise<void> => {
      fired += 1;
      if (fired < 10) return;
      begun.resolve(undefined);
      await finish.promise;
    };
    const { sql } = ledger;
    const sweeper = startSweeping({ sql, log, handlers: { "test.due": slow }, batchSize: 3 });
    await begun.promise;
    const stopping = sweeper.stop();
    finish.resolve(undefined);
    await stopping;
    expect(fired).toBe(10);
    expect(await waiting()).toHaveLength(20);
  });
});
