import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { SealBroken } from "../crypto/seal.ts";
import type { Logger } from "../runtime/logger.ts";
import { repeat, type Repetition } from "../runtime/repeat.ts";
import { type KeyPeriods, settleDays } from "./key-periods.ts";
import { EpochUnknown, type KeyEpoch, type KeyStore } from "./key-store.ts";

/** A key that protects one person's data, as a row has it: wrapped under an epoch's key. */
export type WrappedRow = { readonly id: string; readonly wrapped: Buffer; readonly epoch: string };

/** An epoch as a database has it. */
export type RegisteredEpoch = {
  readonly id: string;
  readonly usedFromMs: number;
  /** One that is not lost, and not a key of the environment that former versions wrapped under. */
  readonly usable: boolean;
  readonly lost: boolean;
};

/** The epochs and the wrapped keys of one database. Each step may be repeated. */
export type EpochRegister = {
  /** The clock of the database unless a test moves it. */
  readonly now: () => Promise<number>;
  /** The one in use last. */
  readonly registered: () => Promise<readonly RegisteredEpoch[]>;
  readonly begin: (id: string, at: Instant) => Promise<void>;
  /** Rows that are wrapped under another epoch, by id. */
  readonly rowsToRewrap: (current: string, after: string, limit: number) => Promise<WrappedRow[]>;
  readonly rewrap: (
    current: string,
    changes: readonly { id: string; old: string; new: string }[],
  ) => Promise<void>;
  /** Key of a row, from whichever key it is wrapped under. @throws EpochUnknown; SealBroken */
  readonly unwrap: (row: WrappedRow) => Promise<Buffer>;
  /** @returns false while a row names it */
  readonly end: (id: string) => Promise<boolean>;
  /** Ended ones whose key may still exist. */
  readonly ended: () => Promise<readonly string[]>;
  readonly noteDestroyed: (id: string) => Promise<void>;
  /** Whether it is a key of the environment, which only an operator can replace. */
  readonly isOfEnvironment: (id: string) => boolean;
};

export type EpochTurn = {
  readonly register: EpochRegister;
  readonly store: KeyStore;
  readonly periods: KeyPeriods;
  readonly log: Logger;
  /** Rows that are re-wrapped by one statement. */
  readonly batchSize?: number | undefined;
  /** Ends a turn between two batches. */
  readonly signal?: AbortSignal | undefined;
};

const dayMs = 24 * 60 * 60 * 1000;
const everyMs = 10 * 60 * 1000;
/** As many requests are under way at once where the store is on the network. */
const batchSizeUsual = 50;

/** Turns epochs every ten minutes until stopped; what is due follows from their dates alone. */
export function startTurning(turn: Omit<EpochTurn, "signal">): Repetition {
  return repeat({
    everyMs,
    pass: async (signal) => {
      await turnEpochs({ ...turn, signal });
      return "wait";
    },
    onFailing: (error) => turn.log.error({ err: error }, "epochs of keys do not turn"),
  });
}

/**
 * Does what is due: begins the next epoch, re-wraps all rows under it, ends former epochs and destroys
 * their keys. Each step may be repeated and interrupted, also by another worker's turn: a key is in the
 * store before a row names it, and is destroyed after no row can name it any more.
 * @throws KeysUnavailable; PostgresUnavailable
 */
export async function turnEpochs(turn: EpochTurn): Promise<void> {
  const { register, store, log } = turn;
  if (await store.renew()) log.info("the key store is under the present wrapping key");
  const nowMs = await register.now();
  const current = await beginDueEpoch(turn, nowMs);
  if (current === undefined) return;
  const left = await rewrapRows(turn, current);
  if (left > 0) log.error({ rows: left }, "keys of subjects cannot be re-wrapped");
  await endDueEpochs(turn, current, nowMs);
  await destroyEndedEpochs(turn);
}

/** @returns the id of the epoch in use; undefined before the first start of a service */
async function beginDueEpoch(turn: EpochTurn, nowMs: number): Promise<string | undefined> {
  const { register, store, periods, log } = turn;
  const current = (await register.registered()).findLast(({ usable }) => usable);
  if (current === undefined) return undefined;
  const stored = await store.epochs();
  const place = stored.findIndex(({ id }) => id === current.id);
  // The check of the keys reports it; nothing is begun beside a store that belongs to another database.
  if (place === -1) return undefined;
  const dueMs = current.usedFromMs + periods.epochDays * dayMs;
  if (nowMs < dueMs - settleDays * dayMs) return current.id;
  const next =
    place < stored.length - 1 ? stored.at(-1) : await store.begin(instantFromMs(nowMs), current.id);
  if (next === undefined || nowMs < usableFromMs(next) || nowMs < dueMs) return current.id;
  await register.begin(next.id, instantFromMs(nowMs));
  log.info({ key: next.id }, "an epoch of keys began");
  return next.id;
}

/** By then a backup of the key store has the key. */
function usableFromMs({ begunAt }: { readonly begunAt: Instant }): number {
  return Date.parse(begunAt) + settleDays * dayMs;
}

/** @returns how many rows were left, since their key could not be opened */
async function rewrapRows(turn: EpochTurn, current: string): Promise<number> {
  const { register, signal, batchSize = batchSizeUsual } = turn;
  let left = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  while (signal?.aborted !== true) {
    const rows = await register.rowsToRewrap(current, after, batchSize);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    const moved = await Promise.all(rows.map((row) => rewrapped(turn, row, current)));
    const changes = moved.filter((change) => change !== undefined);
    left += moved.length - changes.length;
    await register.rewrap(current, changes);
  }
  return left;
}

/** The change of one row; undefined when its key cannot be opened. The new one is opened before it is used. */
async function rewrapped({ register, store }: EpochTurn, row: WrappedRow, current: string) {
  const key = await register.unwrap(row).catch((error: unknown) => {
    if (error instanceof SealBroken || error instanceof EpochUnknown) return undefined;
    throw error;
  });
  if (key === undefined) return undefined;
  const { id } = row;
  const wrapped = await store.wrap(current, key, id);
  const opened = await store.unwrap(current, wrapped, id);
  if (!opened.equals(key)) throw new Error("A key was wrapped that does not open");
  return { id, old: row.wrapped.toString("hex"), new: wrapped.toString("hex") };
}

/**
 * The time of an epoch's end follows from its begin alone: a turn that was late shortens the time for which
 * old backups can be restored, never the promise about erased persons.
 */
async function endDueEpochs(turn: EpochTurn, current: string, nowMs: number): Promise<void> {
  const { register, store, periods, log } = turn;
  const lifeMs = (periods.epochDays + periods.overlapDays) * dayMs;
  const registered = await register.registered();
  const isDue = ({ usable, usedFromMs }: RegisteredEpoch): boolean =>
    !usable || usedFromMs + lifeMs <= nowMs;
  for (const epoch of registered.filter(({ id, lost }) => id !== current && !lost)) {
    if (!isDue(epoch)) continue;
    if (await register.end(epoch.id)) log.info({ key: epoch.id }, "an epoch of keys ended");
    else log.error({ key: epoch.id }, "an epoch of keys is due to end and still in use");
  }
  // Epochs of which the database knows nothing, since it was restored: no row names them.
  const known = new Set(registered.map(({ id }) => id));
  const stored = await store.epochs();
  const isForgotten = (epoch: KeyEpoch, place: number): boolean =>
    !known.has(epoch.id) && place < stored.length - 1 && usableFromMs(epoch) + lifeMs <= nowMs;
  for (const { id } of stored.filter(isForgotten)) await store.destroy(id);
}

async function destroyEndedEpochs({ register, store, log }: EpochTurn): Promise<void> {
  for (const id of await register.ended()) {
    if (register.isOfEnvironment(id)) {
      log.warn({ key: id }, "copies open with this wrapping key until it is replaced");
      continue;
    }
    await store.destroy(id);
    await register.noteDestroyed(id);
    log.info({ key: id }, "the key of an epoch was destroyed");
  }
}
