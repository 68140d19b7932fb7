import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";

import { foldChanges, type StoredProjection } from "./projection.ts";
import { type StoredEvent, storedEventColumns } from "./stored-event.ts";

export type RebuiltTable = {
  readonly table: string;
  readonly liveRows: number;
  readonly rebuiltRows: number;
  readonly liveDigest: string;
  readonly rebuiltDigest: string;
};

export type RebuildResult = {
  readonly projection: string;
  /** Position at which live and rebuilt tables were compared. */
  readonly position: number;
  readonly tables: readonly RebuiltTable[];
  readonly equal: boolean;
  /** True when the rebuilt tables are now the live ones. */
  readonly swapped: boolean;
};

const eventsPerBatch = 2_000;

/**
 * Writes a projection anew from the events into shadow tables, compares them with the live ones at
 * the same position, and swaps them in when they are equal, or when `accept` says that the
 * difference is wanted (a repaired table, a changed `evolve`). Appends wait only for the swap.
 * @param sql the owner's connection, exactly one: a lock of its session keeps others from
 *   rebuilding the same projection meanwhile
 */
export async function rebuildProjection(
  sql: Sql,
  projection: StoredProjection,
  options: { accept: boolean },
): Promise<RebuildResult> {
  if (sql.options.max !== 1) throw new Error("A rebuild needs a pool of exactly one connection");
  const lock = `rebuild ${projection.name}`;
  await sql`select pg_advisory_lock(hashtext(${lock}))`;
  try {
    const names = Object.keys(projection.tables);
    for (const name of names) await createShadow(sql, name);
    // One snapshot for both: what is live at its position, and the events up to there.
    const compared = await sql.begin("isolation level repeatable read", async (tx) => {
      const position = await livePosition(tx, projection);
      await replay(tx, projection, { after: 0, to: position });
      const tables: RebuiltTable[] = [];
      for (const name of names) tables.push(await compare(tx, name));
      return { position, tables };
    });
    const equal = compared.tables.every((table) => table.liveDigest === table.rebuiltDigest);
    const swapped = equal || options.accept;
    if (swapped) await sql.begin((tx) => swapIn(tx, projection, compared.position));
    else for (const name of names) await dropShadow(sql, name);
    return { projection: projection.name, ...compared, equal, swapped };
  } finally {
    await sql`select pg_advisory_unlock(hashtext(${lock}))`;
  }
}

async function dropShadow(sql: Sql, table: string): Promise<void> {
  await sql`drop table if exists ${sql(`ledger.${table}__shadow`)}`;
}

async function createShadow(sql: Sql, table: string): Promise<void> {
  await dropShadow(sql, table);
  await sql`create table ${sql(`ledger.${table}__shadow`)}
    (like ${sql(`ledger.${table}`)} including all)`;
}

/**
 * How far the live tables have come: inline ones to the head, async ones to their checkpoint (or to
 * the head when a restored ledger ends before it).
 */
async function livePosition(tx: Queryable, projection: StoredProjection): Promise<number> {
  const [row] = await tx<{ pos: number | null }[]>`
    select case ${projection.mode} when 'inline' then h.pos else least(h.pos, c.pos) end as pos
      from ledger.head h left join ledger.checkpoint c on c.projection = ${projection.name}`;
  const position = row?.pos ?? null;
  if (position === null) throw new Error(`Projection ${projection.name} has no checkpoint`);
  return position;
}

async function replay(
  tx: Queryable,
  projection: StoredProjection,
  range: { after: number; to: number },
): Promise<void> {
  let after = range.after;
  for (;;) {
    const batch = await tx<StoredEvent[]>`
      select ${storedEventColumns(tx)} from ledger.event e
       where e.pos > ${after} and e.pos <= ${range.to}
       order by e.pos limit ${eventsPerBatch}`;
    const last = batch.at(-1);
    if (last === undefined) return;
    const placed = batch.flatMap((stored) =>
      projection.changes(stored).map((change) => ({ position: stored.pos, change })),
    );
    const changes = JSON.stringify(foldChanges(placed, projection.tables));
    await tx`select ledger.write_rows(${changes}::text::jsonb, 0, ${[projection.mode]}::text[],
      ${projection.name}, '__shadow')`;
    after = last.pos;
  }
}

async function compare(tx: Queryable, table: string): Promise<RebuiltTable> {
  type DigestRow = { row_count: number; digest: string };
  const shadow = `${table}__shadow`;
  const [live] = await tx<DigestRow[]>`select * from ledger.digest(${table})`;
  const [rebuilt] = await tx<DigestRow[]>`select * from ledger.digest(${shadow})`;
  if (live === undefined || rebuilt === undefined) throw new Error(`No digest of ${table}`);
  return {
    table,
    liveRows: live.row_count,
    rebuiltRows: rebuilt.row_count,
    liveDigest: live.digest,
    rebuiltDigest: rebuilt.digest,
  };
}

/** Catches up with what was recorded since the comparison, and puts the shadow tables in place. */
async function swapIn(
  tx: Queryable,
  projection: StoredProjection,
  comparedAt: number,
): Promise<void> {
  // The writer of the live tables waits from here on: the append, or the follower.
  if (projection.mode === "inline") await tx`select from ledger.head for update`;
  else await tx`select from ledger.checkpoint where projection = ${projection.name} for update`;
  const position = await livePosition(tx, projection);
  await replay(tx, projection, { after: comparedAt, to: position });
  for (const name of Object.keys(projection.tables)) await tx`select ledger.swap_table(${name})`;
  if (projection.mode === "async") {
    await tx`update ledger.checkpoint
      set pos = ${position},
          epoch = coalesce((select epoch from ledger.event where pos = ${position}), 1)
      where projection = ${projection.name}`;
  }
}
