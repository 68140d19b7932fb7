import type { SignedLog } from "@pro-talent/platform/files/signed-log";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { ErasureStatus, ErasureSubject } from "@pro-talent/schemas/analytics/erasure-calls";
import { VisitorId } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { keptSinceMs, retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";
import type { JournalledErasure } from "@pro-talent/schemas/privacy/erasure-journal";
import { z } from "zod";

/** An instance that has not acknowledged an erasure by then may be away for long: what is there is deleted. */
const patienceMs = 30_000;
/** A page that was opened before the erasure reports for a day (`ticketMs`); an hour more. */
const suppressedMs = 25 * 60 * 60_000;
/** Subjects of one pass: one mutation deletes the rows of all of them. */
const subjectsMax = 1_000;
/** In place of the subject, once nothing of it is stored. */
const noSubject = "00000000-0000-0000-0000-000000000000";

export type Pending = ErasureSubject & {
  readonly erasureId: string;
  /** Of a visitor: the ids of their opens of links are made from it. */
  readonly readerKey: Buffer | null;
  /** No instance can still ship a record from before the request. */
  readonly settled: boolean;
  /** To be swept now: settled, or never swept although it has waited for long. */
  readonly due: boolean;
};

/** Subjects of erasures that are not done, and keys by which opens of visitors are found. */
export type Unfinished = {
  readonly accounts: ReadonlySet<string>;
  readonly visitors: ReadonlyMap<string, Buffer>;
  /** Of visitors that a restored backup brought back. */
  readonly restored: readonly Buffer[];
};

const UnfinishedRows = z.array(
  z.object({
    kind: z.enum(["visitor", "account"]),
    id: VisitorId,
    readerKey: z.instanceof(Buffer).nullable(),
  }),
);

const PendingRow = z.object({
  erasureId: z.string(),
  kind: z.enum(["visitor", "account"]),
  id: z.string(),
  readerKey: z.instanceof(Buffer).nullable(),
  settled: z.boolean(),
  due: z.boolean(),
});

type Asked = { readonly erasureId: string; readonly accountId: string | null };

/** Erasures in Postgres: recorded before they are acknowledged, and pending until they are done. */
export class Erasures {
  readonly #sql: Sql;
  readonly #clock: () => number;
  readonly #journal: SignedLog<JournalledErasure> | undefined;

  /** @param journal outside the databases; of visitors alone: erasures of accounts are in it already */
  constructor(sql: Sql, clock: () => number, journal?: SignedLog<JournalledErasure>) {
    this.#sql = sql;
    this.#clock = clock;
    this.#journal = journal;
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
    if (subject.kind === "visitor" && (await this.status(erasureId)) === undefined) {
      await this.#journal?.append({
        requestId: erasureId,
        erasedAt: instantFromMs(this.#clock()),
        subjectIds: [],
        accountId: null,
        visitorIds: [subject.id],
      });
    }
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

  /**
   * Everyone whose erasure is not done. Those that a restored backup brought back have no key yet: it is
   * made.
   * @returns the keys that were made, too
   */
  async unfinished(readerKeyOf: (visitorId: VisitorId) => Buffer): Promise<Unfinished> {
    const sql = this.#sql;
    const rows = UnfinishedRows.parse(
      await sql<object[]>`
        select subject_kind as kind, subject_id as id, reader_key as "readerKey"
          from collector.erasure where erased_at is null`,
    );
    const restored = rows.flatMap((row) =>
      row.kind === "visitor" && row.readerKey === null
        ? [{ id: row.id, readerKey: readerKeyOf(row.id) }]
        : [],
    );
    await sql`
      update collector.erasure e set reader_key = decode(made.key, 'hex')
        from unnest(${restored.map(({ id }) => id)}::uuid[],
                    ${restored.map(({ readerKey }) => readerKey.toString("hex"))}::text[])
               as made (id, key)
       where e.subject_kind = 'visitor' and e.subject_id = made.id and e.reader_key is null`;
    return {
      accounts: new Set(rows.flatMap(({ kind, id }) => (kind === "account" ? [id] : []))),
      visitors: new Map(
        rows.flatMap(({ kind, id, readerKey }) =>
          kind === "visitor" ? [[id, readerKey ?? readerKeyOf(id)] as const] : [],
        ),
      ),
      restored: restored.map(({ readerKey }) => readerKey),
    };
  }

  /** The oldest that are not done. */
  async pending(): Promise<Pending[]> {
    const sql = this.#sql;
    const impatientSince = new Date(this.#clock() - patienceMs);
    const rows = await sql<object[]>`
      select *, settled or (swept_at is null and requested_at < ${impatientSince}) as due
        from (select erasure_id as "erasureId", subject_kind as kind, subject_id as id,
                     reader_key as "readerKey", swept_at, requested_at,
                     not exists (select from collector.instance i
                                  where i.instance_id <> all (e.shipped_by)) as settled
                from collector.erasure e where erased_at is null
               order by requested_at limit ${subjectsMax}) as pending
       order by requested_at`;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the check of the column `subject_kind`
    return z.array(PendingRow).parse(rows) as Pending[];
  }

  /**
   * Records a pass.
   * @param deleted rows by subject
   * @param settled those of the pass that can get no more rows: they are done, and a visitor is forgotten
   */
  async passed(deleted: ReadonlyMap<string, number>, settled: readonly string[]): Promise<void> {
    const sql = this.#sql;
    const now = new Date(this.#clock());
    const [ids, rows] = [[...deleted.keys()], [...deleted.values()]];
    await sql`
      update collector.erasure e
         set swept_at = coalesce(swept_at, ${now}), rows_deleted = rows_deleted + d.rows,
             erased_at = case when e.erasure_id = any(${[...settled]}::uuid[]) then ${now}::timestamptz end,
             subject_id = case when e.erasure_id = any(${[...settled]}::uuid[]) and subject_kind = 'visitor'
                               then ${noSubject}::uuid else subject_id end,
             reader_key = case when e.erasure_id = any(${[...settled]}::uuid[]) then null else reader_key end
        from unnest(${ids}::uuid[], ${rows}::int[]) as d (erasure_id, rows)
       where e.erasure_id = d.erasure_id and e.erased_at is null`;
  }

  /** Pending ones of which an instance has not said that it can ship no record from before. */
  async unacknowledged(instanceId: string): Promise<Asked[]> {
    const sql = this.#sql;
    return await sql<Asked[]>`
      select erasure_id as "erasureId",
             case when subject_kind = 'account' then subject_id end as "accountId"
        from collector.erasure where erased_at is null and ${instanceId} <> all (shipped_by)
       order by requested_at limit ${subjectsMax}`;
  }

  /** Accounts whose erasure was asked for lately: nothing about their links is stored any more. */
  async suppressedAccounts(): Promise<string[]> {
    const sql = this.#sql;
    const rows = await sql<{ id: string }[]>`
      select subject_id as id from collector.erasure
       where subject_kind = 'account' and subject_id <> ${noSubject}`;
    return rows.map(({ id }) => id);
  }

  /**
   * Everything that an instance took before it knew of these erasures is in ClickHouse.
   * @param quarantined files that it keeps for an operator, which only its own search reads
   */
  async acknowledge(
    instanceId: string,
    erasureIds: readonly string[],
    quarantined = 0,
  ): Promise<void> {
    const sql = this.#sql;
    await sql`
      update collector.erasure set shipped_by = array_append(shipped_by, ${instanceId}::uuid)
       where erasure_id = any (${[...erasureIds]}::uuid[]) and ${instanceId} <> all (shipped_by)`;
    await this.register(instanceId, quarantined);
  }

  /** From now on erasures wait for this instance; before it takes its first call. */
  async register(instanceId: string, quarantined = 0): Promise<void> {
    const sql = this.#sql;
    await sql`
      insert into collector.instance (instance_id, seen_at, quarantined)
      values (${instanceId}, ${new Date(this.#clock())}, ${quarantined})
      on conflict (instance_id) do update
         set seen_at = excluded.seen_at, quarantined = excluded.quarantined`;
  }

  /** For an instance that ends with an empty spool: no erasure waits for it. */
  async forget(instanceId: string): Promise<void> {
    const sql = this.#sql;
    await sql`delete from collector.instance where instance_id = ${instanceId}`;
  }
}

/** Forgets erasures that were done long ago, and earlier the accounts that they were about. */
export async function pruneErasures(sql: Sql, nowMs: number): Promise<void> {
  await sql`
    update collector.erasure set subject_id = ${noSubject}
     where erased_at < ${new Date(nowMs - suppressedMs)} and subject_id <> ${noSubject}`;
  await sql`delete from collector.erasure where erased_at < ${new Date(keptSinceMs(retentionPeriods.erasures, nowMs))}`;
}
