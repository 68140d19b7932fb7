/**
 * A table that stores rows of a segment. A segment is inserted once into a head table that stores
 * nothing; the materialised views on it write these tables.
 */
export type TargetTable = {
  name: string;
  /** Which day of a row decides the partition, and how long a partition is. */
  partitionDay: "occurredDay" | "sessionDay";
  partitionedBy: "month" | "week" | "nothing";
  /** The table's column of that day. */
  dayColumn: string;
  /** How the table shows that it holds a segment: by its rows' ids in this column, or by a mark row. */
  evidence: "event_id" | "report_id" | "mark";
};

export type Head = { name: string; tables: readonly TargetTable[] };

const monthly = { partitionedBy: "month", dayColumn: "day", evidence: "mark" } as const;

export const eventsHead: Head = {
  name: "events_in",
  tables: [
    {
      name: "events",
      partitionDay: "occurredDay",
      partitionedBy: "month",
      dayColumn: "toDate(occurred_at)",
      evidence: "event_id",
    },
    {
      name: "sessions_agg",
      partitionDay: "sessionDay",
      partitionedBy: "week",
      dayColumn: "session_day",
      evidence: "mark",
    },
    { ...monthly, name: "page_views_agg", partitionDay: "occurredDay" },
    { ...monthly, name: "referrers_agg", partitionDay: "sessionDay" },
    { ...monthly, name: "audience_agg", partitionDay: "sessionDay" },
  ],
};

export const countersHead: Head = {
  name: "counters_in",
  tables: [
    {
      ...monthly,
      name: "counters_daily",
      partitionDay: "occurredDay",
      partitionedBy: "nothing",
    },
  ],
};

export const opensHead: Head = {
  name: "opens_in",
  tables: [
    {
      name: "link_opens",
      partitionDay: "occurredDay",
      partitionedBy: "month",
      dayColumn: "toDate(occurred_at)",
      evidence: "event_id",
    },
  ],
};

export const viewingsHead: Head = {
  name: "reports_in",
  tables: [
    {
      name: "link_reports",
      partitionDay: "occurredDay",
      partitionedBy: "month",
      dayColumn: "toDate(reported_at)",
      evidence: "report_id",
    },
  ],
};

/** One row of a segment: the NDJSON line, and what decides its partitions. */
export type ShippedRow = {
  line: Buffer;
  eventId: string;
  occurredDay: string;
  sessionDay: string;
};

/** The first day of the partition that a row has in a table; empty when there is only one. */
export function partitionOf(table: TargetTable, row: RowDays): string {
  const day = row[table.partitionDay];
  if (table.partitionedBy === "nothing") return "";
  return table.partitionedBy === "month" ? `${day.slice(0, 7)}-01` : mondayOf(day);
}

const mondays = new Map<string, string>();

/** The Monday of a day's week, as ClickHouse's `toMonday`. */
function mondayOf(day: string): string {
  const known = mondays.get(day);
  if (known !== undefined) return known;
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  const monday = date.toISOString().slice(0, 10);
  // A year of days is more than any spool holds.
  if (mondays.size > 400) mondays.clear();
  mondays.set(day, monday);
  return monday;
}

/** The days that decide the partition of a row in every table. */
export type RowDays = Pick<ShippedRow, "occurredDay" | "sessionDay">;

/** The pairs of days that occur among rows: very few, however many rows there are. */
export function distinctDays(rows: readonly ShippedRow[]): RowDays[] {
  const pairs = new Map<string, RowDays>();
  for (const { occurredDay, sessionDay } of rows) {
    const key = occurredDay + sessionDay;
    if (!pairs.has(key)) pairs.set(key, { occurredDay, sessionDay });
  }
  return [...pairs.values()];
}

/** The partitions that days touch in some tables, oldest first. */
export function partitionsOf(tables: readonly TargetTable[], days: readonly RowDays[]): string[] {
  const partitions = tables.flatMap((table) => days.map((pair) => partitionOf(table, pair)));
  return [...new Set(partitions)].toSorted();
}

/**
 * A row that marks a segment as stored, on the first day of a partition: it is inserted together
 * with the partition's rows into the same data part, which is stored as a whole or not at all.
 */
export function markLine(head: Head, segment: string, partition: string, day: string): Buffer {
  const start = `${partition}T00:00:00.000Z`;
  const marks = {
    [eventsHead.name]: { occurred_at: start, session_started_at: start },
    [countersHead.name]: { day, count: 1 },
    [opensHead.name]: { occurred_at: start },
    [viewingsHead.name]: { reported_at: start },
  };
  const mark = { mark: segment, ...marks[head.name] };
  return Buffer.from(`${JSON.stringify(mark)}\n`);
}

/** The same row, addressed to one table only (`nowhere`: parsed and dropped). */
export function lineFor(table: string, line: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`{"target":${JSON.stringify(table)},`), line.subarray(1)]);
}
