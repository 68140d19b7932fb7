/**
 * The tables that a segment ends up in. A segment is inserted once into a head table that stores
 * nothing; the materialised views on it write these.
 */
export type TargetTable = {
  name: string;
  /** Which day of a row decides the partition; `none` for a table with one partition. */
  partitionDay: "occurredDay" | "sessionDay" | "none";
  /** The table's column of that day. */
  dayColumn: string;
  /** How the table shows that it holds a segment: by its rows' ids, or by a mark row. */
  evidence: "event_id" | "mark";
};

export type Head = { name: string; tables: readonly TargetTable[] };

export const eventsHead: Head = {
  name: "events_in",
  tables: [
    {
      name: "events",
      partitionDay: "occurredDay",
      dayColumn: "toDate(occurred_at)",
      evidence: "event_id",
    },
    {
      name: "sessions_agg",
      partitionDay: "sessionDay",
      dayColumn: "session_day",
      evidence: "mark",
    },
    { name: "page_views_agg", partitionDay: "occurredDay", dayColumn: "day", evidence: "mark" },
    { name: "referrers_agg", partitionDay: "sessionDay", dayColumn: "day", evidence: "mark" },
    { name: "audience_agg", partitionDay: "sessionDay", dayColumn: "day", evidence: "mark" },
  ],
};

export const countersHead: Head = {
  name: "counters_in",
  tables: [{ name: "counters_daily", partitionDay: "none", dayColumn: "day", evidence: "mark" }],
};

/** One row of a segment on its way: the NDJSON line, and what places it. */
export type ShippedRow = {
  line: Buffer;
  eventId: string;
  occurredDay: string;
  sessionDay: string;
};

/** `2026-03`, the partition that a row has in a table; empty for a table with one partition. */
export function partitionOf(
  table: TargetTable,
  row: Pick<ShippedRow, "occurredDay" | "sessionDay">,
): string {
  return table.partitionDay === "none" ? "" : row[table.partitionDay].slice(0, 7);
}

/** The partitions that rows touch in any table of a head, oldest first. */
export function partitionsOf(head: Head, rows: readonly ShippedRow[]): string[] {
  const partitions = new Set<string>();
  for (const row of rows) {
    for (const table of head.tables) partitions.add(partitionOf(table, row));
  }
  return [...partitions].toSorted();
}

/**
 * A row that says "this segment is here", one per partition: it travels in the same insert and
 * becomes part of the same data part as the rows beside it, which is all or nothing on the disk.
 */
export function markLine(head: Head, segment: string, partition: string, day: string): Buffer {
  const start = `${partition}-01T00:00:00.000Z`;
  const mark =
    head === countersHead
      ? { mark: segment, day, count: 1 }
      : { mark: segment, occurred_at: start, session_started_at: start };
  return Buffer.from(`${JSON.stringify(mark)}\n`);
}

/** The same row, to be taken by one table only (`nowhere`: parsed and dropped). */
export function lineFor(table: string, line: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`{"target":${JSON.stringify(table)},`), line.subarray(1)]);
}
