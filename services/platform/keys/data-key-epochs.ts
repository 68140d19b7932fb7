import type { Sql } from "../postgres/pool.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Logger } from "../runtime/logger.ts";
import type { KeyPeriods } from "./key-periods.ts";
import type { KeyStore } from "./key-store.ts";
import type { EpochRegister, EpochTurn, WrappedRow } from "./turn-epochs.ts";

export type DataKeyTurn = {
  readonly sql: Sql;
  /** Has the tables `data_key`, `key_epoch` and `ended_epoch`. */
  readonly schema: string;
  readonly store: KeyStore;
  readonly periods: KeyPeriods;
  readonly clock: Clock;
  readonly log: Logger;
};

/** The turning of the epochs that wrap the data keys of a schema. */
export function dataKeyTurn(turn: DataKeyTurn): EpochTurn {
  const { sql, schema, store, periods, clock, log } = turn;
  const [dataKey, keyEpoch, endedEpoch] = [
    sql(`${schema}.data_key`),
    sql(`${schema}.key_epoch`),
    sql(`${schema}.ended_epoch`),
  ];
  const register: EpochRegister = {
    now: async () => clock(),
    registered: async () => {
      const rows = await sql<{ id: string; usedFromMs: number }[]>`
        select key_id as id, floor(extract(epoch from used_from) * 1000)::bigint as "usedFromMs"
          from ${keyEpoch} order by used_from, key_id`;
      return rows.map((row) => ({ ...row, usable: true, lost: false }));
    },
    begin: async (id, at) => {
      await sql`insert into ${keyEpoch} (key_id, used_from) values (${id}, ${at})
                on conflict do nothing`;
    },
    rowsToRewrap: async (current, after, limit) =>
      await sql<WrappedRow[]>`
      select key_id as id, wrapped, epoch_id as epoch from ${dataKey}
       where epoch_id <> ${current} and key_id > ${after}::uuid order by key_id limit ${limit}`,
    rewrap: async (current, changes) => {
      await sql`
        update ${dataKey} k set wrapped = decode(c.new, 'hex'), epoch_id = ${current}
          from jsonb_to_recordset(${JSON.stringify(changes)}::text::jsonb)
               as c (id uuid, old text, new text)
         where k.key_id = c.id and k.wrapped = decode(c.old, 'hex')`;
    },
    unwrap: ({ id, wrapped, epoch }) => store.unwrap(epoch, wrapped, id),
    end: (id) => endEpoch(turn, id),
    ended: async () => {
      const rows = await sql<{ id: string }[]>`
        select key_id as id from ${endedEpoch} where destroyed_at is null`;
      return rows.map(({ id }) => id);
    },
    noteDestroyed: async (id) => {
      await sql`update ${endedEpoch} set destroyed_at = ${new Date(clock())}::timestamptz
                 where key_id = ${id}`;
    },
    isOfEnvironment: () => false,
  };
  return { register, store, periods, log };
}

/** The database refuses it while a key is wrapped under it. */
async function endEpoch({ sql, schema, clock }: DataKeyTurn, id: string): Promise<boolean> {
  const foreignKeyViolation = "23503";
  try {
    await sql.begin(async (tx) => {
      await tx`delete from ${tx(`${schema}.key_epoch`)} where key_id = ${id}`;
      await tx`insert into ${tx(`${schema}.ended_epoch`)} (key_id, ended_at)
               values (${id}, ${new Date(clock())}) on conflict do nothing`;
    });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === foreignKeyViolation)
      return false;
    throw error;
  }
}
