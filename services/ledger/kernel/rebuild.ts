import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";

import { type StoredEvent, storedEventColumns } from "./events.ts";
import { applyBatch } from "./follow.ts";
import {
  createTableSql,
  digestTable,
  dropTableSql,
  shadowSuffix,
  swapTablesSql,
  type TableDigest,
} from "./read-model-tables.ts";
import type { ReadModel } from "./read-model.ts";

export type RebuildResult = {
  readonly model: string;
  /** Position at which live and rebuilt tables were compared. */
  readonly position: number;
  /** Undefined when there was no live table of the same definition. */
  readonly live: TableDigest | undefined;
  readonly rebuilt: TableDigest;
  readonly equal: boolean;
  /** True when the rebuilt table is now the live one. */
  readonly swapped: boolean;
};

const eventsPerBatch = 2_000;

/**
 * Writes a read model anew from the events into a shadow table, compares it with the live one at the
 * same position, and swaps it in when they are equal, when `accept` says that the difference is
 * wanted (a repaired table), or when the live one has another definition. Appends wait only for the
 * swap.
 * @param sql the owner's connection, exactly one: a lock of its session keeps others from
 *   rebuilding the same read model meanwhile
 */
export async function rebuildReadModel(
  sql: Sql,
  model: ReadModel,
  options: { accept: boolean },
): Promise<RebuildResult> {
  if (sql.options.max !== 1) throw new Error("A rebuild needs a pool of exactly one connection");
  const lock = `rebuild ${model.table}`;
  await sql`select pg_advisory_lock(hashtext(${lock}))`;
  try {
    await sql.unsafe(dropTableSql(model, shadowSuffix) + createTableSql(model, shadowSuffix));
    const compared = await replayAndCompare(sql, model);
    const { position, live, rebuilt } = compared;
    const equal = live?.digest === rebuilt.digest;
    const swapped = equal || live === undefined || options.accept;
    if (swapped) await sql.begin((tx) => swapIn(tx, model, position));
    else await sql.unsafe(dropTableSql(model, shadowSuffix));
    return { model: model.table, position, live, rebuilt, equal, swapped };
  } finally {
    await sql`select pg_advisory_unlock(hashtext(${lock}))`;
  }
}

/**
 * Makes the tables of read models that are new or have another definition, and drops those of read
 * models that exist no longer. Repeating it changes nothing.
 * @param sql as for {@link rebuildReadModel}
 * @returns the names of those that were made, changed or dropped
 */
export async function synchroniseReadModels(
  sql: Sql,
  models: readonly ReadModel[],
): Promise<string[]> {
  const registered = await sql<{ name: string; definition_hash: string }[]>`
    select name, definition_hash from ledger.read_model`;
  const hashes = new Map(registered.map((row) => [row.name, row.definition_hash]));
  const changed: string[] = [];
  for (const model of models) {
    if (hashes.get(model.table) === model.definitionHash) {
      await registerStreams(sql, model);
      continue;
    }
    await rebuildReadModel(sql, model, { accept: true });
    changed.push(model.table);
  }
  const known = new Set(models.map(({ table }) => table));
  for (const { name } of registered.filter((row) => !known.has(row.name))) {
    await sql.begin(async (tx) => {
      await tx`delete from ledger.read_model where name = ${name}`;
      await tx`delete from ledger.checkpoint where follower = ${name}`;
      await tx.unsafe(dropTableSql({ table: name }));
    });
    changed.push(name);
  }
  return changed;
}

/** Which streams a model's rows come from: an append writes no others. */
async function registerStreams(sql: Queryable, model: ReadModel): Promise<void> {
  const [first = null] = Object.keys(model.key);
  const column = model.mode === "inline" ? first : null;
  await sql`update ledger.read_model set category = ${model.category}, stream_column = ${column}
     where name = ${model.table}
       and (category, stream_column) is distinct from (${model.category}, ${column})`;
}

/** One snapshot for both: what is live at its position, and the events up to there. */
function replayAndCompare(
  sql: Sql,
  model: ReadModel,
): Promise<Pick<RebuildResult, "position" | "live" | "rebuilt">> {
  return sql.begin("isolation level repeatable read", async (tx) => {
    const position = await livePosition(tx, model);
    await replay(tx, model, 0, position);
    const [comparable] = await tx`select from ledger.read_model
      where name = ${model.table} and definition_hash = ${model.definitionHash}`;
    return {
      position,
      live: comparable === undefined ? undefined : await digestTable(tx, model),
      rebuilt: await digestTable(tx, model, shadowSuffix),
    };
  });
}

/**
 * How far the live table has come: an inline one to the head, a following one to its checkpoint (or to
 * the head when it has none yet, or when a restored ledger ends before it).
 */
async function livePosition(tx: Queryable, model: ReadModel): Promise<number> {
  const [row] = await tx<{ pos: number }[]>`
    select case ${model.mode} when 'inline' then h.pos else least(h.pos, c.pos) end as pos
      from ledger.head h left join ledger.checkpoint c on c.follower = ${model.table}`;
  if (row === undefined) throw new Error("The ledger has no head");
  return row.pos;
}

async function replay(tx: Queryable, model: ReadModel, from: number, to: number): Promise<void> {
  let after = from;
  for (;;) {
    const batch = await tx<StoredEvent[]>`
      select ${storedEventColumns(tx)} from ledger.event e
       where e.pos > ${after} and e.pos <= ${to}
       order by e.pos limit ${eventsPerBatch}`;
    const last = batch.at(-1);
    if (last === undefined) return;
    const changes = await applyBatch(tx, model, batch, shadowSuffix);
    await tx`select ledger.write_rows(${JSON.stringify(changes)}::text::jsonb, 0, ${model.table},
      ${shadowSuffix})`;
    after = last.pos;
  }
}

/** Catches up with what was recorded since the comparison, and puts the shadow table in place. */
async function swapIn(tx: Queryable, model: ReadModel, comparedAt: number): Promise<void> {
  // The writer of the live table waits from here on: the append, or the follower.
  if (model.mode === "inline") await tx`select from ledger.head for update`;
  else await tx`select from ledger.checkpoint where follower = ${model.table} for update`;
  const position = await livePosition(tx, model);
  await replay(tx, model, comparedAt, position);
  await tx.unsafe(swapTablesSql(model));
  await tx`insert into ledger.read_model (name, mode, definition_hash)
    values (${model.table}, ${model.mode}, ${model.definitionHash})
    on conflict (name) do update
      set mode = excluded.mode, definition_hash = excluded.definition_hash`;
  await registerStreams(tx, model);
  if (model.mode === "following") {
    await tx`insert into ledger.checkpoint (follower, epoch, pos)
      values (${model.table}, coalesce((select epoch from ledger.event where pos = ${position}), 1), ${position})
      on conflict (follower) do update set epoch = excluded.epoch, pos = excluded.pos`;
  } else {
    // Of an earlier definition, which followed: it would be reported as ever further behind.
    await tx`delete from ledger.checkpoint where follower = ${model.table}`;
  }
}
