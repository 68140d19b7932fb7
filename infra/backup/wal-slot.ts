import type postgres from "postgres";

/** Followed by the name of the history that it keeps the write-ahead log of. */
const slotPrefix = "backup_wal_";

/** Where the server's write-ahead log stands, and which of it the archive still needs. */
export type LogState = {
  /** On disk up to here. */
  readonly flushed: bigint;
  readonly timeline: number;
  readonly segmentBytes: number;
  /** The slot that keeps what is not archived yet; undefined without one, or when it lost some. */
  readonly slot: { readonly history: string; readonly from: bigint } | undefined;
};

type Row = {
  flushed: string;
  segment: string;
  bytes: string;
  slot: string | null;
  from: string | null;
};

/** @param sql of a superuser */
export async function readLogState(sql: postgres.Sql): Promise<LogState> {
  const [row] = await sql<Row[]>`
    select l.flushed::text, pg_walfile_name(l.flushed) as segment, s.setting as bytes,
           r.slot_name as slot, r.restart_lsn::text as from
      from (select pg_current_wal_flush_lsn() as flushed) l
      join pg_settings s on s.name = 'wal_segment_size'
      left join pg_replication_slots r
        on starts_with(r.slot_name, ${slotPrefix}) and r.restart_lsn is not null
       and r.wal_status <> 'lost'
     order by r.slot_name limit 1`;
  if (row === undefined) throw new Error("The write-ahead log cannot be read");
  const { slot, from } = row;
  return {
    flushed: lsnFrom(row.flushed),
    timeline: Number.parseInt(row.segment.slice(0, 8), 16),
    segmentBytes: Number(row.bytes),
    slot:
      slot === null || from === null
        ? undefined
        : { history: slot.slice(slotPrefix.length), from: lsnFrom(from) },
  };
}

/** The history that is archived now; null where nothing is. */
export async function archivedHistory(sql: postgres.Sql): Promise<string | null> {
  return (await readLogState(sql)).slot?.history ?? null;
}

/** Keeps the log from now on for a new history, and no longer for former ones. */
export async function beginSlot(sql: postgres.Sql, history: string): Promise<void> {
  await dropSlots(sql);
  await sql`select pg_create_physical_replication_slot(${slotPrefix + history}, true)`;
}

/** The server may remove what is older than this. */
export async function advanceSlot(sql: postgres.Sql, history: string, to: bigint): Promise<void> {
  await sql`select pg_replication_slot_advance(${slotPrefix + history}, ${lsnText(to)}::pg_lsn)`;
}

/** For a server whose log is archived no more: it would keep all of it. */
export async function dropSlots(sql: postgres.Sql): Promise<void> {
  await sql`select pg_drop_replication_slot(slot_name) from pg_replication_slots
             where starts_with(slot_name, ${slotPrefix}) and not active`;
}

/** Bytes of one segment of the log. */
export async function readLog(
  sql: postgres.Sql,
  segment: string,
  offset: number,
  length: number,
): Promise<Buffer> {
  const [row] = await sql<{ bytes: Buffer }[]>`
    select pg_read_binary_file(${`pg_wal/${segment}`}, ${offset}::bigint, ${length}::bigint) as bytes`;
  if (row?.bytes.length !== length) throw new Error(`${segment} is shorter than the server says`);
  return row.bytes;
}

/** `16/B374D848`: the high and the low 32 bits. */
export function lsnFrom(text: string): bigint {
  const [high = "", low = ""] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function lsnText(lsn: bigint): string {
  return `${hex(lsn >> 32n)}/${hex(lsn & 0xffffffffn)}`;
}

/** The file of the log that holds a byte (`XLogFileName` of PostgreSQL). */
export function segmentOf(lsn: bigint, timeline: number, segmentBytes: number): string {
  const number = lsn / BigInt(segmentBytes);
  const perHigh = 0x1_0000_0000n / BigInt(segmentBytes);
  return [BigInt(timeline), number / perHigh, number % perHigh]
    .map((part) => hex(part).padStart(8, "0"))
    .join("");
}

const hex = (value: bigint): string => value.toString(16).toUpperCase();
