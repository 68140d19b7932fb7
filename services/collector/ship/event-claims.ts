import type { Sql } from "@pro-talent/platform/postgres/pool";

/**
 * Takes client-made event ids for a segment. An id belongs to the first segment that takes it, on
 * whatever instance; a segment that is shipped again gets the same answer as before.
 * @returns the ids that belong to this segment
 */
export async function claimEvents(
  sql: Sql,
  segment: string,
  eventIds: readonly string[],
): Promise<Set<string>> {
  // One order for everybody: two instances that take the same ids wait, they never deadlock.
  const ids = eventIds.toSorted();
  const rows = await sql<{ event_id: string }[]>`
    with wanted as (select unnest(${ids}::uuid[]) as event_id),
    taken as (
      insert into collector.event_claim (event_id, segment)
      select event_id, ${segment}::uuid from wanted order by event_id
      on conflict (event_id) do nothing
      returning event_id
    )
    select event_id from taken
    union all
    select claim.event_id from collector.event_claim claim
    join wanted using (event_id) where claim.segment = ${segment}::uuid`;
  return new Set(rows.map((row) => row.event_id));
}

/**
 * Forgets claims in small steps, so that no statement holds locks for long.
 * @param olderThanHours far above the age at which an event is refused as too late
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
