import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat } from "@pro-talent/platform/runtime/repeat";
import { v4 as uuidV4, validate } from "uuid";

import { forgetInstance, reportStored } from "./erasures.ts";

/** A segment is closed and shipped after at most ten seconds; more, so that nothing is overlooked. */
const segmentMsMax = 30_000;
const everyMs = 5_000;

export type StoredUntilParts = {
  readonly sql: Sql;
  readonly instanceId: string;
  readonly clock: () => number;
  /** What waits in the spool: bytes, and the age of the oldest closed segment. */
  readonly backlog: () => { readonly bytes: number; readonly oldestMs: number };
  /** Files that are kept for an operator. */
  readonly quarantined: () => Promise<number>;
  readonly log: Logger;
};

/**
 * States every few seconds until when the records of this spool are stored in ClickHouse: erasures are
 * done only once no instance can ship a record from before their request. An instance that ends with
 * records in its spool stays known, and its next process goes on under the same id.
 * @returns ends it, after the spool was closed
 */
export async function stateStoredUntil(parts: StoredUntilParts): Promise<() => Promise<void>> {
  const { sql, instanceId, clock, backlog, quarantined, log } = parts;
  const state = async (): Promise<"wait"> => {
    // Read before the backlog: what arrives between the two is later than that.
    const nowMs = clock();
    const { bytes, oldestMs } = backlog();
    const storedUntilMs = bytes === 0 ? nowMs : nowMs - oldestMs - segmentMsMax;
    const stated = { storedUntilMs, nowMs, quarantined: await quarantined() };
    await reportStored(sql, instanceId, stated);
    return "wait";
  };
  await state();
  const stating = repeat({
    everyMs,
    pass: state,
    onFailing: (error) => log.warn({ err: error }, "what is stored could not be stated"),
  });
  return async () => {
    await stating.stop();
    if (backlog().bytes === 0 && (await quarantined()) === 0) await forgetInstance(sql, instanceId);
  };
}

/** The id of the spool in a directory, made with its first process. */
export async function instanceOf(directory: string): Promise<string> {
  const path = join(directory, "instance");
  const known = await readFile(path, "utf8").catch(() => "");
  if (validate(known)) return known;
  const made = uuidV4();
  await writeFile(path, made, { mode: 0o600 });
  return made;
}
