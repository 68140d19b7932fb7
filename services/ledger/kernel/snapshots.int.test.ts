import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { decideConsent } from "../domains/consent/decide-consent.ts";
import { currentConsent } from "../domains/consent/read-models.ts";
import { decision, newVisitor } from "../domains/consent/testing/decisions.ts";
import { createTestLedger, testCause, type TestLedger } from "../testing/create-test-ledger.ts";
import { eventsPerSnapshot, runCommand } from "./commands.ts";
import { idOf } from "./events.ts";
import { rebuildReadModel } from "./rebuild.ts";
import { defineSnapshot, loadState, loadStream, stateAfter } from "./streams.ts";
import { newNote, noteCommand, noteEvents, notes } from "./testing/notes.ts";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

async function write(stream: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1)
    await runCommand(ledger.ledger, notes, noteCommand(stream, "WriteNote"));
}
const load = (stream: string) => loadState(ledger.sql, notes, idOf(stream));

describe("the state of a long stream", () => {
  it("is read from its latest snapshot on, and is what all its events lead to", async () => {
    const stream = newNote();
    for (const times of [eventsPerSnapshot - 1, 2, eventsPerSnapshot + 7, eventsPerSnapshot]) {
      await write(stream, times);
      const loaded = await load(stream);
      const { events } = await loadStream(ledger.sql, noteEvents, stream);
      expect(loaded.eventsRead).toBeLessThan(eventsPerSnapshot);
      expect(loaded.version).toBe(events.length);
      expect(loaded.state).toEqual(stateAfter(notes.decider, events));
    }
  });

  it("is read from the events where no snapshot of its definition is left", async () => {
    const stream = newNote();
    await write(stream, eventsPerSnapshot);
    expect((await load(stream)).eventsRead).toBe(0);
    const otherRules = { ...notes, snapshot: defineSnapshot(2, z.any()) };
    const read = await loadState(ledger.sql, otherRules, idOf(stream));
    expect(read).toMatchObject({ eventsRead: eventsPerSnapshot, version: eventsPerSnapshot });
    await ledger.owner`delete from ledger.snapshot`;
    const again = await load(stream);
    expect(again).toMatchObject({ eventsRead: eventsPerSnapshot, state: read.state });
    await write(stream, 1);
    expect((await load(stream)).eventsRead).toBe(0);
  });

  it("that is no state of its definition stops the command, which changes nothing", async () => {
    const stream = newNote();
    await write(stream, eventsPerSnapshot);
    await ledger.owner`update ledger.snapshot set state = '{"written": "many"}' where stream = ${stream}`;
    await expect(write(stream, 1)).rejects.toThrow("written");
    await ledger.owner`delete from ledger.snapshot where stream = ${stream}`;
    expect((await load(stream)).version).toBe(eventsPerSnapshot);
  });
});

it("keeps the rows of inline read models as the events lead to them", async () => {
  const visitorId = newVisitor();
  const context = {
    now: instantFromMs(Date.UTC(2026, 0, 5)),
    cause: testCause("service:collector"),
  };
  for (let turn = 0; turn < eventsPerSnapshot; turn += 1) {
    await decideConsent(ledger.ledger, decision({ visitorId }), context);
    const refusal = decision({ visitorId, decision: "refuse", method: "reject_all" });
    await decideConsent(ledger.ledger, refusal, context);
  }
  const [{ rows } = { rows: 0 }] = await ledger.owner<{ rows: number }[]>`
    select count(*) as rows from ledger.snapshot where stream like 'consent-%'`;
  expect(rows).toBe(1);
  expect(await rebuildReadModel(ledger.owner, currentConsent, { accept: false })).toMatchObject({
    equal: true,
  });
});
