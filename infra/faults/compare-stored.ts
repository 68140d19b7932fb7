import { z } from "zod";

import type { DrillStack } from "./drill-stack.ts";
import type { RecordLoad } from "./record-load.ts";

/** A statement about the stored data and whether it holds. */
export type Finding = { statement: string; holds: boolean; figures: string };

const StoredEvent = z.object({ id: z.uuid(), kind: z.string() });

/** Compares what was acknowledged with what ClickHouse holds, and the aggregates with the raw rows. */
export async function compareStored(stack: DrillStack, load: RecordLoad): Promise<Finding[]> {
  const kinds = "kind IN ('page_view', 'click', 'custom')";
  const rows = await stack.rows(`SELECT event_id AS id, kind FROM events WHERE ${kinds}`);
  const stored = rows.map((row) => StoredEvent.parse(row));
  const storedIds = new Set(stored.map((row) => row.id));
  const acked = [...load.sent].filter(([, record]) => record.acked).map(([id]) => id);
  const lost = acked.filter((id) => !storedIds.has(id)).length;
  const invented = [...storedIds].filter((id) => !load.sent.has(id)).length;
  const changed = stored.filter((row) => load.sent.get(row.id)?.kind !== row.kind).length;
  const anonymous = await stack.count(
    "SELECT sum(count) FROM counters_daily WHERE metric = 'page_view' AND page = '/drill/anonymous'",
  );
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
      figures: `${load.sent.size} sent, ${invented} invented, ${changed} changed`,
    },
    {
      statement: "anonymous page views are counted once for each acknowledgement",
      holds: anonymous >= load.unconsented.acked && anonymous <= load.unconsented.sent,
      figures: `${load.unconsented.acked} acknowledged, ${anonymous} counted, ${load.unconsented.sent} sent`,
    },
    ...(await compareAggregates(stack)),
  ];
}

/** Each aggregate beside the same number taken from the raw events. */
const aggregates: readonly { name: string; aggregate: string; raw: string }[] = [
  {
    name: "page views by day",
    aggregate: "SELECT sum(page_views) FROM page_views_daily",
    raw: "SELECT countIf(kind = 'page_view') FROM events",
  },
  {
    name: "page views of sessions",
    aggregate: "SELECT sum(page_views) FROM sessions",
    raw: "SELECT countIf(kind = 'page_view') FROM events",
  },
  {
    name: "clicks of sessions",
    aggregate: "SELECT sum(clicks) FROM sessions",
    raw: "SELECT countIf(kind = 'click') FROM events",
  },
  {
    name: "events of sessions",
    aggregate: "SELECT sum(events) FROM sessions",
    raw: "SELECT count() FROM events",
  },
];

async function compareAggregates(stack: DrillStack): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, aggregate, raw } of aggregates) {
    const left = await stack.count(aggregate);
    const right = await stack.count(raw);
    findings.push({
      statement: `the aggregate "${name}" equals the raw events`,
      holds: left === right && right > 0,
      figures: `${left} and ${right}`,
    });
  }
  return findings;
}
