import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { agedHandler, completeAged, openHorizon } from "./domains/privacy/erase/backups.ts";
import { claimHandler, eraseHandler, stepsOf } from "./domains/privacy/erase/erase-person.ts";
import { privacyRequests } from "./domains/privacy/requests.ts";
import * as facts from "./domains/privacy/testing/facts.ts";
import { runCommand } from "./kernel/commands.ts";
import type { WorkerContext } from "./kernel/module.ts";
import { openErasures } from "./testing/open-erasures.ts";

let erasures: Awaited<ReturnType<typeof openErasures>>;
beforeAll(async () => {
  erasures = await openErasures();
});
afterAll(() => erasures.close());

describe("the erasure of an account", () => {
  it("leaves nothing of the person, and every byte of another one", async () => {
    const [person, other] = [await erasures.openPerson(), await erasures.openPerson()];
    expect(person.sealed).toHaveLength(5);
    const before = await erasures.sealedEvents(other);
    const id = await erasures.dueDeletion(person);
    const parts = erasures.worker(new Set([person.accountId, other.accountId]));
    await claimHandler(parts)(id, erasures.why());
    await eraseHandler(parts)(id, erasures.why());
    expect(await erasures.statusOf(id)).toBe("erased");
    expect(await erasures.keysOf(person)).toBe(0);
    expect(await erasures.sealedEvents(person)).toEqual([]);
    expect(await erasures.keysOf(other)).toBe(5);
    expect(await erasures.sealedEvents(other)).toEqual(before);
    const entries = (await parts.journal?.read()) ?? [];
    const entry = entries.find(({ requestId }) => requestId === id);
    expect(entry?.accountId).toBe(person.accountId);
    expect(entry?.subjectIds).toEqual(expect.arrayContaining([...person.sealed]));
  });

  const borders = [
    "journal",
    "suppression",
    "billing",
    "invoices",
    "payment-provider",
    "links",
    "webhooks",
    "open-mails",
    "applications",
    "analyst-work",
    "newsletter",
    "contact",
    "accounts",
    "subject-key",
  ].flatMap((at) => (["before", "after"] as const).map((when) => ({ at, when })));
  it.each(borders)("goes on where it was killed: $when $at", async (killed) => {
    const person = await erasures.openPerson();
    const id = await erasures.dueDeletion(person);
    const accounts = new Set([person.accountId]);
    await claimHandler(erasures.worker(accounts))(id, erasures.why());
    await expect(
      eraseHandler(erasures.worker(accounts, killed))(id, erasures.why()),
    ).rejects.toThrow("killed");
    expect(["claimed", "erasing"]).toContain(await erasures.statusOf(id));
    const parts = erasures.worker(accounts);
    await eraseHandler(parts)(id, erasures.why());
    expect(await erasures.statusOf(id)).toBe("erased");
    expect([await erasures.keysOf(person), accounts.size]).toEqual([0, 0]);
    const entries = (await parts.journal?.read()) ?? [];
    expect(entries.filter(({ requestId }) => requestId === id)).toHaveLength(1);
    const steps = await erasures.ledger.owner<{ step: string }[]>`
      select data::jsonb ->> 'step' as step from ledger.event
       where stream = ${`privacy-${id}`} and type = 'StepDone' order by pos`;
    expect(steps.map(({ step }) => step)).toEqual(stepsOf(parts.scopeOf(id, person.accountId)));
  });

  it("does not begin before its time, under a hold, or after a cancellation", async () => {
    const { accountId } = await erasures.openPerson();
    const parts = erasures.worker(new Set([accountId]));
    const later = instantFromMs(Date.parse(erasures.now) + 60 * 24 * 60 * 60_000);
    for (const [stops, at] of [
      [[], erasures.now],
      [[facts.holdPlaced(later)], instantFromMs(Date.parse(erasures.now) + 31 * 24 * 60 * 60_000)],
      [[facts.cancelled], instantFromMs(Date.parse(erasures.now) + 31 * 24 * 60 * 60_000)],
    ] as const) {
      const id = randomUUID();
      const commands = [{ ...facts.receives("delete"), accountId }, ...stops.map(facts.records)];
      for (const command of commands)
        await erasures.done(
          runCommand(erasures.ledger.ledger, privacyRequests, {
            ...erasures.why(),
            id,
            command,
            body: command,
          }),
        );
      await expect(claimHandler(parts)(id, { ...erasures.why(), now: at })).rejects.toThrow(
        "is refused",
      );
      await eraseHandler(parts)(id, { ...erasures.why(), now: at });
      expect(["scheduled", "completed"]).toContain(await erasures.statusOf(id));
    }
  });

  it("of a store that does not answer is tried again later, and begins nothing without a journal", async () => {
    const person = await erasures.openPerson();
    const id = await erasures.dueDeletion(person);
    const accounts = new Set([person.accountId]);
    const parts = erasures.worker(accounts);
    await claimHandler(parts)(id, erasures.why());
    await eraseHandler({ ...parts, journal: undefined })(id, erasures.why());
    expect(await erasures.keysOf(person)).toBe(5);
    const [timer] = await erasures.ledger.sql<{ minutes: number }[]>`
      select round(extract(epoch from due_at - ${erasures.now}::timestamptz) / 60)::int as minutes
        from ledger.due_timer where stream = ${`privacy-${id}`} and fired_at is null`;
    expect(timer).toEqual({ minutes: 1 });
    await eraseHandler(parts)(id, erasures.why());
    expect(await erasures.statusOf(id)).toBe("erased");
  });

  it("is complete once no backup that opens is older, and no copy of a key that opened one is left", async () => {
    const person = await erasures.openPerson();
    const id = await erasures.dueDeletion(person);
    const parts = erasures.worker(new Set([person.accountId]));
    await claimHandler(parts)(id, erasures.why());
    await eraseHandler(parts)(id, erasures.why());
    const day = (days: number) => instantFromMs(Date.parse(erasures.now) + days * 24 * 60 * 60_000);
    const horizon = openHorizon({
      ERASURE_JOURNAL_FILE: join(erasures.directory, "journal.jsonl"),
      ERASURE_JOURNAL_KEY: Buffer.alloc(32, 7),
    });
    const at = (days: number): WorkerContext => ({
      ...parts.context,
      clock: () => Date.parse(day(days)),
    });
    const looks = (days: number) => completeAged(at(days), horizon)();
    await looks(40);
    await horizon?.append({ oldestRestorableAt: day(-1), checkedAt: day(10) });
    await looks(40);
    expect(await erasures.statusOf(id)).toBe("erased");
    await horizon?.append({ oldestRestorableAt: day(2), checkedAt: day(33) });
    await looks(46);
    expect(await erasures.statusOf(id)).toBe("erased");
    await expect(
      agedHandler(at(46), horizon)(id, { ...erasures.why(), now: day(46) }),
    ).rejects.toThrow("No record says");
    await looks(48);
    expect(await erasures.statusOf(id)).toBe("completed");
    await agedHandler(at(90), horizon)(id, { ...erasures.why(), now: day(90) });
  });
});
