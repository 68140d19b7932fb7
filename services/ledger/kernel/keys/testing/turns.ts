import { randomBytes, randomUUID } from "node:crypto";

import { openFileKeyStore } from "@pro-talent/platform/keys/file-key-store";
import type { KeyPeriods } from "@pro-talent/platform/keys/key-periods";
import type { KeyStore } from "@pro-talent/platform/keys/key-store";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { until } from "@pro-talent/platform/testing/until";

import { type TestLedger, testSecrets } from "../../../testing/create-test-ledger.ts";
import { openSubjects, type Subjects } from "../../subjects.ts";
import type { LedgerKeys } from "../check-keys.ts";
import { openKeyring } from "../keyring.ts";
import { ledgerStoreNames } from "../open-keys.ts";
import { turnEpochs } from "../turn-epochs.ts";

const dayMs = 24 * 60 * 60 * 1000;
const periods: KeyPeriods = { epochDays: 14, overlapDays: 31, keyBackupDays: 14 };

class Interrupted extends Error {}

/** Turns of epochs on days of the test's own, counted from now, and what may happen beside them. */
export type Turns = ReturnType<typeof openTurns>;

/** @param ledger whose clock is moved for its keys alone */
export function openTurns(ledger: TestLedger) {
  const log = createLogger({ service: "test", level: "silent" });
  // The first epoch begins with the first subject, some moments after this.
  const startMs = Date.now() + 60_000;
  let { keys } = ledger.testKeys;
  let batchSize = 2;
  /** On which day each epoch was missing from the store for the first time. */
  const destroyedOn = new Map<string, number>();

  async function at(day: number, change: Partial<LedgerKeys> = {}): Promise<void> {
    const before = await keys.store.epochs();
    const now = async (): Promise<number> => startMs + day * dayMs;
    await turnEpochs({
      keeper: ledger.keeper,
      periods,
      log,
      now,
      batchSize,
      keys: { ...keys, ...change },
    });
    const after = new Set((await keys.store.epochs()).map(({ id }) => id));
    for (const { id } of before) if (!after.has(id)) destroyedOn.set(id, day);
  }

  return {
    log,
    at,
    /** One turn whose step of this number (from 0) fails: a call of the store or a statement. */
    interrupted: async (day: number, step: number, when: "before" | "after") => {
      let steps = 0;
      const guard = async <Result>(work: () => PromiseLike<Result>): Promise<Result> => {
        const fails = steps++ === step;
        if (fails && when === "before") throw new Interrupted();
        const result = await work();
        if (fails) throw new Interrupted();
        return result;
      };
      const keeper = guardedSql(ledger.keeper, guard);
      const store = guardedStore(keys.store, guard);
      const now = async (): Promise<number> => startMs + day * dayMs;
      try {
        await turnEpochs({ keeper, periods, log, now, batchSize, keys: { ...keys, store } });
        return "completed" as const;
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        return "interrupted" as const;
      }
    },
    /** Days after its erasure for which a copy could be opened, backups of the store included, if too many. */
    openableDays: (copies: readonly { row: { wrapping_key_id: string }; erasedOn: number }[]) =>
      copies
        .map(({ row, erasedOn }) => (destroyedOn.get(row.wrapping_key_id) ?? Infinity) - erasedOn)
        .filter((days) => days + periods.keyBackupDays > 60),
    startLoad: () => {
      batchSize = 100;
      const load = startLoad(ledger, () => keys);
      return {
        ...load,
        /** A rolling restart: processes get a new secret, and the former one beside it. */
        rotate: (secret: "wrapping" | "lookup") => {
          const fresh = randomBytes(32);
          keys =
            secret === "wrapping"
              ? {
                  ...keys,
                  wrappingKeys: [fresh, testSecrets.wrappingKey],
                  store: openFileKeyStore(
                    ledger.testKeys.file,
                    [fresh, testSecrets.wrappingKey],
                    ledgerStoreNames,
                  ),
                }
              : { ...keys, lookupKeys: [fresh, testSecrets.lookupKey] };
          load.restart();
        },
      };
    },
  };
}

type Guard = <Result>(work: () => PromiseLike<Result>) => Promise<Result>;

function guardedSql(sql: Sql, guard: Guard): Sql {
  return new Proxy(sql, {
    apply: (target, self, args) => {
      const statement: unknown = Reflect.apply(target, self, args);
      return guard(async () => await statement);
    },
  });
}

function guardedStore(store: KeyStore, guard: Guard): KeyStore {
  return {
    epochs: () => guard(() => store.epochs()),
    begin: (...args) => guard(() => store.begin(...args)),
    destroy: (...args) => guard(() => store.destroy(...args)),
    wrap: (...args) => guard(() => store.wrap(...args)),
    unwrap: (...args) => guard(() => store.unwrap(...args)),
    renew: () => guard(() => store.renew()),
    isRenewed: () => guard(() => store.isRenewed()),
  };
}

/** Callers that make, open and erase subjects, each as a process of its own. */
function startLoad(ledger: TestLedger, keysNow: () => LedgerKeys) {
  const log = createLogger({ service: "test", level: "silent" });
  const open = (): Subjects =>
    openSubjects(ledger.sql, openKeyring({ sql: ledger.sql, keys: keysNow(), log }));
  let processes = [open(), open(), open()];
  const made: { email: string; id: string; sealed: Buffer }[] = [];
  const failures: unknown[] = [];
  let stopped = false;

  async function work(caller: number): Promise<void> {
    while (!stopped) {
      const subjects = processes[caller] ?? open();
      const email = `noa-${randomUUID()}@example.com`;
      try {
        const subject = await subjects.withAddress("test.subscriber", email);
        made.push({ email, id: subject.id, sealed: subject.seal({ email }).bytes });
        const erased = await subjects.ofOccasion("test.sender", randomUUID(), email);
        await ledger.destroyKey(erased.id);
        const older = made[Math.floor(Math.random() * made.length)];
        if (older !== undefined && (await subjects.find(older.id)) === undefined) {
          throw new Error("A subject is gone");
        }
        if (
          older !== undefined &&
          (await subjects.withAddress("test.subscriber", older.email)).id !== older.id
        ) {
          throw new Error("An address has two subjects");
        }
      } catch (error) {
        failures.push(error);
        stopped = true;
      }
    }
  }

  const working = processes.map((_process, caller) => work(caller));
  return {
    subjects: open,
    restart: () => {
      processes = processes.map(open);
    },
    untilMade: (count: number) =>
      until("subjects are made", async () => stopped || made.length >= count, 20_000),
    stop: async () => {
      stopped = true;
      await Promise.all(working);
      return { made, failures };
    },
    lookupsOnFormerKey: async (): Promise<number> => {
      const rows = await ledger.owner`
        select from ledger.subject where lookup_key_id is distinct from
          (select key_id from ledger.lookup_key order by used_from desc limit 1)`;
      return rows.length;
    },
  };
}
