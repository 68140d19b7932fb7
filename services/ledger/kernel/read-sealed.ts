import type { Sealed } from "./append.ts";
import type { EventStore } from "./event-store.ts";

/**
 * The sealed part of the newest event of this type that had one; undefined when there was none, or
 * when it was dropped. An earlier one never stands in for it.
 */
export async function readSealed(
  { sql }: EventStore,
  stream: string,
  type: string,
): Promise<Sealed | undefined> {
  const [row] = await sql<{ key_id: string; sealed: Buffer | null }[]>`
    select key_id, sealed from ledger.event
     where stream = ${stream} and type = ${type} and key_id is not null
     order by version desc limit 1`;
  const bytes = row?.sealed ?? undefined;
  return row === undefined || bytes === undefined ? undefined : { keyId: row.key_id, bytes };
}
