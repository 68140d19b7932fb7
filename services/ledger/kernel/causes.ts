import type { Queryable } from "@pro-talent/platform/postgres/pool";

import { type Cause, causeAfter } from "./types.ts";

/** The cause of what a part of the product does about a stream by itself: the last event that is there. */
export async function causeAfterLast(
  sql: Queryable,
  actor: string,
  stream: string,
): Promise<Cause> {
  const [last] = await sql<{ event_id: string; meta: string }[]>`
    select event_id, meta from ledger.event where stream = ${stream} order by version desc limit 1`;
  return causeAfter(actor, last?.event_id ?? null, last?.meta ?? null);
}
