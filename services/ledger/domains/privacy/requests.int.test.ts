import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDirectoryStore } from "@pro-talent/platform/files/file-store";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, expect, it } from "vitest";

import { runCommand } from "../../kernel/commands.ts";
import { followerOfProcess, registerProcesses } from "../../kernel/processes.ts";
import { loadStream } from "../../kernel/streams.ts";
import { createTestLedger, testCause, type TestLedger } from "../../testing/create-test-ledger.ts";
import type { PrivacyCommand } from "./decider.ts";
import { privacyTimerHandlers, recordCancellations } from "./follow-up.ts";
import { requestsOf } from "./read-models.ts";
import { privacyEvents, privacyRequests } from "./requests.ts";
import * as facts from "./testing/facts.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(async () => {
  await ledger.drop();
});

const now = instantFromMs(Date.now());
const inDays = (days: number) => instantFromMs(Date.parse(now) + days * 24 * 60 * 60 * 1000);

/** Carries out a command on a request; sent again, it is answered the same. */
function command(id: string, asked: PrivacyCommand) {
  const context = { now, cause: testCause() };
  return runCommand(ledger.ledger, privacyRequests, {
    id,
    command: asked,
    body: asked,
    ...context,
  });
}

const timersOfRequest = (id: string) => ledger.sql<{ name: string; days: number }[]>`
  select name, round(extract(epoch from due_at - ${now}::timestamptz) / 86400)::int as days
    from ledger.due_timer where stream = ${`privacy-${id}`} and name <> 'privacy.notice'`;

it("a deletion is answered as scheduled, and due 30 days after receipt", async () => {
  const id = randomUUID();
  const received = await command(id, facts.receives("delete"));
  expect(received).toMatchObject({ reply: '{"outcome":null,"status":"scheduled"}' });
  expect(await timersOfRequest(id)).toEqual([{ name: "privacy.erase", days: 30 }]);
});

it("a cancelled deletion is completed as cancelled, and only its reason is still to be destroyed", async () => {
  const id = randomUUID();
  await command(id, facts.receives("delete"));
  const cancelled = await command(id, facts.records(facts.cancelled));
  expect(cancelled).toMatchObject({ reply: '{"outcome":"cancelled","status":"completed"}' });
  expect(await timersOfRequest(id)).toEqual([{ name: "privacy.destroy-key", days: 0 }]);
});

it("a hold stops the timer of a deletion, and its release starts it again for the same day", async () => {
  const id = randomUUID();
  await command(id, facts.receives("delete"));
  await command(id, facts.records(facts.holdPlaced(inDays(60))));
  expect(await timersOfRequest(id)).toEqual([]);
  await command(id, facts.records(facts.holdReleased));
  expect(await timersOfRequest(id)).toEqual([{ name: "privacy.erase", days: 30 }]);
});

it("of 20 cancellations and claims at once, one is accepted", async () => {
  const id = randomUUID();
  await command(id, facts.receives("delete"));
  await command(id, facts.records(facts.waived));
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, place) =>
      command(id, facts.records(place % 2 === 0 ? facts.cancelled : facts.claimed)),
    ),
  );
  expect(answers.filter(({ kind }) => kind === "answer")).toHaveLength(1);
});

it("the row of a request follows its steps, with dates, lease, holds and version", async () => {
  const [access, deletion, holder] = [randomUUID(), randomUUID(), randomUUID()];
  const received = { type: "ReceiveRequest", accountId: holder, identity: "step-up" } as const;
  await command(access, { ...received, requestType: "access" });
  await command(access, facts.records(facts.assigned(facts.dana)));
  await command(deletion, { ...received, requestType: "delete" });
  await command(deletion, facts.records(facts.holdPlaced(inDays(60))));
  const rows = await requestsOf(ledger.sql, holder);
  expect(rows.find(({ requestId }) => requestId === access)).toMatchObject({
    status: "verified",
    identity: "step-up",
    leaseOfficer: facts.dana,
    eraseAt: null,
    version: 3,
  });
  expect(rows.find(({ requestId }) => requestId === deletion)).toMatchObject({
    status: "scheduled",
    receivedAt: now,
    eraseAt: inDays(30),
    held: true,
    holds: [{ reviewAt: inDays(60) }],
    history: [{ step: "received" }, { step: "verified" }, { step: "scheduled" }, { step: "held" }],
    version: 4,
  });
});

/** The types of a request's events, in their order. */
async function typesOf(id: string): Promise<string[]> {
  const { events } = await loadStream(ledger.sql, privacyEvents, privacyEvents.streamOf(id));
  return events.map(({ event }) => event.type);
}

it("a cancellation is a completed request of its own, once, after the deletion was cancelled", async () => {
  const [deletion, cancellationId] = [randomUUID(), randomUUID()];
  await registerProcesses(ledger.owner, [recordCancellations]);
  const options = { ledger: ledger.ledger, families: [privacyEvents] };
  const { step } = followerOfProcess(recordCancellations, options);
  await command(deletion, facts.receives("delete"));
  await step();
  expect(await typesOf(cancellationId)).toEqual([]);
  await command(deletion, facts.records({ type: "DeletionCancelled", data: { cancellationId } }));
  await step();
  await step();
  expect(await typesOf(cancellationId)).toEqual([
    "RequestReceived",
    "IdentityVerified",
    "CancellationRecorded",
  ]);
});

it.each([
  { timer: "privacy.identity", identity: null, last: "IdentityExpired" },
  { timer: "privacy.due", identity: "step-up" as const, last: "DueDateMissed" },
])("the timer $timer records $last, and stands no more", async ({ timer, identity, last }) => {
  const id = randomUUID();
  await command(id, { type: "ReceiveRequest", requestType: "access", accountId: null, identity });
  const fire = privacyTimerHandlers(ledger, openDirectoryStore(join(tmpdir(), id)))[timer];
  await fire?.(id, { now: inDays(1), cause: testCause() });
  expect(await typesOf(id)).not.toContain(last);
  await fire?.(id, { now: inDays(40), cause: testCause() });
  expect((await typesOf(id)).at(-1)).toBe(last);
  expect((await timersOfRequest(id)).map(({ name }) => name)).not.toContain(timer);
});
