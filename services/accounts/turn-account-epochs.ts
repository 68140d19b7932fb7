import type { KeyPeriods } from "@pro-talent/platform/keys/key-periods";
import type { EpochRegister, EpochTurn, WrappedRow } from "@pro-talent/platform/keys/turn-epochs";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";

import type { KeySettings } from "./key-settings.ts";

export type AccountTurn = {
  readonly sql: Sql;
  readonly settings: KeySettings;
  readonly periods: KeyPeriods;
  readonly clock: Clock;
  readonly log: Logger;
};

/** The turning of the epochs that wrap the keys of accounts and mails. */
export function accountTurn({ sql, settings, periods, clock, log }: AccountTurn): EpochTurn {
  const register: EpochRegister = {
    now: async () => clock(),
    registered: async () => {
      const rows = await sql<{ id: string; usedFromMs: number }[]>`
        select key_id as id, floor(extract(epoch from used_from) * 1000)::bigint as "usedFromMs"
          from accounts.key_epoch order by used_from, key_id`;
      return rows.map((row) => ({ ...row, usable: true, lost: false }));
    },
    begin: async (id, at) => {
      await sql`insert into accounts.key_epoch (key_id, used_from) values (${id}, ${at})
                on conflict do nothing`;
    },
    rowsToRewrap: async (current, after, limit) =>
      await sql<WrappedRow[]>`
      select key_id as id, wrapped, epoch_id as epoch from accounts.data_key
       where epoch_id <> ${current} and key_id > ${after}::uuid order by key_id limit ${limit}`,
    rewrap: async (current, changes) => {
      await sql`
        update accounts.data_key k set wrapped = decode(c.new, 'hex'), epoch_id = ${current}
          from jsonb_to_recordset(${JSON.stringify(changes)}::text::jsonb)
               as c (id uuid, old text, new text)
         where k.key_id = c.id and k.wrapped = decode(c.old, 'hex')`;
    },
    unwrap: ({ id, wrapped, epoch }) => settings.store.unwrap(epoch, wrapped, id),
    end: (id) => endEpoch(sql, id, new Date(clock())),
    ended: async () => {
      const rows = await sql<{ id: string }[]>`
        select key_id as id from accounts.ended_epoch where destroyed_at is null`;
      return rows.map(({ id }) => id);
    },
    noteDestroyed: async (id) => {
      await sql`update accounts.ended_epoch set destroyed_at = ${new Date(clock())}::timestamptz
                 where key_id = ${id}`;
    },
    isOfEnvironment: () => false,
  };
  return { register, store: settings.store, periods, log };
}

/** The database refuses it while a key is wrapped under it. */
async function endEpoch(sql: Sql, id: string, at: Date): Promise<boolean> {
  const foreignKeyViolation = "23503";
  try {
    await sql.begin(async (tx) => {
      await tx`delete from accounts.key_epoch where key_id = ${id}`;
      await tx`insert into accounts.ended_epoch (key_id, ended_at) values (${id}, ${at})
               on conflict do nothing`;
    });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === foreignKeyViolation)
      return false;
    throw error;
  }
}
