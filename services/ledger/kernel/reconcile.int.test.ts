import { randomUUID } from "node:crypto";

import { instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import {
  contactEvents,
  eraseDetailsTimer,
  settleMatter,
} from "../domains/contact/contact-messages.ts";
import { contactTimerHandlers } from "../domains/contact/messages.ts";
import { sendContactMessage } from "../domains/contact/send-contact-message.ts";
import { newMessage } from "../domains/contact/testing/contact-samples.ts";
import { streamKinds } from "../modules.ts";
import { createTestLedger, testCause, type TestLedger } from "../testing/create-test-ledger.ts";
import { rawAppend } from "../testing/raw-append.ts";
import { idOf } from "./events.ts";
import { gaugeDuties } from "./metrics.ts";
import { reconcileAll, reconcileSince, type Reconciliation } from "./reconcile.ts";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger();
});
beforeEach(async () => {
  // Each test reconciles what it wrote itself.
  await reconcile();
});
afterAll(() => ledger.drop());

const nothing: Omit<Reconciliation, "streams" | "overdue" | "skipped"> = {
  armed: 0,
  removed: 0,
  rearmed: 0,
  destroyed: 0,
};
const reconcile = () => reconcileAll({ sql: ledger.sql, kinds: streamKinds });
async function overdueNow(): Promise<string | undefined> {
  const registry = new Registry();
  gaugeDuties(registry, ledger.sql, streamKinds);
  return /^ledger_duties_overdue (\d+)$/mu.exec(await registry.metrics())?.[1];
}
const hourMs = 60 * 60 * 1000;

/** A contact message that is received, or whose matter was settled so long ago. */
async function message(settledAgoMs?: number): Promise<string> {
  const now = instantFromMs(Date.now());
  await sendContactMessage(ledger, newMessage(), { now, cause: testCause() });
  const [row] = await ledger.sql<{ stream: string }[]>`
    select stream from ledger.event order by pos desc limit 1`;
  const stream = row?.stream ?? "";
  if (settledAgoMs !== undefined) {
    const at = instantPlus(now, -settledAgoMs);
    await settleMatter(ledger.ledger, idOf(stream), { now: at, cause: testCause("operator") });
  }
  return stream;
}

const timersOf = (stream: string) => ledger.owner`
  select name, due_at, fired_at from ledger.due_timer where stream = ${stream} order by name`;

async function erase(stream: string, shred?: () => Promise<void>): Promise<void> {
  const { subjects } = ledger;
  const handlers = contactTimerHandlers({
    ...ledger,
    subjects: { ...subjects, shred: shred ?? subjects.shred },
  });
  const context = { now: instantFromMs(Date.now()), cause: testCause("timer:test") };
  await handlers[eraseDetailsTimer]?.(idOf(stream), context);
}

describe("a reconciliation", () => {
  it("changes nothing of what appends wrote", async () => {
    await message();
    await erase(await message(0));
    const before = await ledger.owner`select * from ledger.due_timer order by stream, name`;
    expect(await reconcile()).toMatchObject(nothing);
    const after = await ledger.owner`select * from ledger.due_timer order by stream, name`;
    expect(after).toEqual(before);
  });

  it("brings deleted timers back, corrects moved ones, and removes those that nothing demands", async () => {
    const [deleted, moved, strange] = [await message(), await message(), await message()];
    const before = await Promise.all([deleted, moved, strange].map(timersOf));
    await ledger.owner`delete from ledger.due_timer where stream = ${deleted}`;
    await ledger.owner`update ledger.due_timer set due_at = '2099-01-01', fired_at = now()
      where stream = ${moved}`;
    await ledger.owner`insert into ledger.due_timer (stream, name, due_at, pos)
      values (${strange}, 'contact.nothing', now(), 1), (${`contact-${randomUUID()}`}, 'x', now(), 1)`;
    expect(await reconcile()).toMatchObject({ ...nothing, armed: 4, removed: 2 });
    expect(await Promise.all([deleted, moved, strange].map(timersOf))).toEqual(before);
  });

  it("leaves a timer that fired and is right, and requires an erasure again that was not recorded", async () => {
    const done = await message(0);
    await erase(done);
    const lost = await message(2 * hourMs);
    await ledger.owner`update ledger.due_timer set fired_at = now() - interval '61 min'
      where stream = any (${[done, lost]}::text[])`;
    expect(await overdueNow()).toBe("1");
    expect(await reconcile()).toMatchObject({ ...nothing, rearmed: 1, overdue: 1 });
    expect((await timersOf(lost)).filter(({ fired_at: at }) => at === null)).toHaveLength(1);
    expect((await timersOf(done)).filter(({ fired_at: at }) => at === null)).toEqual([]);
    await erase(lost);
    expect(await overdueNow()).toBe("0");
    expect(await reconcile()).toMatchObject({ ...nothing, overdue: 0 });
  });

  it("destroys the key that a recorded erasure left", async () => {
    const stream = await message(0);
    await erase(stream, async () => undefined);
    expect(await ledger.subjects.find(idOf(stream))).toBeDefined();
    expect(await reconcile()).toMatchObject({ ...nothing, destroyed: 1 });
    expect(await ledger.subjects.find(idOf(stream))).toBeUndefined();
    expect(await reconcile()).toMatchObject(nothing);
  });

  it("leaves a stream that it cannot read as it is", async () => {
    const stream = contactEvents.streamOf(randomUUID());
    await rawAppend(ledger.owner, { stream, type: "OfTheFuture" });
    await ledger.owner`insert into ledger.due_timer (stream, name, due_at, pos)
      values (${stream}, 'contact.of-the-future', now(), 1)`;
    expect(await reconcile()).toMatchObject({ ...nothing, skipped: 1 });
    expect(await timersOf(stream)).toHaveLength(1);
    await ledger.owner`delete from ledger.due_timer where stream = ${stream}`;
  });

  it("of what changed reads no other stream", async () => {
    const options = { sql: ledger.sql, kinds: streamKinds };
    const older = await message();
    const { position } = await reconcileSince(options, 0);
    const newer = await message();
    await ledger.owner`delete from ledger.due_timer`;
    const step = await reconcileSince(options, position);
    expect(step.found).toMatchObject({ ...nothing, streams: 1, armed: 2 });
    expect([(await timersOf(older)).length, (await timersOf(newer)).length]).toEqual([0, 2]);
    expect((await reconcileSince(options, step.position)).found.streams).toBe(0);
  });

  it("beside appends to the same streams never leaves wrong timers", async () => {
    const streams = await Promise.all(Array.from({ length: 12 }, () => message()));
    await Promise.all([
      ...streams.map((stream) =>
        settleMatter(ledger.ledger, idOf(stream), {
          now: instantFromMs(Date.now()),
          cause: testCause("operator"),
        }),
      ),
      ...Array.from({ length: 6 }, reconcile),
    ]);
    expect(await reconcile()).toMatchObject({ armed: 0, removed: 0, rearmed: 0 });
  });
});
