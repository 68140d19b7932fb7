import { randomUUID } from "node:crypto";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { asRole } from "@pro-talent/platform/testing/engines";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";

import { readingStored } from "../event-store/projection.ts";
import { loadStream } from "../event-store/read-stream.ts";
import { rebuildProjection } from "../event-store/rebuild.ts";
import { verifyLedger } from "../event-store/verify.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { newsletterDecider } from "./decider.ts";
import {
  commandSubscriber,
  eraseDepartedTimer,
  eraseUnconfirmedTimer,
} from "./newsletter-command.ts";
import { newsletterEvents, newsletterStream } from "./newsletter-events.ts";
import { newsletterSubscriber } from "./subscriber.projection.ts";
import { isKnown, type SubscriberState } from "./subscription-state.decider.ts";
import {
  requests,
  bounces,
  changesPreferences,
  complains,
  confirms,
  dayMs,
  softBounces,
  erasesUnconfirmed,
  erasesDeparted,
  unsubscribes,
  resends,
  start,
} from "./testing/histories.ts";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

/** What three people do, in an order of their own. */
const story = fc.array(
  fc.record({
    who: fc.integer({ min: 0, max: 2 }),
    command: fc.oneof(
      fc.constantFrom(
        requests,
        requests,
        resends,
        changesPreferences,
        unsubscribes,
        bounces,
        softBounces,
        complains,
        erasesUnconfirmed,
        erasesDeparted,
      ),
      fc.integer({ min: 1, max: 3 }).map(confirms),
    ),
    waits: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 * dayMs })),
  }),
  { maxLength: 16 },
);

async function stateOf(subscriberId: string): Promise<SubscriberState> {
  const stream = newsletterStream(subscriberId);
  const { events } = await loadStream(ledger.store, newsletterEvents, stream);
  return events.reduce(
    (state, { event }) => newsletterDecider.evolve(state, event),
    newsletterDecider.initialState,
  );
}

/** The row that belongs to a state. */
function rowOf(state: SubscriberState): object[] {
  if (!isKnown(state)) return [];
  const { language, frequency, topics } = state.asked;
  const { status } = state;
  const wishes = { language, frequency, topics: topics.join() };
  return [{ status, confirmed: status === "confirmed", ...wishes }];
}

/** Whoever has asked and not confirmed is waited for, and whoever has gone is forgotten. */
async function expectTimers(subscriberId: string, state: SubscriberState): Promise<void> {
  if (!isKnown(state)) return;
  const timers = await ledger.sql<{ name: string }[]>`
    select name from ledger.due_timer
     where stream = ${newsletterStream(subscriberId)} order by name`;
  const gone = state.status !== "pending" && state.status !== "confirmed";
  expect(timers.map(({ name }) => name)).toEqual([
    ...(gone ? [eraseDepartedTimer] : []),
    ...(state.proven ? [] : [eraseUnconfirmedTimer]),
  ]);
}

it("any history of subscriptions gives the list that its facts say, and a whole chain", async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const people = [randomUUID(), randomUUID(), randomUUID()];
      let now = start;
      for (const { who, command, waits } of steps) {
        now = instantPlus(now, waits);
        await commandSubscriber(ledger.store, { subscriberId: people[who] ?? "", command, now });
      }
      for (const subscriberId of people) {
        const state = await stateOf(subscriberId);
        expect(
          await ledger.sql`
          select status, confirmed, language, frequency, topics from ledger.newsletter_subscriber
           where subscriber_id = ${subscriberId}`,
        ).toEqual(rowOf(state));
        await expectTimers(subscriberId, state);
      }
    }),
    { numRuns: 40 },
  );
  const projection = readingStored(newsletterSubscriber);
  const rebuilt = await rebuildProjection(ledger.owner, projection, { accept: false });
  expect(rebuilt.equal).toBe(true);
  const findings = [];
  for await (const finding of verifyLedger(ledger.owner)) findings.push(finding);
  expect(findings).toEqual([]);
});

it("of those who confirm and the timer that erases at one moment, one wins and the other sees it", async () => {
  for (let round = 0; round < 10; round += 1) {
    const subscriberId = randomUUID();
    const act = (command: Parameters<typeof commandSubscriber>[1]["command"], afterMs: number) =>
      commandSubscriber(ledger.store, { subscriberId, command, now: instantPlus(start, afterMs) });
    await act(requests, 0);
    // The clocks of two machines differ: for one the link still works, for the other it is over.
    const [confirming, erasing] = await Promise.all([
      act(confirms(1), dayMs),
      act(erasesUnconfirmed, 30 * dayMs),
    ]);
    const { status } = await stateOf(subscriberId);
    expect(["confirmed", "erased"]).toContain(status);
    expect(confirming.kind).toBe(status === "confirmed" ? "answer" : "refusal");
    expect(erasing).toEqual({ kind: "answer", status });
  }
});

/** One asks and never confirms; the timer erases that. */
async function expectErasure(store: TestLedger["store"]): Promise<void> {
  const subscriberId = randomUUID();
  const act = (command: typeof requests | typeof erasesUnconfirmed, afterMs: number) =>
    commandSubscriber(store, { subscriberId, command, now: instantPlus(start, afterMs) });
  await act(requests, 0);
  expect(await act(erasesUnconfirmed, 30 * dayMs)).toEqual({ kind: "answer", status: "erased" });
  const rows = await store.sql`
    select from ledger.newsletter_subscriber where subscriber_id = ${subscriberId}`;
  expect(rows).toEqual([]);
}

async function expectSameListMade(): Promise<void> {
  const projection = readingStored(newsletterSubscriber);
  const result = await rebuildProjection(ledger.owner, projection, { accept: false });
  expect(result).toMatchObject({ equal: true, swapped: true });
}

it("a connection that erased before the list was made again erases after it, too", async () => {
  const url = asRole(ledger.ownerUrl, "ledger_app");
  const sql = openPool(url, { max: 1, applicationName: "test-one-connection" });
  try {
    for (let round = 0; round < 3; round += 1) {
      await expectErasure({ sql });
      await expectSameListMade();
    }
    await expectErasure({ sql });
  } finally {
    await sql.end();
  }
});

it("those who are erased while the list is made again are erased", async () => {
  let making = true;
  const erasing = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (making) await expectErasure(ledger.store);
    }),
  );
  try {
    for (let round = 0; round < 8; round += 1) await expectSameListMade();
  } finally {
    making = false;
  }
  await erasing;
});
