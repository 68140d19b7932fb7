import { createLogger } from "@pro-talent/platform/runtime/logger";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { consentReceipts } from "../domains/consent/read-models.ts";
import { consentAppend, consentEvent, newStream } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { rawAppend } from "../testing/raw-append.ts";
import { append } from "./append.ts";
import { catchUp, followerOf, HistoryChanged, runFollowers, stepReadModel } from "./follow.ts";
import type { ReadModel } from "./read-model.ts";
import { rebuildReadModel } from "./rebuild.ts";

let ledger: TestLedger;
const history = consentReceipts;
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
    select epoch, pos from ledger.checkpoint where follower = ${history.table}`;
  return row;
};

describe("a read model that follows the ledger", () => {
  it("misses no event while many append, and writes none twice, with three followers racing", async () => {
    let appending = true;
    const followers = Array.from({ length: 3 }, async () => {
      let before = -1;
      while (appending) {
        await stepReadModel(ledger.sql, history, 3);
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
          await append(ledger, consentAppend({ events }));
        }
      }),
    );
    appending = false;
    await Promise.all(followers);
    await catchUp(followerOf(ledger.sql, history));
    expect(await projected()).toEqual(await recorded());
    expect((await checkpoint())?.pos).toBe((await recorded()).length);
  });

  it("is not held up by a transaction that stays open elsewhere", async () => {
    await ledger.owner.begin(async (tx) => {
      await tx`create table ledger.unrelated ()`;
      await append(ledger, consentAppend());
      await catchUp(followerOf(ledger.sql, history));
      expect(await projected()).toEqual(await recorded());
      await tx`drop table ledger.unrelated`;
    });
  });

  it("never sees a half: events of an append that did not commit do not exist", async () => {
    const before = await recorded();
    const undone = ledger.owner.begin(async (tx) => {
      await rawAppend(tx, { stream: "other-one", type: "OtherThing" });
      await catchUp(followerOf(ledger.sql, history));
      expect((await checkpoint())?.pos).toBe(before.length);
      throw new Error("rolled back");
    });
    await expect(undone).rejects.toThrow("rolled back");
    await append(ledger, consentAppend());
    await catchUp(followerOf(ledger.sql, history));
    expect((await recorded()).length).toBe(before.length + 1);
    expect(await projected()).toEqual(await recorded());
  });

  it("follows by itself while it runs, until it is stopped", async () => {
    const runner = runFollowers(ledger.sql, [followerOf(ledger.sql, history)], log);
    await append(ledger, consentAppend());
    await until("the history has caught up", async () => {
      const [done, all] = [await projected(), await recorded()];
      return done.length === all.length;
    });
    expect(runner.failing()).toEqual([]);
    await runner.stop();
    await append(ledger, consentAppend());
    expect((await projected()).length).toBe((await recorded()).length - 1);
    await catchUp(followerOf(ledger.sql, history));
  });
});

describe("a read model that meets an event which it cannot read", () => {
  const unreadable: ReadModel = {
    ...history,
    applyStored: () => {
      throw new Error("not understood");
    },
  };

  it("stops before it, reports it, and continues once it can", async () => {
    await append(ledger, consentAppend());
    const before = await checkpoint();
    const runner = runFollowers(ledger.sql, [followerOf(ledger.sql, unreadable)], log);
    await until("the read model is reported as failing", () =>
      runner.failing().includes(history.table),
    );
    await runner.stop();
    expect(await checkpoint()).toEqual(before);
    await catchUp(followerOf(ledger.sql, history));
    expect(await projected()).toEqual(await recorded());
  });

  it("does not skip an unknown type, nor a version that is too new", async () => {
    for (const event of [
      { type: "ConsentForgotten", schemaVersion: 1 },
      { type: "ConsentGranted", schemaVersion: 2 },
    ]) {
      const ledger2 = await createTestLedger();
      await append(ledger2, consentAppend());
      await rawAppend(ledger2.owner, { stream: newStream(), ...event });
      await append(ledger2, consentAppend());
      await expect(catchUp(followerOf(ledger2.sql, history))).rejects.toThrow("is not known here");
      expect(await ledger2.sql`select from ledger.consent_receipt`).toHaveLength(0);
      await expect(
        rebuildReadModel(ledger2.owner, history, { accept: true }),
      ).resolves.toMatchObject({ position: 0 });
      await ledger2.drop();
    }
  });
});

describe("a read model whose ledger was restored from a backup", () => {
  it("refuses to go on when the event at its checkpoint is another one, until it is rebuilt", async () => {
    const restored = await createTestLedger();
    for (let index = 0; index < 3; index += 1) await append(restored, consentAppend());
    await catchUp(followerOf(restored.sql, history));
    // The last event is lost with the backup's age, and the ledger continues in a new epoch.
    await restored.owner.begin(async (tx) => {
      await tx`alter table ledger.event disable trigger user`;
      await tx`delete from ledger.event where pos = 3`;
      await tx`update ledger.head set epoch = 2, pos = 2,
        hash = (select hash from ledger.event where pos = 2)`;
      await tx`alter table ledger.event enable always trigger frozen`;
    });
    await expect(stepReadModel(restored.sql, history)).rejects.toThrow(HistoryChanged);
    await append(restored, consentAppend());
    await expect(stepReadModel(restored.sql, history)).rejects.toThrow(HistoryChanged);
    await rebuildReadModel(restored.owner, history, { accept: true });
    await append(restored, consentAppend());
    await catchUp(followerOf(restored.sql, history));
    const rows = await restored.sql`select pos from ledger.consent_receipt order by pos`;
    expect(rows).toEqual([{ pos: 1 }, { pos: 2 }, { pos: 3 }, { pos: 4 }]);
    await restored.drop();
  });
});
