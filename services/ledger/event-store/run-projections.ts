import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { pause } from "@pro-talent/platform/runtime/wait";

import { foldChanges, type StoredProjection } from "./projection.ts";
import { type StoredEvent, storedEventColumns } from "./stored-event.ts";

/**
 * Raised when the event at a checkpoint is not the one that was projected: the ledger was restored
 * from a backup. Going on would mix two histories; the projection must be rebuilt.
 */
export class HistoryChanged extends Error {
  override readonly name = "HistoryChanged";
}

type StepRow = { at_epoch: number; at_pos: number } & StoredEvent;

/**
 * Takes an async projection one batch on: its rows and its checkpoint in one statement. Positions
 * become visible in their order and without gaps, so reading on from the checkpoint misses nothing.
 * @returns `behind` when there may be more (or another instance was faster), `caught_up` otherwise
 * @throws HistoryChanged, UnknownEvent, ZodError; the checkpoint then stays where it is
 */
export async function stepProjection(
  sql: Sql,
  projection: StoredProjection,
  batchSize = 500,
): Promise<"behind" | "caught_up"> {
  const rows = await sql<StepRow[]>`
    select c.epoch as at_epoch, c.pos as at_pos, ${storedEventColumns(sql)}
      from ledger.checkpoint c
      left join lateral (select * from ledger.event where pos >= c.pos
                          order by pos limit ${batchSize + 1}) e on true
     where c.projection = ${projection.name} order by e.pos`;
  const [first] = rows;
  if (first === undefined) throw new Error(`Projection ${projection.name} is not registered`);
  const { at_epoch: epoch, at_pos: position } = first;
  if (position > 0 && (first.pos !== position || first.epoch !== epoch)) {
    throw new HistoryChanged(`Projection ${projection.name} must be rebuilt`);
  }
  const fresh = rows.filter((row) => row.pos > position);
  const last = fresh.at(-1);
  if (last === undefined) return "caught_up";
  const placed = fresh.flatMap((stored) =>
    projection.changes(stored).map((change) => ({ position: stored.pos, change })),
  );
  const changes = JSON.stringify(foldChanges(placed, projection.tables));
  const [result] = await sql<{ moved: boolean }[]>`
    select ledger.project(${projection.name}, ${epoch}, ${position},
      ${last.epoch}, ${last.pos}, ${changes}::text::jsonb) as moved`;
  return result?.moved === true && fresh.length < batchSize ? "caught_up" : "behind";
}

/** Projects everything that is recorded when it is called. Safe beside other instances. */
export async function catchUp(sql: Sql, projection: StoredProjection): Promise<void> {
  while ((await stepProjection(sql, projection)) === "behind");
}

export type ProjectionRunner = {
  /** Names of projections whose last step failed; they try again, from where they are. */
  readonly failing: () => readonly string[];
  readonly catchUp: (name: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const pollMs = 250;
const retryMs = 2_000;

/**
 * Follows the ledger with every async projection until stopped. Polls by position (one look-up of
 * an index) rather than waiting to be told: a lost notification would leave a projection behind
 * without anybody noticing. Readers that cannot wait call `catchUp`.
 */
export function runProjections(options: {
  sql: Sql;
  projections: readonly StoredProjection[];
  log: Logger;
}): ProjectionRunner {
  const { sql, log } = options;
  const followers = options.projections.filter((projection) => projection.mode === "async");
  const failing = new Set<string>();
  const stopping = new AbortController();

  async function follow(projection: StoredProjection): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await catchUp(sql, projection);
        failing.delete(projection.name);
      } catch (error) {
        if (!failing.has(projection.name)) {
          log.error({ err: error, projection: projection.name }, "projection stands still");
        }
        failing.add(projection.name);
      }
      await pause(failing.has(projection.name) ? retryMs : pollMs, stopping.signal);
    }
  }

  const running = followers.map(follow);
  return {
    failing: () => [...failing],
    catchUp: async (name) => {
      const projection = followers.find((follower) => follower.name === name);
      if (projection === undefined) throw new Error(`No async projection is called ${name}`);
      await catchUp(sql, projection);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
