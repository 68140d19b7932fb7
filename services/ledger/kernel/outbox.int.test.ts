import { createLogger } from "@pro-talent/platform/runtime/logger";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { attemptsMax, deliverMessage, relayOutbox, UnknownMessage } from "./outbox.ts";
import { type LedgerWorkers, openLedgerWorkers } from "./testing/open-ledger-workers.ts";

const log = createLogger({ service: "test", level: "silent" });

let workers: LedgerWorkers;
beforeAll(async () => {
  // A queue that refuses what it is given is one whose rights were taken away.
  workers = await openLedgerWorkers("postgres");
});
afterEach(() => workers.rest());
afterAll(() => workers.close());

const nothing = async (): Promise<void> => undefined;

type Row = { turn: number; waits_seconds: number; done: boolean; given_up: boolean };

async function postOne(name: string): Promise<number> {
  const [id] = await workers.post([{ name, payload: { ref: "opaque" } }]);
  return id ?? 0;
}

async function look(id: number): Promise<Row | undefined> {
  const [row] = await workers.ledger.sql<Row[]>`
    select turn, extract(epoch from due_at - clock_timestamp())::float8 as waits_seconds,
           done_at is not null as done, given_up_at is not null as given_up
      from ledger.outbox where id = ${id}`;
  return row;
}

describe("a message", () => {
  it("is left to the worker that has it, and done once", async () => {
    const { sql } = workers.ledger;
    const id = await postOne("test.slow");
    const begun = Promise.withResolvers<undefined>();
    const finish = Promise.withResolvers<undefined>();
    const slow = async (): Promise<void> => {
      begun.resolve(undefined);
      await finish.promise;
    };
    const first = deliverMessage(sql, { "test.slow": slow }, id);
    await begun.promise;
    expect(await deliverMessage(sql, { "test.slow": slow }, id)).toBe("elsewhere");
    // Nor is it handed to the queue while a worker has it.
    expect(await relayOutbox({ sql, queue: workers.queue, log })).toBe(0);
    finish.resolve(undefined);
    expect(await first).toBe("delivered");
    expect(await deliverMessage(sql, { "test.slow": slow }, id)).toBe("elsewhere");
    expect(await look(id)).toMatchObject({ done: true });
  });

  it("of an unknown name fails loudly and is kept", async () => {
    const id = await postOne("toString");
    const delivering = deliverMessage(workers.ledger.sql, { "test.other": nothing }, id);
    await expect(delivering).rejects.toBeInstanceOf(UnknownMessage);
    expect(await look(id)).toMatchObject({ done: false, given_up: false });
  });

  it("whose handler fails is not done, and the failure is passed on and counted", async () => {
    const id = await postOne("test.fail");
    const seen: unknown[] = [];
    const failing = async (payload: unknown): Promise<void> => {
      z.strictObject({ ref: z.literal("opaque") }).parse(payload);
      throw new RangeError("not today");
    };
    const delivering = deliverMessage(workers.ledger.sql, { "test.fail": failing }, id, (attempt) =>
      seen.push(attempt),
    );
    await expect(delivering).rejects.toThrow("not today");
    expect(await look(id)).toMatchObject({ done: false });
    expect(seen).toEqual([{ name: "test.fail", outcome: "failed" }]);
  });

  it("is handed on again after longer and longer waits, six hours at most", async () => {
    const { sql, owner } = workers.ledger;
    const id = await postOne("test.wait");
    const options = { sql, queue: workers.queue, log };
    const waits: number[] = [];
    for (let turn = 1; turn <= attemptsMax; turn += 1) {
      expect(await relayOutbox(options)).toBe(1);
      expect(await relayOutbox(options)).toBe(0);
      const row = await look(id);
      expect(row?.turn).toBe(turn);
      waits.push(Math.ceil((row?.waits_seconds ?? 0) / 60));
      await owner`update ledger.outbox set due_at = clock_timestamp() where id = ${id}`;
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 360, 360, 360, 360, 360]);
  });

  it("is given up after its last attempt, reported by name, and delivered no more", async () => {
    const { sql } = workers.ledger;
    const id = await postOne("test.hopeless");
    const givenUp: string[] = [];
    const options = {
      sql,
      queue: workers.queue,
      log,
      firstWaitMs: 0,
      onGivenUp: (name: string) => givenUp.push(name),
    };
    const passes: number[] = [];
    for (let pass = 0; pass < attemptsMax + 2; pass += 1) passes.push(await relayOutbox(options));
    expect(passes).toEqual([...Array.from({ length: attemptsMax }, () => 1), 0, 0]);
    expect(givenUp).toEqual(["test.hopeless"]);
    expect(await look(id)).toMatchObject({ turn: attemptsMax, done: false, given_up: true });
    const handlers = { "test.hopeless": nothing };
    expect(await deliverMessage(sql, handlers, id)).toBe("elsewhere");
  });

  it("that the queue does not take has had no attempt", async () => {
    const { sql, owner } = workers.ledger;
    const id = await postOne("test.refused");
    const options = { sql, queue: workers.queue, log };
    await owner`revoke insert on bullmq.job from jobs_app`;
    await expect(relayOutbox(options)).rejects.toMatchObject({ code: "42501" });
    const refused = await look(id);
    expect(refused?.turn).toBe(0);
    expect(refused?.waits_seconds).toBeLessThanOrEqual(0);
    await owner`grant insert on bullmq.job to jobs_app`;
    expect(await relayOutbox(options)).toBe(1);
    expect((await look(id))?.turn).toBe(1);
  });
});

describe("the service's role", () => {
  it.each([
    "update ledger.outbox set name = 'test.other'",
    "update ledger.outbox set payload = '{}'",
    "update ledger.outbox set pos = 1",
    "update ledger.outbox set added_at = now()",
    "insert into ledger.outbox (pos, name, payload) values (1, 'test.post', '{}')",
    "delete from ledger.outbox",
    "update ledger.due_timer set due_at = now()",
    "update ledger.due_timer set name = 'test.other'",
    "insert into ledger.due_timer values ('consent-1', 'test.due', now(), null, 1)",
    "delete from ledger.due_timer",
  ])("may settle messages and timers, not make, change or remove them: %s", async (statement) => {
    await expect(workers.ledger.sql.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  });
});
