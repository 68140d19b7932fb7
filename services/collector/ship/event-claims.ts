import type { Sql } from "@pro-talent/platform/postgres/pool";

/** Ids of one statement: few enough to block neither this process nor the database. */
const idsPerStatement = 1_000;

/**
 * Takes client-made event ids for a segment. An id belongs to the first segment that takes it, on
 * whatever instance; a segment that is shipped again gets the same answer as before.
 * @param eventIds each once
 * @returns the ids that belong to another segment: usually none
 */
export async function claimEvents(
  sql: Sql,
  segment: string,
  eventIds: readonly string[],
): Promise<Set<string>> {
  const lost = new Set<string>();
  for (let start = 0; start < eventIds.length; start += idsPerStatement) {
    const ids = eventIds.slice(start, start + idsPerStatement);
    for (const id of await claimSome(sql, segment, ids)) lost.add(id);
  }
  return lost;
}

async function claimSome(sql: Sql, segment: string, eventIds: string[]): Promise<string[]> {
  // One order for all: two instances that take the same ids wait, they never deadlock.
  const ids = eventIds.toSorted();
  // On conflict the owner is read from the row as it is after the wait for its lock. A select beside
  // the insert would read an older snapshot, and would miss what an earlier attempt of this very
  // segment, cut off but still running, claims at this moment.
  const rows = await sql<{ event_id: string }[]>`
    with claimed as (
      insert into collector.event_claim as claim (event_id, segment)
      select event_id, ${segment}::uuid from unnest(${ids}::uuid[]) as event_id order by event_id
      on conflict (event_id) do update set segment = claim.segment
      returning event_id, segment
    )
    select event_id from claimed where segment <> ${segment}::uuid`;
  return rows.map((row) => row.event_id);
}

/**
 * Forgets claims in small steps, so that no statement holds locks for long.
 * @param olderThanHours above the age at which a session id is refused as too old
 * @returns how many were forgotten
 */
export async function pruneClaims(
  sql: Sql,
  olderThanHours: number,
  stepRows = 5000,
): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const { count } = await sql`
      delete from collector.event_claim where event_id in (
        select event_id from collector.event_claim
        where claimed_at < now() - make_interval(hours => ${olderThanHours})
        order by claimed_at limit ${stepRows})`;
    forgotten += count;
    if (count < stepRows) return forgotten;
  }
}
