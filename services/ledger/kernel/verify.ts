import type { Sql } from "@pro-talent/platform/postgres/pool";

/**
 * A place where the ledger is not what was appended. `missing`: no event here; `prev`: it does not
 * follow its predecessor; `hash`: a field was changed; `sealed`: its ciphertext was exchanged;
 * `head`: the head does not name the last event; `stream`: a stream does not end where it says.
 */
export type Finding = {
  readonly position: number;
  readonly why: "missing" | "prev" | "hash" | "sealed" | "head" | "stream";
};

export type VerifiedRange = { readonly events: number; readonly lastPosition: number };

/**
 * Checks the whole chain, range by range, and yields each finding as soon as it is known. Events
 * appended meanwhile do not disturb it. Needs a role that may execute ledger.verify (the owner).
 */
export async function* verifyLedger(
  sql: Sql,
  eventsPerRange = 10_000,
): AsyncGenerator<Finding, VerifiedRange> {
  let from = 1;
  let events = 0;
  for (;;) {
    // By existing rows, not by number: a forged position must not make this count to it.
    const [range] = await sql<{ last: number | null; events: number }[]>`
      select max(pos) as last, count(*)::int as events from (
        select pos from ledger.event where pos >= ${from} order by pos limit ${eventsPerRange}) r`;
    const last = range?.last ?? null;
    if (range === undefined || last === null) break;
    yield* await sql<Finding[]>`
      select bad_pos as position, why from ledger.verify(${from}, ${last})`;
    events += range.events;
    from = last + 1;
  }
  yield* await sql<Finding[]>`select bad_pos as position, why from ledger.verify_ends()`;
  return { events, lastPosition: from - 1 };
}
