import { syncReplicas } from "@pro-talent/platform/clickhouse/cluster";
import type { ErasureSubject } from "@pro-talent/schemas/analytics/erasure-calls";
import { z } from "zod";

import { deleteWhere, type ErasingStore } from "./delete-where.ts";
import { dropDaysOf } from "./drop-days.ts";
import type { Erasures, Pending } from "./erasures.ts";
import { eraseOwnWords, ownWordsOf } from "./own-words.ts";

/**
 * Tables whose rows belong to a subject, and the column that names it. Copies of them by days are dropped with
 * the day (`dropDaysOf`). The daily aggregates of the site are not among them: they hold numbers, and sketches of 32-bit hashes of keyed pseudonyms, which
 * lead to no one without the anonymous id that the visitor's browser alone kept. Words in them that no
 * other visitor brought are erased: own-words.ts.
 */
export const subjectTables: Readonly<
  Record<ErasureSubject["kind"], { readonly column: string; readonly tables: readonly string[] }>
> = {
  visitor: { column: "visitor_id", tables: ["events", "sessions_agg"] },
  account: { column: "account_id", tables: ["link_opens", "link_reports"] },
};

type Store = ErasingStore & {
  /** The id at a link that is made from a visitor's key. */
  readonly visitorOfLink: (readerKey: Buffer, linkId: string) => string;
};

/** Rows of one table that have one of these ids in a column; each id belongs to an erasure's subject. */
type Rows = {
  readonly table: string;
  readonly column: string;
  readonly subjectOf: ReadonlyMap<string, string>;
};

/** Ids of one question. */
const idsMax = 10_000;

const Counted = z.array(z.object({ id: z.string(), rows: z.coerce.number() }));

async function countRows(
  { clickhouse, database }: Store,
  { table, column }: Rows,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const result = await clickhouse.query({
    query: `SELECT toString(${column}) AS id, count() AS rows FROM \`${database}\`.${table}
            WHERE ${column} IN {ids:Array(UUID)} GROUP BY id`,
    query_params: { ids },
    format: "JSONEachRow",
  });
  const rows = Counted.parse(await result.json());
  return new Map(rows.map(({ id, rows: count }) => [id, count]));
}

const Links = z.array(z.object({ id: z.string() }));

/** Links that any consenting visitor opened: their ids are of UUID version 8, all others random. */
async function openedLinks({
  clickhouse,
  database,
}: Pick<Store, "clickhouse" | "database">): Promise<string[]> {
  const result = await clickhouse.query({
    query: `SELECT DISTINCT toString(link_id) AS id FROM \`${database}\`.link_opens
            WHERE substring(toString(visitor_id), 15, 1) = '8'`,
    format: "JSONEachRow",
  });
  return Links.parse(await result.json()).map(({ id }) => id);
}

/**
 * The ids that a consenting visitor can have in opens of links, in lists that fit into a question. Which
 * links they opened is not known, so there is one for each link that any consenting visitor opened.
 * @throws what ClickHouse throws
 */
export async function idsAtLinks(
  store: Pick<Store, "clickhouse" | "database">,
  idAt: (linkId: string) => string,
): Promise<string[][]> {
  const links = await openedLinks(store);
  return Array.from({ length: Math.ceil(links.length / idsMax) }, (_, list) =>
    links.slice(list * idsMax, (list + 1) * idsMax).map((link) => idAt(link)),
  );
}

/** Of all subjects together: a question, and a mutation, costs the same for one id and for many. */
async function* opensOf(store: Store, due: readonly Pending[]): AsyncGenerator<Rows> {
  const links = await openedLinks(store);
  const rows = (subjectOf: ReadonlyMap<string, string>): Rows => ({
    table: "link_opens",
    column: "visitor_id",
    subjectOf,
  });
  let subjectOf = new Map<string, string>();
  for (const { id: subject, readerKey } of due) {
    if (readerKey === null) continue;
    for (const link of links) {
      subjectOf.set(store.visitorOfLink(readerKey, link), subject);
      if (subjectOf.size < idsMax) continue;
      yield rows(subjectOf);
      subjectOf = new Map();
    }
  }
  if (subjectOf.size > 0) yield rows(subjectOf);
}

async function* rowsOf(
  store: Store,
  kind: ErasureSubject["kind"],
  due: readonly Pending[],
): AsyncGenerator<Rows> {
  const { column, tables } = subjectTables[kind];
  const subjectOf = new Map(due.map(({ id }) => [id, id]));
  for (const table of tables) yield { table, column, subjectOf };
  if (kind === "visitor") yield* opensOf(store, due);
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
  due: readonly Pending[],
): Promise<Erased> {
  const deleted = new Map<string, number>();
  const left = new Set<string>();
  // A replica that lags behind would hide what is to be erased.
  await syncReplicas(store, [...subjectTables[kind].tables, "link_opens"]);
  for await (const rows of rowsOf(store, kind, due)) {
    const { table, column, subjectOf } = rows;
    const found = await countRows(store, rows, [...subjectOf.keys()]);
    if (found.size === 0) continue;
    // Before the events that show whose words they are; a pass that is killed between both begins anew.
    if (table === "events") await eraseOwnWords(store, await ownWordsOf(store, [...found.keys()]));
    const condition = `${column} IN {ids:Array(UUID)}`;
    await deleteWhere(store, table, { condition, params: { ids: [...found.keys()] } });
    const after = await countRows(store, rows, [...found.keys()]);
    for (const [id, count] of found) {
      const subject = subjectOf.get(id) ?? id;
      deleted.set(subject, (deleted.get(subject) ?? 0) + count - (after.get(id) ?? 0));
      if (after.has(id)) left.add(subject);
    }
  }
  return { deleted, left };
}

const kinds = ["visitor", "account"] as const;

/**
 * One pass over the erasures that are due: those that can get no more rows, all in one mutation of each
 * table, and once those that wait for an instance that is away.
 * Repeating it is harmless, on several instances too.
 * @returns how many are done now, and how many wait for an instance that has not shipped everything
 */
export async function sweepErasures(
  store: Store,
  erasures: Pick<Erasures, "pending" | "passed">,
): Promise<{ done: number; waiting: number }> {
  const pending = await erasures.pending();
  const due = pending.filter((erasure) => erasure.due);
  const rows = new Map<string, number>();
  const done: string[] = [];
  for (const kind of kinds) {
    const ofKind = due.filter((erasure) => erasure.kind === kind);
    if (ofKind.length === 0) continue;
    // A subject whose erasure was asked for twice is looked for once.
    const subjects = [...new Map(ofKind.map((erasure) => [erasure.id, erasure])).values()];
    const { deleted, left } = await eraseRows(store, kind, subjects);
    if (kind === "visitor") {
      await dropDaysOf(
        store,
        subjects.map(({ id }) => id),
      );
    }
    for (const { erasureId, id, settled } of ofKind) {
      rows.set(erasureId, deleted.get(id) ?? 0);
      if (settled && !left.has(id)) done.push(erasureId);
    }
  }
  if (due.length > 0) await erasures.passed(rows, done);
  return { done: done.length, waiting: pending.length - done.length };
}
