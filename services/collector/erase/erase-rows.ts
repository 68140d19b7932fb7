import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import type { ErasureSubject } from "@pro-talent/schemas/analytics/erasure-calls";
import { z } from "zod";

import type { Erasures } from "./erasures.ts";

/**
 * Tables whose rows belong to a subject, and the column that names it. The daily aggregates of the
 * site are not among them: they hold numbers, and sketches of 32-bit hashes of keyed pseudonyms, which
 * lead to no one without the anonymous id that the visitor's browser alone kept.
 */
export const subjectTables: Readonly<
  Record<ErasureSubject["kind"], { readonly column: string; readonly tables: readonly string[] }>
> = {
  visitor: { column: "visitor_id", tables: ["events", "sessions_agg"] },
  account: { column: "account_id", tables: ["link_opens", "link_reports"] },
};

type Store = {
  readonly clickhouse: ClickHouseClient;
  readonly database: string;
  /** Name of the cluster on which the tables are replicated. */
  readonly cluster?: string | undefined;
};

/** A mutation rewrites the parts that hold rows of the subjects; it is waited for on all replicas. */
const mutationSettings = { mutations_sync: "2" } as const;

const Counted = z.array(z.object({ subject: z.string(), rows: z.coerce.number() }));

/** Rows of each subject in one table. */
async function countRows(
  { clickhouse, database }: Store,
  table: string,
  { column, ids }: { column: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  const result = await clickhouse.query({
    query: `SELECT toString(${column}) AS subject, count() AS rows FROM \`${database}\`.${table}
            WHERE ${column} IN {ids:Array(UUID)} GROUP BY subject`,
    query_params: { ids },
    format: "JSONEachRow",
  });
  const rows = Counted.parse(await result.json());
  return new Map(rows.map(({ subject, rows: count }) => [subject, count]));
}

type Erased = {
  /** Rows by subject. */
  readonly deleted: ReadonlyMap<string, number>;
  /** Subjects that have rows all the same: they arrived meanwhile. */
  readonly left: ReadonlySet<string>;
};

/** Deletes every row of some subjects of one kind, and counts again. @throws what ClickHouse throws */
async function eraseRows(
  store: Store,
  kind: ErasureSubject["kind"],
  ids: readonly string[],
): Promise<Erased> {
  const { column, tables } = subjectTables[kind];
  const { clickhouse, database, cluster } = store;
  const deleted = new Map<string, number>();
  const left = new Set<string>();
  for (const table of tables) {
    const found = await countRows(store, table, { column, ids });
    if (found.size === 0) continue;
    const onCluster = cluster === undefined ? "" : `ON CLUSTER \`${cluster}\``;
    await clickhouse.command({
      query: `ALTER TABLE \`${database}\`.${table} ${onCluster}
              DELETE WHERE ${column} IN {ids:Array(UUID)}`,
      query_params: { ids: [...found.keys()] },
      clickhouse_settings: mutationSettings,
    });
    const after = await countRows(store, table, { column, ids: [...found.keys()] });
    for (const [id, rows] of found) {
      deleted.set(id, (deleted.get(id) ?? 0) + rows - (after.get(id) ?? 0));
      if (after.has(id)) left.add(id);
    }
  }
  return { deleted, left };
}

const kinds = ["visitor", "account"] as const;

/**
 * One pass over the erasures that are not done: those never swept, and those that can get no more rows.
 * Repeating it is harmless, on several instances too.
 * @returns how many are done now, and how many wait for an instance that has not shipped everything
 */
export async function sweepErasures(
  store: Store,
  erasures: Pick<Erasures, "pending" | "passed">,
): Promise<{ done: number; waiting: number }> {
  const pending = await erasures.pending();
  const due = pending.filter(({ swept, settled }) => !swept || settled);
  const rows = new Map<string, number>();
  const done: string[] = [];
  for (const kind of kinds) {
    const ofKind = due.filter((erasure) => erasure.kind === kind);
    if (ofKind.length === 0) continue;
    const { deleted, left } = await eraseRows(store, kind, [
      ...new Set(ofKind.map(({ id }) => id)),
    ]);
    for (const { erasureId, id, settled } of ofKind) {
      rows.set(erasureId, deleted.get(id) ?? 0);
      if (settled && !left.has(id)) done.push(erasureId);
    }
  }
  if (due.length > 0) await erasures.passed(rows, done);
  return { done: done.length, waiting: pending.length - done.length };
}
