import { SealBroken } from "@pro-talent/platform/crypto/seal";
import { keyIdOf } from "@pro-talent/platform/crypto/secrets";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";

import {
  epochInUse,
  type LedgerKeys,
  proveEpoch,
  type RegisteredEpoch,
  registeredEpochs,
} from "./check-keys.ts";
import { type KeyPeriods, settleDays } from "./key-periods.ts";
import { EpochUnknown, type KeyEpoch } from "./key-store.ts";
import { unwrapKey, type WrappedKey } from "./keyring.ts";

export type TurnOptions = {
  /** A pool of the role `ledger_keeper`. */
  readonly keeper: Sql;
  readonly keys: LedgerKeys;
  readonly periods: KeyPeriods;
  readonly log: Logger;
  /** Milliseconds since 1970; the clock of the database unless a test moves it. */
  readonly now?: () => Promise<number>;
  /** Subjects that are re-wrapped by one statement. */
  readonly batchSize?: number;
  /** Ends a turn between two batches. */
  readonly signal?: AbortSignal;
};

const dayMs = 24 * 60 * 60 * 1000;
const everyMs = 10 * 60 * 1000;
/** As many requests are under way at once where the store is on the network. */
const batchSizeUsual = 50;

/** Turns epochs every ten minutes until stopped; what is due follows from their dates alone. */
export function startTurningEpochs(options: Omit<TurnOptions, "signal">): Repetition {
  return repeat({
    everyMs,
    pass: async (signal) => {
      await turnEpochs({ ...options, signal });
      return "wait";
    },
    onFailing: (error) => options.log.error({ err: error }, "epochs of keys do not turn"),
  });
}

/**
 * Does what is due: begins the next epoch, re-wraps the keys of all subjects under it, ends former epochs
 * and destroys their keys. Each step may be repeated and interrupted, also by another worker's turn: a key
 * is in the store before a row names it, and is destroyed after no row can name it any more.
 * @throws KeysUnavailable; PostgresUnavailable
 */
export async function turnEpochs(options: TurnOptions): Promise<void> {
  const { keys, log } = options;
  if (await keys.store.renew()) log.info("the key store is under the present wrapping key");
  const nowMs = await (options.now ?? (() => databaseNow(options.keeper)))();
  const current = await beginDueEpoch(options, nowMs);
  if (current === undefined) return;
  const left = await rewrapSubjects(options, current);
  if (left > 0) log.error({ rows: left }, "keys of subjects cannot be re-wrapped");
  await endDueEpochs(options, current, nowMs);
  await destroyEndedEpochs(options);
}

async function databaseNow(sql: Sql): Promise<number> {
  const [row] = await sql<{ now_ms: number }[]>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`;
  if (row === undefined) throw new Error("The database returned no row");
  return row.now_ms;
}

/** @returns the id of the epoch in use; undefined before the first start of a service */
async function beginDueEpoch(options: TurnOptions, nowMs: number): Promise<string | undefined> {
  const { keeper, keys, periods, log } = options;
  const current = epochInUse(await registeredEpochs(keeper));
  if (current === undefined) return undefined;
  const stored = await keys.store.epochs();
  const place = stored.findIndex(({ id }) => id === current.id);
  // The check of the keys reports it; nothing is begun beside a store that is not the ledger's.
  if (place === -1) return undefined;
  const dueMs = current.usedFromMs + periods.epochDays * dayMs;
  if (nowMs < dueMs - settleDays * dayMs) return current.id;
  const next =
    place < stored.length - 1
      ? stored.at(-1)
      : await keys.store.begin(instantFromMs(nowMs), current.id);
  if (next === undefined || nowMs < usableFromMs(next) || nowMs < dueMs) return current.id;
  await keeper`select ledger.begin_epoch(
    ${next.id}, ${instantFromMs(nowMs)}, ${await proveEpoch(keys.store, next.id)})`;
  log.info({ key: next.id }, "an epoch of keys began");
  return next.id;
}

/** By then a backup of the key store has the key. */
function usableFromMs({ begunAt }: { readonly begunAt: Instant }): number {
  return Date.parse(begunAt) + settleDays * dayMs;
}

/** @returns how many rows were left, since their key could not be opened */
async function rewrapSubjects(options: TurnOptions, current: string): Promise<number> {
  const { keeper, keys, signal, batchSize = batchSizeUsual } = options;
  let left = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  while (signal?.aborted !== true) {
    const rows = await keeper<WrappedKey[]>`
      select s.subject_id, s.wrapped_key, s.wrapping_key_id
        from ledger.subject s join ledger.key_epoch e on e.key_id = s.wrapping_key_id
       where s.wrapping_key_id <> ${current} and e.lost_at is null and s.subject_id > ${after}
       order by s.subject_id limit ${batchSize}`;
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.subject_id;
    const moved = await Promise.all(rows.map((row) => rewrapped(keys, row, current)));
    const changes = moved.filter((change) => change !== undefined);
    left += moved.length - changes.length;
    await keeper`select ledger.rewrap_subjects(${current}, ${JSON.stringify(changes)}::text::jsonb)`;
  }
  return left;
}

/** The change of one row; undefined when its key cannot be opened. The new one is opened before it is used. */
async function rewrapped(keys: LedgerKeys, row: WrappedKey, current: string) {
  const key = await unwrapKey(keys, row).catch((error: unknown) => {
    if (error instanceof SealBroken || error instanceof EpochUnknown) return undefined;
    throw error;
  });
  if (key === undefined) return undefined;
  const wrapped = await keys.store.wrap(current, key, row.subject_id);
  const opened = await keys.store.unwrap(current, wrapped, row.subject_id);
  if (!opened.equals(key)) throw new Error("A key was wrapped that does not open");
  const { subject_id: id } = row;
  return { id, old: row.wrapped_key.toString("hex"), new: wrapped.toString("hex") };
}

/**
 * The time of an epoch's end follows from its begin alone: a turn that was late shortens the time for which
 * old backups can be restored, never the promise about erased persons.
 */
async function endDueEpochs(options: TurnOptions, current: string, nowMs: number): Promise<void> {
  const { keeper, keys, periods, log } = options;
  const lifeMs = (periods.epochDays + periods.overlapDays) * dayMs;
  const registered = await registeredEpochs(keeper);
  const isDue = ({ proof, usedFromMs }: RegisteredEpoch): boolean =>
    proof === null || usedFromMs + lifeMs <= nowMs;
  for (const epoch of registered.filter(({ id, lost }) => id !== current && !lost)) {
    if (!isDue(epoch)) continue;
    const [row] = await keeper<{ ended: boolean }[]>`select ledger.end_epoch(${epoch.id}) as ended`;
    if (row?.ended === true) log.info({ key: epoch.id }, "an epoch of keys ended");
    else log.error({ key: epoch.id }, "an epoch of keys is due to end and still in use");
  }
  // Epochs of which the database knows nothing, since it was restored: no row names them.
  const known = new Set(registered.map(({ id }) => id));
  const stored = await keys.store.epochs();
  const isForgotten = (epoch: KeyEpoch, place: number): boolean =>
    !known.has(epoch.id) && place < stored.length - 1 && usableFromMs(epoch) + lifeMs <= nowMs;
  for (const { id } of stored.filter(isForgotten)) await keys.store.destroy(id);
}

async function destroyEndedEpochs({ keeper, keys, log }: TurnOptions): Promise<void> {
  const ended = await keeper<{ id: string }[]>`
    select key_id as id from ledger.ended_epoch where destroyed_at is null`;
  const wrappingKeyIds = keys.wrappingKeys.map(keyIdOf);
  for (const { id } of ended) {
    if (wrappingKeyIds.includes(id)) {
      log.warn({ key: id }, "copies open with this wrapping key until it is replaced");
      continue;
    }
    await keys.store.destroy(id);
    await keeper`select ledger.note_destroyed_epoch(${id})`;
    log.info({ key: id }, "the key of an epoch was destroyed");
  }
}
