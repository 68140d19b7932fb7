import { findRefused } from "./quarantine.ts";
import {
  type Absence,
  failureOf,
  findAbsences,
  insertLines,
  type Store,
  untilInserted,
} from "./store.ts";
import {
  distinctDays,
  type Head,
  lineFor,
  markLine,
  partitionOf,
  partitionsOf,
  type ShippedRow,
} from "./tables.ts";

export type Delivery = {
  segment: string;
  /** UTC day of the segment. */
  day: string;
  head: Head;
  rows: readonly ShippedRow[];
  /** An earlier attempt may have stored some of it: every table is checked for it. */
  inDoubt: boolean;
};

export type Delivered = { refused: ShippedRow[]; repaired: number };

/** Beyond this many lost parts of one segment something else is wrong. */
const roundsMax = 5;

/**
 * Stores rows once in every table of a head.
 *
 * The token makes a repeated insert harmless as long as ClickHouse runs: a table drops a block whose
 * token it has seen. A crash breaks this. A plain MergeTree writes the token to its log before the
 * part becomes visible (`MergeTreeSink`, `MergeTreeDeduplicationLog::addPart`): killed in between,
 * it answers the repeated insert with success and stores nothing. So after an attempt whose end is
 * not known, each table and partition is checked, and what is missing is inserted again under a new
 * token, addressed to that table alone.
 *
 * A server that is stopped while it inserts may also keep a part without its token (none is taken after
 * `MergeTreeDeduplicationLog::shutdown`). So what is there is never sent again: the check comes first,
 * and what is missing is sent under a new token only once no earlier insert of the segment runs any more.
 *
 * @returns the rows that ClickHouse cannot read, and how many parts were missing
 * @throws when ClickHouse does not answer; the delivery can be repeated as it is, in doubt
 */
export async function deliver(store: Store, delivery: Delivery): Promise<Delivered> {
  const { head, rows } = delivery;
  try {
    return { refused: [], repaired: await deliverReadable(store, delivery) };
  } catch (error) {
    if (failureOf(error) !== "refused") throw error;
    const refused = await findRefused(store, head, rows);
    // All or none: then the rows are not the cause, and waiting for an operator is better.
    const suspicious = refused.length === 0 || (refused.length === rows.length && rows.length > 1);
    if (suspicious) throw error;
    const readable = rows.filter((row) => !refused.includes(row));
    const repaired = await deliverReadable(store, { ...delivery, rows: readable });
    return { refused, repaired };
  }
}

async function deliverReadable(store: Store, delivery: Delivery): Promise<number> {
  const { head, segment, rows } = delivery;
  if (rows.length === 0) return 0;
  const check = (): Promise<Absence[]> => findAbsences(store, segment, head.tables, rows);
  const days = distinctDays(rows);
  const places = head.tables.flatMap((table) => partitionsOf([table], days));
  let absences = delivery.inDoubt ? await check() : undefined;
  if (absences === undefined || absences.length === places.length) {
    await insertAll(store, delivery);
    absences = delivery.inDoubt ? await check() : [];
  }
  // An insert of before may have its token in the log, and its rows not in the table yet.
  if (absences.length > 0) {
    await untilInserted(store, segment);
    absences = await check();
  }
  let repaired = 0;
  for (let round = 1; absences.length > 0; round += 1) {
    if (round > roundsMax) throw new Error("ClickHouse keeps losing a segment");
    repaired += absences.length;
    for (const absence of absences) await insertAbsent(store, delivery, absence, round);
    absences = await check();
  }
  return repaired;
}

async function insertAll(store: Store, delivery: Delivery): Promise<void> {
  const { head, segment, rows, day } = delivery;
  const partitions = partitionsOf(head.tables, distinctDays(rows));
  const marks = partitions.map((partition) => markLine(head, segment, partition, day));
  await insertLines(store, {
    table: head.name,
    segment,
    token: segment,
    lines: [...rows.map((row) => row.line), ...marks],
  });
}

async function insertAbsent(
  store: Store,
  delivery: Delivery,
  absence: Absence,
  round: number,
): Promise<void> {
  const { table, partition } = absence;
  const missing = delivery.rows.filter((row) => partitionOf(table, row) === partition);
  const mark = markLine(delivery.head, delivery.segment, partition, delivery.day);
  const lines = [...missing.map((row) => row.line), mark];
  await insertLines(store, {
    table: delivery.head.name,
    segment: delivery.segment,
    token: `${delivery.segment}:${table.name}:${partition}:${round}`,
    lines: lines.map((line) => lineFor(table.name, line)),
  });
}
