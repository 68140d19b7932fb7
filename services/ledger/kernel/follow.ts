import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat } from "@pro-talent/platform/runtime/repeat";

import type { ProcessStep } from "./append.ts";
import { type StoredEvent, storedEventColumns } from "./events.ts";
import { selectRows } from "./read-model-tables.ts";
import { type ReadModel, Rows, type TableChanges } from "./read-model.ts";

/**
 * Raised when the event at a checkpoint is not the one that was followed: the ledger was restored
 * from a backup. Going on would mix two histories; the read model must be rebuilt.
 */
export class HistoryChanged extends Error {
  override readonly name = "HistoryChanged";
}

/** A follower's checkpoint and the events after it. */
export type Ahead = {
  readonly epoch: number;
  readonly position: number;
  readonly events: readonly StoredEvent[];
};

/** What follows the ledger by position, one step at a time. */
export type Follower = {
  readonly name: string;
  /** @returns `behind` when there may be more (or another instance was faster) */
  readonly step: () => Promise<"behind" | "caught_up">;
};

type StepRow = { at_epoch: number; at_pos: number } & StoredEvent;

/**
 * Reads on from a follower's checkpoint. Positions become visible in their order and without gaps, so
 * nothing is missed.
 * @throws HistoryChanged; an Error when the follower has no checkpoint
 */
export async function readAhead(sql: Sql, follower: string, limit: number): Promise<Ahead> {
  const rows = await sql<StepRow[]>`
    select c.epoch as at_epoch, c.pos as at_pos, ${storedEventColumns(sql)}
      from ledger.checkpoint c
      left join lateral (select * from ledger.event where pos >= c.pos
                          order by pos limit ${limit + 1}) e on true
     where c.follower = ${follower} order by e.pos`;
  const [first] = rows;
  if (first === undefined) throw new Error(`${follower} has no checkpoint: migrate the ledger`);
  const { at_epoch: epoch, at_pos: position } = first;
  if (position > 0 && (first.pos !== position || first.epoch !== epoch)) {
    throw new HistoryChanged(`${follower} follows another history`);
  }
  return { epoch, position, events: rows.filter((row) => row.pos > position) };
}

/**
 * Takes a following read model one batch on: its rows and its checkpoint in one statement.
 * @throws HistoryChanged, UnknownEvent, ZodError; the checkpoint then stays where it is
 */
export async function stepReadModel(
  sql: Sql,
  model: ReadModel,
  batchSize = 500,
): Promise<"behind" | "caught_up"> {
  const { epoch, position, events } = await readAhead(sql, model.table, batchSize);
  const last = events.at(-1);
  if (last === undefined) return "caught_up";
  const step = {
    name: model.table,
    from: { epoch, position },
    to: { epoch: last.epoch, position: last.pos },
  };
  const moved = await moveCheckpoint(sql, step, await applyBatch(sql, model, events));
  return moved && events.length < batchSize ? "caught_up" : "behind";
}

/**
 * Moves a follower's checkpoint and writes rows, in one statement.
 * @returns false when another instance was faster; nothing is written then
 */
export async function moveCheckpoint(
  sql: Sql,
  { name, from, to }: ProcessStep,
  changes: readonly TableChanges[] = [],
): Promise<boolean> {
  const [row] = await sql<{ moved: boolean }[]>`
    select ledger.follow(${name}, ${from.epoch}, ${from.position}, ${to.epoch}, ${to.position},
      ${JSON.stringify(changes)}::text::jsonb) as moved`;
  return row?.moved === true;
}

/**
 * The rows that a batch of events leads to, from those that the table holds. Another instance that
 * changes them meanwhile moves the checkpoint too, so that these rows are not written.
 */
export async function applyBatch(
  sql: Queryable,
  model: ReadModel,
  events: readonly StoredEvent[],
  suffix = "",
): Promise<TableChanges[]> {
  const keys: object[] = [];
  const streams: string[] = [];
  for (const stored of events) {
    const key = model.keyOfStored(stored);
    if (key === "every row of the stream") {
      streams.push(stored.stream.slice(model.category.length + 1));
    } else if (key !== null) keys.push(key);
  }
  const rows = new Rows();
  for (const row of await selectRows(sql, model, { keys, streams }, suffix)) {
    const { key, columns } = model.parseRow(row);
    rows.load(key, columns);
  }
  for (const stored of events) model.applyStored(rows, stored);
  return rows.changes(model.table);
}

/** Follows everything that is recorded when it is called. Safe beside other instances. */
export async function catchUp(follower: Follower): Promise<void> {
  while ((await follower.step()) === "behind");
}

/** The follower of a read model. */
export function followerOf(sql: Sql, model: ReadModel): Follower {
  return { name: model.table, step: () => stepReadModel(sql, model) };
}

export type FollowerRunner = {
  /** Names of followers whose last step failed; they try again, from where they are. */
  readonly failing: () => readonly string[];
  readonly stop: () => Promise<void>;
};

const pollMs = 250;

/** Names of the followers that are not at the ledger's end. */
async function notAtEnd(sql: Sql, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ name: string }[]>`
    select f.name from ledger.head h, unnest(${names}::text[]) as f (name)
     where not exists (select from ledger.checkpoint c
                        where c.follower = f.name and c.pos = h.pos and c.epoch = h.epoch)`;
  return new Set(rows.map(({ name }) => name));
}

/**
 * Runs followers until stopped, each beside the others. Polls by position (one look for all of them) rather than
 * waiting for a notification: a lost one would leave a follower behind without anything noticing. Callers that
 * cannot wait use `catchUp`.
 */
export function runFollowers(
  sql: Sql,
  followers: readonly Follower[],
  log: Logger,
): FollowerRunner {
  const names = followers.map(({ name }) => name);
  const failing = new Set<string>();
  const running = new Map<string, Promise<void>>();
  let stopped = false;
  const failed = (error: unknown, name: string): void => {
    if (!failing.has(name))
      log.error({ err: error, follower: name }, "a follower does not advance");
    failing.add(name);
  };
  const advance = async ({ name, step }: Follower): Promise<void> => {
    try {
      while (!stopped && (await step()) === "behind");
      failing.delete(name);
    } catch (error) {
      failed(error, name);
    } finally {
      running.delete(name);
    }
  };
  const looking = repeat({
    everyMs: pollMs,
    pass: async () => {
      const behind = await notAtEnd(sql, names);
      for (const follower of followers) {
        const { name } = follower;
        if (!behind.has(name)) failing.delete(name);
        else if (!running.has(name)) running.set(name, advance(follower));
      }
      return "wait";
    },
    onFailing: (error) => {
      for (const name of names) failed(error, name);
    },
  });
  return {
    failing: () => [...failing],
    stop: async () => {
      stopped = true;
      await looking.stop();
      await Promise.all(running.values());
    },
  };
}
