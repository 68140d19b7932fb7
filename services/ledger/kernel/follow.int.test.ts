import { createLogger } from "@pro-talent/platform/runtime/logger";
import { until } from "@pro-talent/platform/testing/until";
import type { ConsentEvent } from "@pro-talent/schemas/consent/events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { consentHistory } from "../consent/consent-history.projection.ts";
import { consentAppend, consentEvent } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { append } from "./append.ts";
import { type Projection, readingStored } from "./projection.ts";
import { rebuildProjection } from "./rebuild.ts";
import { catchUp, HistoryChanged, runProjections, stepProjection } from "./run-projections.ts";

let ledger: TestLedger;
const history = readingStored(consentHistory);
const log = createLogger({ service: "test", level: "silent" });

beforeAll(async () => {
  ledger = await createTestLedger({ max: 16 });
});
afterAll(() => ledger.drop());

const projected = () =>
  ledger.sql<{ pos: number }[]>`select pos from ledger.consent_receipt order by pos`;
const recorded = () => ledger.sql<{ pos: number }[]>`select pos from ledger.event order by pos`;
const checkpoint = async () => {
  const [row] = await ledger.sql<{ epoch: number; pos: number }[]>`
    select epoch, pos from ledger.checkpoint where projection = ${history.name}`;
  return row;
};

describe("a projection that follows the ledger", () => {
  it("misses no event while many append, and writes none twice, with three followers racing", async () => {
    let appending = true;
    const followers = Array.from({ length: 3 }, async () => {
      let before = -1;
      while (appending) {
        await stepProjection(ledger.sql, history, 3);
        // Whatever has been projected so far is everything up to some position: no hole, ever.
        const positions = (await projected()).map((row) => row.pos);
        expect(positions).toEqual(
          Array.from({ length: positions.length }, (_, index) => index + 1),
        );
        expect(positions.length).toBeGreaterThanOrEqual(before);
        before = positions.length;
      }
    });
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let round = 0; round < 25; round += 1) {
          const events = Array.from({ length: 1 + ((writer + round) % 3) }, () => consentEvent());
          await append(ledger.store, consentAppend({ events }));
        }
      }),
    );
    appending = false;
    await Promise.all(followers);
    await catchUp(ledger.sql, history);
    expect(await projected()).toEqual(await recorded());
    expect((await checkpoint())?.pos).toBe((await recorded()).length);
  });

  it("is not held up by a transaction that stays open elsewhere", async () => {
    await ledger.owner.begin(async (tx) => {
      await tx`create table ledger.unrelated ()`;
      await append(ledger.store, consentAppend());
      await catchUp(ledger.sql, history);
      expect(await projected()).toEqual(await recorded());
      await tx`drop table ledger.unrelated`;
    });
  });

  it("never sees a half: events of an append that did not commit do not exist", async () => {
    const before = await recorded();
    const undone = ledger.owner.begin(async (tx) => {
      await tx`select from ledger.append(gen_random_uuid(), '\\x00', 'other-one', 0,
        jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'type', 'OtherThing',
          'sv', 1, 'meta', '{}', 'data', '{}')), '{}', '[]')`;
      await catchUp(ledger.sql, history);
      expect((await checkpoint())?.pos).toBe(before.length);
      throw new Error("rolled back");
    });
    await expect(undone).rejects.toThrow("rolled back");
    await append(ledger.store, consentAppend());
    await catchUp(ledger.sql, history);
    expect((await recorded()).length).toBe(before.length + 1);
    expect(await projected()).toEqual(await recorded());
  });

  it("comes after by itself while it runs, and stops when told to", async () => {
    const runner = runProjections({ sql: ledger.sql, projections: [history], log });
    await append(ledger.store, consentAppend());
    await until("the history has caught up", async () => {
      const [done, all] = [await projected(), await recorded()];
      return done.length === all.length;
    });
    expect(runner.failing()).toEqual([]);
    await runner.stop();
    await append(ledger.store, consentAppend());
    expect((await projected()).length).toBe((await recorded()).length - 1);
    await catchUp(ledger.sql, history);
  });
});

describe("a projection that meets an event which it cannot read", () => {
  const unreadable: Projection<ConsentEvent> = {
    ...consentHistory,
    evolve: () => {
      throw new Error("not understood");
    },
  };

  it("stands still before it, says so, and goes on once it can", async () => {
    await append(ledger.store, consentAppend());
    const before = await checkpoint();
    const runner = runProjections({
      sql: ledger.sql,
      projections: [readingStored(unreadable)],
      log,
    });
    await until("the projection says that it fails", () => runner.failing().includes(history.name));
    await runner.stop();
    expect(await checkpoint()).toEqual(before);
    await catchUp(ledger.sql, history);
    expect(await projected()).toEqual(await recorded());
  });

  it("does not skip a type that nobody knows, nor a version that is too new", async () => {
    for (const event of [
      "'type', 'ConsentForgotten', 'sv', 1",
      "'type', 'ConsentGranted', 'sv', 2",
    ]) {
      const ledger2 = await createTestLedger();
      await append(ledger2.store, consentAppend());
      await ledger2.owner.unsafe(`select from ledger.append(gen_random_uuid(), '\\x00',
        'consent-' || gen_random_uuid(), 0, jsonb_build_array(jsonb_build_object(
          'id', gen_random_uuid(), ${event}, 'meta', '{}', 'data', '{}')), '{}', '[]')`);
      await append(ledger2.store, consentAppend());
      await expect(catchUp(ledger2.sql, history)).rejects.toThrow("is not known here");
      expect(await ledger2.sql`select from ledger.consent_receipt`).toHaveLength(0);
      await expect(
        rebuildProjection(ledger2.owner, history, { accept: true }),
      ).resolves.toMatchObject({ position: 0 });
      await ledger2.drop();
    }
  });
});

describe("a projection whose ledger was restored from a backup", () => {
  it("refuses to go on when the event at its checkpoint is another one, until it is rebuilt", async () => {
    const restored = await createTestLedger();
    for (let index = 0; index < 3; index += 1) await append(restored.store, consentAppend());
    await catchUp(restored.sql, history);
    // The last event is lost with the backup's age, and life goes on in a new epoch.
    await restored.owner.begin(async (tx) => {
      await tx`alter table ledger.event disable trigger user`;
      await tx`delete from ledger.event where pos = 3`;
      await tx`update ledger.head set epoch = 2, pos = 2,
        hash = (select hash from ledger.event where pos = 2)`;
      await tx`alter table ledger.event enable always trigger frozen`;
    });
    await expect(stepProjection(restored.sql, history)).rejects.toThrow(HistoryChanged);
    await append(restored.store, consentAppend());
    await expect(stepProjection(restored.sql, history)).rejects.toThrow(HistoryChanged);
    await rebuildProjection(restored.owner, history, { accept: true });
    await append(restored.store, consentAppend());
    await catchUp(restored.sql, history);
    const rows = await restored.sql`select pos from ledger.consent_receipt order by pos`;
    expect(rows).toEqual([{ pos: 1 }, { pos: 2 }, { pos: 3 }, { pos: 4 }]);
    await restored.drop();
  });
});
