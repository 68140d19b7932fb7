import { keyIdOf } from "@pro-talent/platform/crypto/secrets";
import type { KeyPeriods } from "@pro-talent/platform/keys/key-periods";
import {
  type EpochRegister,
  startTurning,
  turnEpochs as turnRegistered,
  type WrappedRow,
} from "@pro-talent/platform/keys/turn-epochs";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { Repetition } from "@pro-talent/platform/runtime/repeat";

import { type LedgerKeys, proveEpoch, registeredEpochs } from "./check-keys.ts";
import { unwrapKey } from "./keyring.ts";

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
};

/** Turns the ledger's epochs every ten minutes until stopped. */
export function startTurningEpochs(options: TurnOptions): Repetition {
  return startTurning(turnOf(options));
}

/** Does what is due for the ledger's epochs. @throws KeysUnavailable; PostgresUnavailable */
export function turnEpochs(options: TurnOptions): Promise<void> {
  return turnRegistered(turnOf(options));
}

function turnOf({ keeper, keys, periods, log, now, batchSize }: TurnOptions) {
  const register = ledgerRegister(keeper, keys, now ?? (() => databaseNow(keeper)));
  return { register, store: keys.store, periods, log, batchSize };
}

async function databaseNow(sql: Sql): Promise<number> {
  const [row] = await sql<{ now_ms: number }[]>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`;
  if (row === undefined) throw new Error("The database returned no row");
  return row.now_ms;
}

function ledgerRegister(keeper: Sql, keys: LedgerKeys, now: EpochRegister["now"]): EpochRegister {
  const wrappingKeyIds = keys.wrappingKeys.map(keyIdOf);
  return {
    now,
    registered: async () =>
      (await registeredEpochs(keeper)).map(({ proof, ...epoch }) => ({
        ...epoch,
        usable: proof !== null && !epoch.lost,
      })),
    begin: async (id, at) => {
      await keeper`select ledger.begin_epoch(${id}, ${at}, ${await proveEpoch(keys.store, id)})`;
    },
    rowsToRewrap: async (current, after, limit) =>
      await keeper<WrappedRow[]>`
      select s.subject_id as id, s.wrapped_key as wrapped, s.wrapping_key_id as epoch
        from ledger.subject s join ledger.key_epoch e on e.key_id = s.wrapping_key_id
       where s.wrapping_key_id <> ${current} and e.lost_at is null and s.subject_id > ${after}
       order by s.subject_id limit ${limit}`,
    rewrap: async (current, changes) => {
      await keeper`
        select ledger.rewrap_subjects(${current}, ${JSON.stringify(changes)}::text::jsonb)`;
    },
    unwrap: ({ id, wrapped, epoch }) =>
      unwrapKey(keys, { subject_id: id, wrapped_key: wrapped, wrapping_key_id: epoch }),
    end: async (id) => {
      const [row] = await keeper<{ ended: boolean }[]>`select ledger.end_epoch(${id}) as ended`;
      return row?.ended === true;
    },
    ended: async () => {
      const rows = await keeper<{ id: string }[]>`
        select key_id as id from ledger.ended_epoch where destroyed_at is null`;
      return rows.map(({ id }) => id);
    },
    noteDestroyed: async (id) => {
      await keeper`select ledger.note_destroyed_epoch(${id})`;
    },
    isOfEnvironment: (id) => wrappingKeyIds.includes(id),
  };
}
