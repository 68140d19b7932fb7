import { randomInt, randomUUID } from "node:crypto";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { PostgresUnavailable } from "@pro-talent/platform/postgres/unavailable";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { asRole } from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { runCommand } from "./commands.ts";
import { catchUp, type Follower, runFollowers } from "./follow.ts";
import { gaugeFollowerLag } from "./metrics.ts";
import { type Process, registerProcesses } from "./processes.ts";
import { loadStream } from "./streams.ts";
import { newNote, noteCommand, noteEvents, notes } from "./testing/notes.ts";
import { countNotes, instanceOf, tallyEvents } from "./testing/tallies.ts";
import { causeAfter } from "./types.ts";

const log = createLogger({ service: "test", level: "silent" });

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger({ max: 16 });
});
afterAll(() => ledger.drop());

/** A process with a tally of one test alone, at the head: earlier events are not its concern. */
async function register(
  commandFor?: Parameters<typeof countNotes>[1],
): Promise<{ id: string; process: Process }> {
  const id = randomUUID();
  const process = countNotes(id, commandFor);
  await registerProcesses(ledger.owner, [process]);
  await ledger.owner`update ledger.checkpoint set (epoch, pos) =
    (select coalesce(e.epoch, 1), h.pos from ledger.head h left join ledger.event e using (pos))
     where follower = ${process.name}`;
  return { id, process };
}

async function write(count: number, stream = newNote()): Promise<void> {
  for (let done = 0; done < count; done += 1) await carryOut(noteCommand(stream, "WriteNote"));
}

async function carryOut(request: ReturnType<typeof noteCommand>): Promise<void> {
  expect(await runCommand(ledger.ledger, notes, request)).toMatchObject({ how: "recorded" });
}

const totals = async (id: string): Promise<number[]> => {
  const { events } = await loadStream(ledger.sql, tallyEvents, tallyEvents.streamOf(id));
  return events.map(({ event }) => event.data.total);
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function checkpoint({ name }: Process): Promise<number | undefined> {
  const [row] = await ledger.sql<{ pos: number }[]>`
    select pos from ledger.checkpoint where follower = ${name}`;
  return row?.pos;
}

async function head(): Promise<number> {
  const [row] = await ledger.sql<{ pos: number }[]>`select pos from ledger.head`;
  return row?.pos ?? -1;
}

/** Twice: the second time passes over the events that the process itself has led to. */
async function follow(process: Process): Promise<void> {
  for (let time = 0; time < 2; time += 1) await catchUp(instanceOf(ledger, process));
}

describe("a process", () => {
  it("turns each event of the other domain into one command, and passes over the rest", async () => {
    const { id, process } = await register();
    const stream = newNote();
    await write(3, stream);
    await carryOut(noteCommand(stream, "CloseNote"));
    await follow(process);
    expect(await totals(id)).toEqual([1, 2, 3]);
    expect(await checkpoint(process)).toBe(await head());
  });

  it("names itself as the actor, the event as the cause, and keeps the correlation", async () => {
    const { id, process } = await register();
    const request = noteCommand(newNote(), "WriteNote");
    await carryOut(request);
    await follow(process);
    const [written] = (await loadStream(ledger.sql, noteEvents, noteEvents.streamOf(request.id)))
      .events;
    const [row] = await ledger.sql<{ meta: string }[]>`
      select meta from ledger.event where stream = ${tallyEvents.streamOf(id)}`;
    const cause: unknown = JSON.parse(row?.meta ?? "");
    expect(cause).toEqual({
      actor: `process:${process.name}`,
      causationId: written?.eventId,
      correlationId: request.cause.correlationId,
    });
    expect(causeAfter(`process:${process.name}`, written?.eventId ?? "", row?.meta ?? "")).toEqual(
      cause,
    );
  });

  it.each(["Refuse", "Ignore"] as const)(
    "goes on after a command that leads to no event: %s",
    async (without) => {
      let reactions = 0;
      const { id, process } = await register(({ type }) => {
        if (type !== "NoteWritten") return undefined;
        reactions += 1;
        return reactions === 2 ? without : "Count";
      });
      await write(3);
      await follow(process);
      expect(reactions).toBe(3);
      expect(await totals(id)).toEqual([1, 2]);
      expect(await checkpoint(process)).toBe(await head());
    },
  );

  it("stops before an event that it cannot react to, is reported, and goes on once it can", async () => {
    const { id, process } = await register();
    await write(2);
    const broken: Process = {
      ...process,
      react: () => {
        throw new Error("not understood");
      },
    };
    const before = await checkpoint(process);
    const runner = runFollowers(ledger.sql, [instanceOf(ledger, broken)], log);
    await until("it is reported as failing", () => runner.failing().includes(process.name));
    await runner.stop();
    expect(await checkpoint(process)).toBe(before);
    await follow(process);
    expect(await totals(id)).toEqual([1, 2]);
  });

  it("needs a domain that has the events which it reads", () => {
    const process: Process = { ...countNotes("elsewhere"), category: "parcel" };
    expect(() => instanceOf(ledger, process)).toThrow("No domain has streams parcel-…");
  });
});

describe("each event leads to one command", () => {
  it("when the process is killed between an append and its acknowledgement", async () => {
    const { id, process } = await register();
    await write(4);
    for (let kill = 0; kill < 4; kill += 1) {
      const dying: Process = {
        ...process,
        react: async (...args) => {
          await process.react(...args);
          throw new Error("killed");
        },
      };
      const before = (await checkpoint(process)) ?? 0;
      await expect(instanceOf(ledger, dying).step()).rejects.toThrow("killed");
      // The checkpoint moved with the append: the event is not met again.
      expect(await checkpoint(process)).toBeGreaterThan(before);
      expect(await totals(id)).toEqual(upTo(kill + 1));
    }
    await follow(process);
    expect(await totals(id)).toEqual(upTo(4));
  });

  it("when events are met again, because the checkpoint was moved back", async () => {
    const { id, process } = await register();
    const before = (await checkpoint(process)) ?? 0;
    await write(3);
    await follow(process);
    const after = await head();
    for (const back of [before, after - 2]) {
      await ledger.owner`update ledger.checkpoint set pos = ${back},
        epoch = coalesce((select epoch from ledger.event where pos = ${back}), 1)
         where follower = ${process.name}`;
      await follow(process);
      expect(await totals(id)).toEqual([1, 2, 3]);
      expect([await head(), await checkpoint(process)]).toEqual([after, after]);
    }
  });

  it("when several workers race, also while events are recorded", async () => {
    const { id, process } = await register();
    const writing = Promise.all(Array.from({ length: 4 }, () => write(10)));
    const racers = Array.from({ length: 3 }, () =>
      runFollowers(ledger.sql, [instanceOf(ledger, process)], log),
    );
    await writing;
    await until("all are counted", async () => (await totals(id)).length >= 40);
    await Promise.all(racers.map((racer) => racer.stop()));
    await follow(process);
    expect(await totals(id)).toEqual(upTo(40));
    expect(await checkpoint(process)).toBe(await head());
  });

  it("when its connections are cut at random", async () => {
    const { id, process } = await register();
    await write(20);
    const application = "test-victim";
    const url = asRole(ledger.ownerUrl, "ledger_app");
    const sql = openPool(url, { max: 2, applicationName: application });
    const caughtUp = new AbortController();
    const cutting = cutConnections(application, caughtUp.signal);
    const victim = instanceOf({ ledger: { ...ledger.ledger, sql } }, process);
    const failures = await catchUpThoughCut(victim).finally(() => caughtUp.abort());
    const cuts = await cutting;
    await sql.end();
    await follow(process);
    expect(cuts).toBeGreaterThan(0);
    expect(failures).toBeGreaterThan(0);
    expect(await totals(id)).toEqual(upTo(20));
    expect(await checkpoint(process)).toBe(await head());
  });
});

const cutsMax = 20;

/** Ends connections of an application, a few milliseconds apart. @returns how many it ended */
async function cutConnections(application: string, end: AbortSignal): Promise<number> {
  let cut = 0;
  while (!end.aborted && cut < cutsMax) {
    const ended = await ledger.owner`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${application} and datname = current_database()`;
    cut += ended.length;
    await ledger.owner`select pg_sleep(${randomInt(1, 15) / 1000}::float8)`;
  }
  return cut;
}

/** Begins again after each cut, as the worker does. @returns how many cuts it met */
async function catchUpThoughCut(follower: Follower): Promise<number> {
  for (let failures = 0; ; failures += 1) {
    try {
      await catchUp(follower);
      return failures;
    } catch (error) {
      if (!(error instanceof PostgresUnavailable)) throw error;
    }
  }
}

describe("an append of a process whose checkpoint has moved", () => {
  it("writes nothing: neither the event nor the checkpoint", async () => {
    const { id, process } = await register();
    await write(1);
    const overtaken: Process = {
      ...process,
      react: async (...args) => {
        // Another instance is faster, after this one read the event.
        await follow(process);
        const [first, recorded, context] = args;
        const commandId = randomUUID();
        const result = await process.react(first, recorded, { ...context, commandId });
        if (result === undefined) throw new Error("The event leads to no command");
        return result;
      },
    };
    expect(await instanceOf(ledger, overtaken).step()).toBe("behind");
    expect(await totals(id)).toEqual([1]);
    expect(await checkpoint(process)).toBe(await head());
  });
});

describe("the lag of a process", () => {
  it("is the number of events that it has not seen yet", async () => {
    const { process } = await register();
    const registry = new Registry();
    gaugeFollowerLag(registry, ledger.sql);
    const lag = async () => (await registry.metrics()).match(lagOf(process))?.[1];
    await write(3);
    expect(await lag()).toBe("3");
    await follow(process);
    expect(await lag()).toBe("0");
  });
});

const lagOf = ({ name }: Process) =>
  new RegExp(`ledger_follower_lag_events\\{follower="${name}"\\} (\\d+)`);
