import type { Sql } from "@pro-talent/platform/postgres/pool";
import { until } from "@pro-talent/platform/testing/until";

/** A border of the work on a request: the event that records it, and its step. */
export type Border = { readonly type: string; readonly step?: string };
/** `before`: nothing of the event is stored; `after`: it is stored, and its writer never learns it. */
export type Moment = "before" | "after";

const lock = 4711;

/**
 * Lets the database hold the event of a border back, so that its writer can be killed exactly there. The
 * trigger exists in the database of a drill alone.
 */
export async function openBorders(owner: Sql, admin: Sql) {
  await owner.unsafe(`
    create table ledger.drill_border (stream text, type text, step text);
    create function ledger.drill_hold() returns trigger language plpgsql security definer as $$
    begin
      if exists (select from ledger.drill_border b where b.stream = new.stream and b.type = new.type
          and (b.step is null or b.step = new.data::jsonb ->> 'step')) then
        perform pg_advisory_xact_lock(${lock});
      end if;
      return new;
    end $$;
    create trigger drill_hold before insert on ledger.event for each row execute function ledger.drill_hold();`);
  return {
    /** Kills what writes the event of this border of the request, while it is being written. */
    killAt: async (
      requestId: string,
      { type, step = null }: { readonly type: string; readonly step?: string | null },
      { moment, kill }: { readonly moment: Moment; readonly kill: () => void },
      begin: () => Promise<void>,
    ): Promise<void> => {
      await owner.begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(${lock})`;
        await admin`insert into ledger.drill_border values (${`privacy-${requestId}`}, ${type}, ${step})`;
        await begin();
        const waiting = await until(
          `the event ${type} ${step ?? ""} is held back`,
          async () => {
            const rows = await tx<{ pid: number }[]>`
              select pid from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`;
            return rows[0]?.pid;
          },
          180_000,
        );
        kill();
        await admin`delete from ledger.drill_border`;
        if (moment === "before") await admin`select pg_terminate_backend(${waiting})`;
      });
    },
    /** The database is as the product made it again. */
    close: async (): Promise<void> => {
      await owner.unsafe(`
        drop trigger drill_hold on ledger.event;
        drop function ledger.drill_hold();
        drop table ledger.drill_border;`);
    },
  };
}
