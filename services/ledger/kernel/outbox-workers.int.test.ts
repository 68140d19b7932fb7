import { type ChildProcess, fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { queueBackends } from "@pro-talent/platform/queue/testing/test-queue";
import { compiledModules } from "@pro-talent/platform/testing/run-program";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { deliveriesAtOnce } from "../worker-app.ts";
import { type MessageHandlers, retryMessages } from "./outbox.ts";
import { type LedgerWorkers, openLedgerWorkers } from "./testing/open-ledger-workers.ts";

const Numbered = z.strictObject({ number: z.int() });

const numbered = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ name: "test.post", payload: { number } }));

/** Handlers that write down which message they were called for. */
function recording(before: (number: number) => Promise<void> = async () => undefined) {
  const seen: number[] = [];
  const handlers: MessageHandlers = {
    "test.post": async (payload) => {
      const { number } = Numbered.parse(payload);
      seen.push(number);
      await before(number);
    },
  };
  return { seen, handlers };
}

describe.each(queueBackends)("on %s", (backend) => {
  let workers: LedgerWorkers;
  beforeAll(async () => {
    workers = await openLedgerWorkers(backend);
    await workers.ledger.owner.unsafe(`
      create table delivered (payload jsonb not null);
      grant select, insert on delivered to ledger_app`);
  });
  afterEach(() => workers.rest());
  afterAll(() => workers.close());

  describe("what follows from events", () => {
    it("is done once", async () => {
      const { seen, handlers } = recording();
      await workers.start(handlers);
      const ids = await workers.post(numbered(1));
      await until("it is done", async () => (await workers.done(ids)) === 1);
      expect(seen).toEqual([0]);
    });

    it("is tried again when it fails, until it is done", async () => {
      let failures = 0;
      const { seen, handlers } = recording(async () => {
        if (failures < 2) {
          failures += 1;
          throw new RangeError("not yet");
        }
      });
      await workers.start(handlers);
      const ids = await workers.post(numbered(1));
      await until("it is done", async () => (await workers.done(ids)) === 1, 20_000);
      expect(seen).toEqual([0, 0, 0]);
    });

    it("that was given up is delivered when it is requested again, although the queue knows its jobs", async () => {
      const { seen, handlers } = recording();
      await workers.start(handlers);
      const [id = 0] = await workers.post(numbered(1));
      await until("its job is finished", async () => (await workers.done([id])) === 1);
      const { owner } = workers.ledger;
      await owner`update ledger.outbox set done_at = null, given_up_at = now() where id = ${id}`;
      expect(await retryMessages(owner, [id], "test")).toBe(1);
      await until("it is delivered again", () => seen.length === 2);
      const recorded = await owner`
        select from ledger.operator_action where action = 'outbox.retry' and concerns = ${String(id)}`;
      expect(recorded).toHaveLength(1);
    });

    it("is done once each by three workers that share it", async () => {
      const count = 200;
      const { seen, handlers } = recording();
      // A short wait: messages are handed on again while they are delivered, and that must do no harm.
      await Promise.all([1, 2, 3].map(() => workers.start(handlers, 50)));
      const ids = await workers.post(numbered(count));
      await until("all are done", async () => (await workers.done(ids)) === count, 25_000);
      expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n));
    });

    it("is done although the queue loses all it holds in the middle", async () => {
      const count = 60;
      const goOn = Promise.withResolvers<undefined>();
      const { seen, handlers } = recording(async (number) => {
        if (number >= count / 2) await goOn.promise;
      });
      await workers.start(handlers, 1500);
      const ids = await workers.post(numbered(count));
      await until("some are done, others wait in the queue", async () => {
        const waiting = await workers.store.unfinished();
        return (await workers.done(ids)) > 0 && waiting > 2 * deliveriesAtOnce;
      });
      await workers.store.lose();
      goOn.resolve(undefined);
      await until("all are done", async () => (await workers.done(ids)) === count, 20_000);
      expect(new Set(seen).size).toBe(count);
      expect(seen.length).toBe(count);
    });
  });

  describe("a process that is killed in the middle of deliveries", () => {
    const count = 40;

    function startProcess(hangsAfter: number): ChildProcess {
      const file = fileURLToPath(new URL("testing/start-delivering.ts", import.meta.url));
      const keys = JSON.stringify(workers.ledger.testKeys.environment);
      return fork(file, [workers.ledgerUrl, workers.queueUrl, "200", String(hangsAfter), keys], {
        env: compiledModules,
        execArgv: [],
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
    }

    it("leaves nothing undone, and repeats no more than it had begun", async () => {
      const ids = await workers.post(numbered(count));
      const victim = startProcess(randomInt(0, 8));
      await once(victim, "message");
      victim.kill("SIGKILL");
      await once(victim, "exit");
      const before = await workers.done(ids);
      expect(before).toBeLessThan(count);
      const finisher = startProcess(count);
      await until("all are done", async () => (await workers.done(ids)) === count, 60_000);
      finisher.kill("SIGKILL");
      await once(finisher, "exit");
      const delivered = await workers.ledger.owner<{ number: number; times: number }[]>`
        select (payload->>'number')::int as number, count(*)::int as times
          from delivered group by 1 order by 1`;
      expect(delivered.map(({ number }) => number)).toEqual(
        Array.from({ length: count }, (_, n) => n),
      );
      const repeated = delivered.reduce((sum, { times }) => sum + times - 1, 0);
      expect(repeated).toBeGreaterThanOrEqual(1);
      expect(repeated).toBeLessThanOrEqual(deliveriesAtOnce);
      expect(Math.max(...delivered.map(({ times }) => times))).toBe(2);
    }, 120_000);
  });
});
