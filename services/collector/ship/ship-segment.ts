import type { Sql } from "@pro-talent/platform/postgres/pool";
import { inTurns, type Work } from "@pro-talent/platform/runtime/in-turns";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { recordSpans } from "@pro-talent/platform/tracing/spans";
import type { DropReason } from "@pro-talent/schemas/analytics/row";
import { uuidV7Ms } from "@pro-talent/schemas/primitives/ids";

import type { ShipMetrics } from "../metrics.ts";
import type { EventFrame, SegmentContents } from "../spool/frame.ts";
import { type ClosedSegment, quarantineDirectory } from "../spool/segment.ts";
import { deliver } from "./deliver.ts";
import { claimEvents } from "./event-claims.ts";
import { keepRefused } from "./quarantine.ts";
import type { Store } from "./store.ts";
import {
  countersHead,
  eventsHead,
  type Head,
  opensHead,
  type ShippedRow,
  viewingsHead,
} from "./tables.ts";

export type ShipContext = {
  store: Store;
  /** A cluster keeps a token and its part as one: what is repeated under the token needs no other check. */
  isCluster: boolean;
  sql: Sql;
  metrics: ShipMetrics;
  log: Logger;
  now: () => number;
};

/** Marks are kept for 30 days (migrations); after that a stored segment cannot be recognised. */
const marksLastMs = 29 * 24 * 60 * 60_000;

/**
 * Ships one segment and removes its file. Repeating it, in this process or the next, gives the
 * same rows under the same tokens.
 * @throws when Postgres or ClickHouse does not answer; the file stays
 */
export async function shipSegment(
  context: ShipContext,
  segment: ClosedSegment,
  inDoubt: boolean,
): Promise<void> {
  const startMs = Date.now();
  const contents = await segment.read();
  const ageMs = context.now() - uuidV7Ms(segment.id);
  const { owned, drops } = await settleDuplicates(context.sql, segment.id, contents.events);
  const delivery = {
    segment: segment.id,
    day: new Date(uuidV7Ms(segment.id)).toISOString().slice(0, 10),
    inDoubt: inDoubt && !context.isCluster && ageMs < marksLastMs,
  };
  const counters = counterRows(contents, delivery.day, drops);
  for (const [head, rows] of [
    [eventsHead, owned],
    [countersHead, counters],
    [opensHead, contents.opens],
    [viewingsHead, contents.viewings],
  ] as const) {
    const { refused, repaired } = await deliver(context.store, { ...delivery, head, rows });
    await setAside(context, segment, head, refused);
    if (repaired > 0) {
      context.metrics.repairedParts.inc(repaired);
      context.log.warn({ segment: segment.id, repaired }, "clickhouse had lost acknowledged parts");
    }
    context.metrics.shippedRows.inc({ head: head.name }, rows.length - refused.length);
  }
  const ids = owned.map(({ eventId }) => eventId);
  recordSpans("insert row", ids, { startMs, fields: { segment: segment.id } });
  for (const [reason, count] of drops) context.metrics.drops.inc({ reason }, count);
  await finish(context, segment, contents);
}

/** Some tenths of a millisecond of work. */
const eventsPerTurn = 1_000;

/** Of client-made ids the first wins: within the segment, and over all instances by claim. */
async function settleDuplicates(
  sql: Sql,
  segment: string,
  events: readonly EventFrame[],
): Promise<{ owned: EventFrame[]; drops: Drops }> {
  const { firsts, claimed } = await inTurns(firstsOf(events));
  const lost = await claimEvents(sql, segment, claimed);
  const owned =
    lost.size === 0 ? firsts : firsts.filter((event) => !event.claim || !lost.has(event.eventId));
  return { owned, drops: dropsOf(events, owned) };
}

/** How many events were dropped or stored with a mark, by reason. */
type Drops = readonly (readonly [DropReason, number])[];

/**
 * Counted only here, where it is known which events are stored: once for each of them, however often
 * it arrived. Of starts the collector itself makes repetitions, which no client sent.
 */
function dropsOf(events: readonly EventFrame[], owned: readonly EventFrame[]): Drops {
  const reports = (some: readonly EventFrame[]) => some.filter(({ start }) => !start).length;
  const counts = [
    ["duplicate", reports(events) - reports(owned)],
    ["bot_marked", owned.filter(({ bot }) => bot).length],
    ["time_out_of_range", owned.filter(({ timeReplaced }) => timeReplaced).length],
  ] as const;
  return counts.filter(([, count]) => count > 0);
}

/** Each event once, and the ids that its client made. */
function* firstsOf(
  events: readonly EventFrame[],
): Work<{ firsts: EventFrame[]; claimed: string[] }> {
  const seen = new Set<string>();
  const firsts: EventFrame[] = [];
  for (const [index, event] of events.entries()) {
    if (index % eventsPerTurn === 0) yield;
    if (event.claim && seen.has(event.eventId)) continue;
    if (event.claim) seen.add(event.eventId);
    firsts.push(event);
  }
  return { firsts, claimed: [...seen] };
}

function counterRows(contents: SegmentContents, day: string, drops: Drops): ShippedRow[] {
  const place = { eventId: "", occurredDay: "", sessionDay: "" };
  const dropped = drops.map(([label, count]) => {
    const row = { day, metric: "drop", page: "", label, detail: "", count };
    return Buffer.from(`${JSON.stringify(row)}\n`);
  });
  return [...contents.counters, ...dropped].map((line) => ({ ...place, line }));
}

async function setAside(
  context: ShipContext,
  segment: ClosedSegment,
  head: Head,
  refused: readonly ShippedRow[],
): Promise<void> {
  if (refused.length === 0) return;
  const directory = quarantineDirectory(segment.path);
  await keepRefused(directory, `${segment.id}.${head.name}`, refused);
  context.metrics.refusedRows.inc({ head: head.name }, refused.length);
  context.log.error(
    { segment: segment.id, head: head.name, rows: refused.length },
    "clickhouse cannot read these rows; they are kept in quarantine",
  );
}

async function finish(
  context: ShipContext,
  segment: ClosedSegment,
  contents: SegmentContents,
): Promise<void> {
  if (contents.tornBytes > 0) {
    context.log.info({ segment: segment.id, bytes: contents.tornBytes }, "torn tail ignored");
  }
  if (contents.damagedRecords === 0) {
    await segment.remove();
    return;
  }
  context.metrics.damagedRecords.inc(contents.damagedRecords);
  context.log.error(
    { segment: segment.id, records: contents.damagedRecords },
    "the disk damaged spool records; the segment is kept in quarantine",
  );
  await segment.setAside();
}
