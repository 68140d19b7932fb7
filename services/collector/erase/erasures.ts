import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { ErasureStatus, ErasureSubject } from "@pro-talent/schemas/analytics/erasure-calls";
import type { VisitorId } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

/** Clocks of instances and of the database differ by less. */
const clockErrorMs = 60_000;
const keptMs = 90 * 24 * 60 * 60_000;
/** Subjects of one pass: one mutation deletes the rows of all of them. */
const subjectsMax = 1_000;
/** In place of the subject, once nothing of it is stored. */
const noSubject = "00000000-0000-0000-0000-000000000000";

export type Pending = ErasureSubject & {
  readonly erasureId: string;
  /** Of a visitor: the ids of their opens of links are made from it. */
  readonly readerKey: Buffer | null;
  /** A pass has deleted what was there. */
  readonly swept: boolean;
  /** No instance can still ship a record from before the request. */
  readonly settled: boolean;
};

const PendingRow = z.object({
  erasureId: z.string(),
  kind: z.enum(["visitor", "account"]),
  id: z.string(),
  readerKey: z.instanceof(Buffer).nullable(),
  swept: z.boolean(),
  settled: z.boolean(),
});

/** Erasures in Postgres: recorded before they are acknowledged, and pending until they are done. */
export class Erasures {
  readonly #sql: Sql;
  readonly #clock: () => number;

  constructor(sql: Sql, clock: () => number) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /**
   * Repeated under the same id it changes nothing.
   * @param readerKeyOf makes the key by which a visitor's opens of links are found
   */
  async request(
    erasureId: string,
    subject: ErasureSubject,
    readerKeyOf: (visitorId: VisitorId) => Buffer,
  ): Promise<void> {
    const sql = this.#sql;
    const readerKey = subject.kind === "visitor" ? readerKeyOf(subject.id) : null;
    await sql`
      insert into collector.erasure (erasure_id, subject_kind, subject_id, reader_key, requested_at)
      values (${erasureId}, ${subject.kind}, ${subject.id}, ${readerKey}, ${new Date(this.#clock())})
      on conflict do nothing`;
  }

  async status(erasureId: string): Promise<ErasureStatus | undefined> {
    const sql = this.#sql;
    const rows = await sql<{ requested: number; erased: number | null; rows: number }[]>`
      select extract(epoch from requested_at)::float8 * 1000 as requested,
             extract(epoch from erased_at)::float8 * 1000 as erased, rows_deleted::int as rows
        from collector.erasure where erasure_id = ${erasureId}`;
    const [row] = rows;
    if (row === undefined) return undefined;
    return {
      status: row.erased === null ? "scheduled" : "erased",
      requestedAt: instantFromMs(row.requested),
      erasedAt: row.erased === null ? null : instantFromMs(row.erased),
      rows: row.rows,
    };
  }

  /** The oldest that are not done. */
  async pending(): Promise<Pending[]> {
    const sql = this.#sql;
    const rows = await sql<object[]>`
      select erasure_id as "erasureId", subject_kind as kind, subject_id as id, reader_key as "readerKey",
             swept_at is not null as swept,
             not exists (select from collector.instance i
                          where i.stored_until < e.requested_at + ${clockErrorMs} * interval '1 ms')
               as settled
        from collector.erasure e where erased_at is null
       order by requested_at limit ${subjectsMax}`;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the check of the column `subject_kind`
    return z.array(PendingRow).parse(rows) as Pending[];
  }

  /**
   * Records a pass.
   * @param deleted rows by subject
   * @param settled those of the pass that can get no more rows: they are done, and their subject is forgotten
   */
  async passed(deleted: ReadonlyMap<string, number>, settled: readonly string[]): Promise<void> {
    const sql = this.#sql;
    const now = new Date(this.#clock());
    const [ids, rows] = [[...deleted.keys()], [...deleted.values()]];
    await sql`
      update collector.erasure e
         set swept_at = coalesce(swept_at, ${now}), rows_deleted = rows_deleted + d.rows,
             erased_at = case when e.erasure_id = any(${[...settled]}::uuid[]) then ${now}::timestamptz end,
             subject_id = case when e.erasure_id = any(${[...settled]}::uuid[]) then ${noSubject}::uuid
                               else subject_id end,
             reader_key = case when e.erasure_id = any(${[...settled]}::uuid[]) then null else reader_key end
        from unnest(${ids}::uuid[], ${rows}::int[]) as d (erasure_id, rows)
       where e.erasure_id = d.erasure_id and e.erased_at is null`;
  }
}

/** Forgets erasures that were done long ago. */
export async function pruneErasures(sql: Sql, nowMs: number): Promise<void> {
  await sql`delete from collector.erasure where erased_at < ${new Date(nowMs - keptMs)}`;
}

/** Records until when everything that this instance acknowledged is stored, or in its quarantine. */
export async function reportStored(
  sql: Sql,
  instanceId: string,
  stated: { storedUntilMs: number; nowMs: number; quarantined?: number },
): Promise<void> {
  const { storedUntilMs, nowMs, quarantined = 0 } = stated;
  await sql`
    insert into collector.instance (instance_id, stored_until, seen_at, quarantined)
    values (${instanceId}, ${new Date(storedUntilMs)}, ${new Date(nowMs)}, ${quarantined})
    on conflict (instance_id) do update
       set stored_until = excluded.stored_until, seen_at = excluded.seen_at,
           quarantined = excluded.quarantined`;
}

/** For an instance that ends with an empty spool: no erasure waits for it. */
export async function forgetInstance(sql: Sql, instanceId: string): Promise<void> {
  await sql`delete from collector.instance where instance_id = ${instanceId}`;
}
