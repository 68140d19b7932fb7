import { z } from "zod";

import type { DrillStack } from "./drill-stack.ts";
import type { RecordLoad, SentRecord } from "./record-load.ts";

/** A statement about the stored data and whether it holds. */
export type Finding = { statement: string; holds: boolean; figures: string };

/** Where rows are read. */
type Stored = Pick<DrillStack, "rows" | "count">;

const StoredEvents = z.array(z.object({ id: z.uuid(), kind: z.string() }));

/** Compares what was acknowledged with what ClickHouse holds, and the aggregates with the raw rows. */
export async function compareStored(stack: Stored, load: RecordLoad): Promise<Finding[]> {
  const anonymous = await stack.count(
    "SELECT sum(count) FROM counters_daily WHERE metric = 'page_view' AND page = '/drill/anonymous'",
  );
  const { acked, sent } = load.unconsented;
  return [
    ...(await compareRecords(stack, load.sent)),
    {
      statement: "anonymous page views are counted once for each acknowledgement",
      holds: anonymous >= acked && anonymous <= sent,
      figures: `${acked} acknowledged, ${anonymous} counted, ${sent} sent`,
    },
  ];
}

/** Compares records that were acknowledged with the rows, by the id of the event. */
export async function compareRecords(
  stack: Stored,
  sent: ReadonlyMap<string, SentRecord>,
): Promise<Finding[]> {
  const kinds = "kind IN ('page_view', 'click', 'custom')";
  const stored = StoredEvents.parse(
    await stack.rows(`SELECT event_id AS id, kind FROM events WHERE ${kinds}`),
  );
  const storedIds = new Set(stored.map((row) => row.id));
  const acked = [...sent].filter(([, record]) => record.acked).map(([id]) => id);
  const lost = acked.filter((id) => !storedIds.has(id)).length;
  const invented = [...storedIds].filter((id) => !sent.has(id)).length;
  const changed = stored.filter((row) => sent.get(row.id)?.kind !== row.kind).length;
  return [
    {
      statement: "every acknowledged record is stored",
      holds: acked.length > 0 && lost === 0,
      figures: `${acked.length} acknowledged, ${lost} lost`,
    },
    {
      statement: "every stored record is stored exactly once",
      holds: stored.length === storedIds.size,
      figures: `${stored.length} rows, ${storedIds.size} different`,
    },
    {
      statement: "nothing is stored that was not sent, or as something else",
      holds: invented === 0 && changed === 0,
      figures: `${sent.size} sent, ${invented} invented, ${changed} changed`,
    },
    ...(await compareAggregates(stack)),
  ];
}

/** Each aggregate beside the same number from the raw events. */
const aggregates = [
  ["page views by day", "sum(page_views) FROM page_views_daily", "countIf(kind = 'page_view')"],
  ["page views of sessions", "sum(page_views) FROM sessions", "countIf(kind = 'page_view')"],
  ["clicks of sessions", "sum(clicks) FROM sessions", "countIf(kind = 'click')"],
  ["events of sessions", "sum(events) FROM sessions", "count()"],
] as const;

async function compareAggregates(stack: Stored): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, aggregate, raw] of aggregates) {
    const left = await stack.count(`SELECT ${aggregate}`);
    const right = await stack.count(`SELECT ${raw} FROM events`);
    findings.push({
      statement: `the aggregate "${name}" equals the raw events`,
      holds: left === right && right > 0,
      figures: `${left} and ${right}`,
    });
  }
  return findings;
}
