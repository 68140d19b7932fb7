import { randomUUID } from "node:crypto";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { asRole } from "@pro-talent/platform/testing/engines";
import type { SubscriberState } from "@pro-talent/schemas/newsletter/subscriber-state";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";

import type { Ledger } from "../../kernel/commands.ts";
import { rebuildReadModel } from "../../kernel/rebuild.ts";
import { reconcileAll } from "../../kernel/reconcile.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { modules } from "../../modules.ts";
import { createTestLedger, testCause, type TestLedger } from "../../testing/create-test-ledger.ts";
import { definitionsOf } from "../../verifier/definitions.ts";
import { verifyLedger } from "../../verifier/verify.ts";
import type { NewsletterCommand } from "./decider.ts";
import { isKnown } from "./subscriber-state.decider.ts";
import { newsletterSubscribers } from "./subscriber.read-model.ts";
import {
  commandSubscriber,
  destroyKeyTimer,
  eraseDepartedTimer,
  eraseUnconfirmedTimer,
  mailDeliveredTimer,
  newsletterEvents,
  readSubscriberState,
  subscribers,
} from "./subscribers.ts";
import {
  commands,
  confirms,
  dayMs,
  erasesUnconfirmed,
  requests,
  start,
} from "./testing/histories.ts";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

/** Commands on three subscribers, in any order. */
const story = fc.array(
  fc.record({
    subscriber: fc.integer({ min: 0, max: 2 }),
    command: fc.oneof(
      fc.constantFrom(requests, ...commands),
      fc.integer({ min: 1, max: 3 }).map(confirms),
    ),
    waits: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 * dayMs })),
  }),
  { maxLength: 16 },
);

/** Issues commands on a subscriber, each at a time after the start. */
function subscriberIn(store: Ledger, subscriberId: string) {
  return (command: NewsletterCommand, afterMs: number) =>
    commandSubscriber(store, subscriberId, command, {
      now: instantPlus(start, afterMs),
      cause: testCause(),
    });
}

/** The row that belongs to a state. */
function rowOf(state: SubscriberState): object[] {
  if (!isKnown(state)) return [];
  const { language, frequency, topics } = state.asked;
  return [{ status: state.status, language, frequency, topics }];
}

/** Requests that are not confirmed, those who left or were erased, and accepted mails have a timer. */
async function expectTimers(subscriberId: string, state: SubscriberState): Promise<void> {
  const timers = await ledger.sql<{ name: string }[]>`
    select name from ledger.due_timer
     where stream = ${newsletterEvents.streamOf(subscriberId)} order by name`;
  const departed = isKnown(state) && state.status !== "pending" && state.status !== "confirmed";
  expect(timers.map(({ name }) => name)).toEqual([
    ...(state.status === "erased" ? [destroyKeyTimer] : []),
    ...(departed ? [eraseDepartedTimer] : []),
    ...(isKnown(state) && !state.proven ? [eraseUnconfirmedTimer] : []),
    ...(isKnown(state) && state.accepted.length > 0 ? [mailDeliveredTimer] : []),
  ]);
}

async function expectEqualRebuild(): Promise<void> {
  const result = await rebuildReadModel(ledger.owner, newsletterSubscribers, { accept: false });
  expect(result).toMatchObject({ equal: true, swapped: true });
}

it("any history leads to the rows that its events describe, and to a whole chain", async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const ids = [randomUUID(), randomUUID(), randomUUID()];
      let afterMs = 0;
      for (const { subscriber, command, waits } of steps) {
        afterMs += waits;
        await subscriberIn(ledger.ledger, ids[subscriber] ?? "")(command, afterMs);
      }
      for (const subscriberId of ids) {
        const state = await readSubscriberState(ledger.ledger, subscriberId);
        expect(
          await ledger.sql`
          select status, language, frequency, topics from ledger.newsletter_subscriber
           where subscriber_id = ${subscriberId}`,
        ).toEqual(rowOf(state));
        await expectTimers(subscriberId, state);
      }
    }),
    { numRuns: 40 },
  );
  await expectEqualRebuild();
  // What the appends wrote step by step is what the events demand.
  const kinds = [streamKind(subscribers)];
  const reconciled = await reconcileAll({ sql: ledger.sql, kinds });
  expect(reconciled).toMatchObject({ armed: 0, removed: 0, rearmed: 0, destroyed: 0, skipped: 0 });
  expect(reconciled.streams).toBeGreaterThan(0);
  expect(
    (await verifyLedger(ledger.owner, { definitions: definitionsOf(modules) })).findings,
  ).toEqual([]);
});

it("of a confirmation and an erasure at one moment, one wins and the other is decided after it", async () => {
  for (let round = 0; round < 10; round += 1) {
    const subscriberId = randomUUID();
    const issue = subscriberIn(ledger.ledger, subscriberId);
    await issue(requests, 0);
    // The clocks of two machines differ: for one the token still works, for the other the time is over.
    const [confirming, erasing] = await Promise.all([
      issue(confirms(1), dayMs),
      issue(erasesUnconfirmed, 30 * dayMs),
    ]);
    const { status } = await readSubscriberState(ledger.ledger, subscriberId);
    expect(["confirmed", "erased"]).toContain(status);
    expect(confirming.kind).toBe(status === "confirmed" ? "answer" : "refusal");
    expect(erasing).toEqual({ kind: "answer", status });
  }
});

/** A request that is not confirmed, and its erasure. */
async function expectErasure(store: Ledger): Promise<void> {
  const subscriberId = randomUUID();
  const issue = subscriberIn(store, subscriberId);
  await issue(requests, 0);
  expect(await issue(erasesUnconfirmed, 30 * dayMs)).toEqual({ kind: "answer", status: "erased" });
  const rows = await store.sql`
    select from ledger.newsletter_subscriber where subscriber_id = ${subscriberId}`;
  expect(rows).toEqual([]);
}

it("a connection that erased before a rebuild erases after it, too", async () => {
  const url = asRole(ledger.ownerUrl, "ledger_app");
  const sql = openPool(url, { max: 1, applicationName: "test-one-connection" });
  const store = { ...ledger.ledger, sql };
  try {
    for (let round = 0; round < 3; round += 1) {
      await expectErasure(store);
      await expectEqualRebuild();
    }
    await expectErasure(store);
  } finally {
    await sql.end();
  }
});

it("erasures during a rebuild are in the rebuilt table", async () => {
  let rebuilding = true;
  const erasing = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (rebuilding) await expectErasure(ledger.ledger);
    }),
  );
  try {
    for (let round = 0; round < 8; round += 1) await expectEqualRebuild();
  } finally {
    rebuilding = false;
  }
  await erasing;
});
