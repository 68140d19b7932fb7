import { createLogger } from "@pro-talent/platform/runtime/logger";
import { until } from "@pro-talent/platform/testing/until";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { consentAppend, newStream } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { append, type TimerChange } from "./append.ts";
import { idOf } from "./events.ts";
import { startSweeping, sweepTimers, type TimerHandler } from "./timers.ts";
import { type Cause, causeAfter } from "./types.ts";

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
  expect(await append(ledger, request)).toMatchObject({ status: "appended" });
}

async function setTimer(name: string, dueAt: Instant): Promise<string> {
  const stream = newStream();
  await change(stream, [{ set: name, dueAt }]);
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

/** A timer's command follows from the event that set it. */
async function causeOfTimer(stream: string): Promise<Cause> {
  const [row] = await ledger.sql<{ event_id: string; meta: string }[]>`
    select event_id, meta from ledger.event where stream = ${stream}`;
  return causeAfter("timer:test.due", row?.event_id ?? "", row?.meta ?? "");
}

describe("a timer", () => {
  it("fires once each, however many sweepers there are and however small their steps", async () => {
    const streams = await setTimers(60, "test.due");
    const fired: string[] = [];
    const handlers = { "test.due": async (id: string) => void fired.push(id) };
    const counts = await Promise.all([1, 2, 3, 4].map(() => sweep(handlers)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
    expect(fired.toSorted()).toEqual(streams.map(idOf).toSorted());
    expect(await sweep(handlers)).toBe(0);
    expect(await waiting()).toEqual([]);
  });

  it("does not fire before its time, and soon after it", async () => {
    const dueAt = fromNow(400);
    const later = await setTimer("test.due", fromNow(hourMs));
    const soon = await setTimer("test.due", dueAt);
    const fired: { id: string; now: Instant; cause: Cause }[] = [];
    const handlers = {
      "test.due": async (id: string, { now, cause }: { now: Instant; cause: Cause }) =>
        void fired.push({ id, now, cause }),
    };
    await until("it fired", async () => (await sweep(handlers)) > 0);
    const [first] = fired;
    expect(fired.map(({ id }) => id)).toEqual([idOf(soon)]);
    expect(first?.cause).toEqual(await causeOfTimer(soon));
    expect(Date.parse(first?.now ?? "")).toBeGreaterThanOrEqual(Date.parse(dueAt));
    expect(await waiting()).toEqual([later]);
  });

  it("whose handler fails stays due, and holds up no other", async () => {
    const bad = await setTimer("test.due", fromNow(-2 * hourMs));
    await setTimers(20, "test.due");
    let works = false;
    const handlers = {
      "test.due": async (id: string) => {
        if (id === idOf(bad) && !works) throw new RangeError("not yet");
      },
    };
    expect(await sweep(handlers)).toBe(20);
    expect(await waiting()).toEqual([bad]);
    expect(await sweep(handlers)).toBe(0);
    works = true;
    expect(await sweep(handlers)).toBe(1);
    expect(await waiting()).toEqual([]);
  });

  it("may be moved by its handler, and fires again then", async () => {
    const stream = await setTimer("test.due", fromNow(-hourMs));
    let fired = 0;
    const handlers = {
      "test.due": async (own: string) => {
        fired += 1;
        if (fired === 1) await change(`consent-${own}`, [{ set: "test.due", dueAt: fromNow(-1) }]);
      },
    };
    expect(await sweep(handlers)).toBe(1);
    expect(await waiting()).toEqual([stream]);
    expect(await sweep(handlers)).toBe(1);
    expect(await waiting()).toEqual([]);
  });

  it("may be cancelled by its handler", async () => {
    await setTimer("test.due", fromNow(-hourMs));
    const handlers = {
      "test.due": async (own: string) => change(`consent-${own}`, [{ cancel: "test.due" }]),
    };
    expect(await sweep(handlers)).toBe(1);
    expect(await ledger.sql`select from ledger.due_timer`).toEqual([]);
  });

  it("without a handler stays due, for a version that has one", async () => {
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
