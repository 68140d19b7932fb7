import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { Statement } from "@pro-talent/platform/postgres/statement";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { decodeEvent, type EventFamily } from "./event-registry.ts";
import type { DomainEvent, RecordedEvent } from "./types.ts";

/** A row of ledger.event as {@link storedEventColumns} selects it. */
export type StoredEvent = {
  pos: number;
  epoch: number;
  stream: string;
  version: number;
  type: string;
  schema_version: number;
  recorded_ms: number;
  data: string;
};

/** The columns of a {@link StoredEvent}, of a table or subquery that is called `e`. */
export function storedEventColumns(sql: Queryable): Statement<readonly object[]> {
  return sql`e.pos, e.epoch, e.stream, e.version, e.type, e.schema_version, e.data,
    (extract(epoch from e.recorded_at) * 1000)::bigint as recorded_ms`;
}

/** The word before the dash: which domain a stream belongs to. */
export function categoryOf(stream: string): string {
  return stream.slice(0, stream.indexOf("-"));
}

/** @throws UnknownEvent or ZodError when the family cannot read it */
export function readStored<Event extends DomainEvent>(
  family: EventFamily<Event>,
  stored: StoredEvent,
): RecordedEvent<Event> {
  const event = decodeEvent(family, {
    type: stored.type,
    schemaVersion: stored.schema_version,
    data: stored.data,
  });
  return {
    event,
    stream: stored.stream,
    version: stored.version,
    position: stored.pos,
    epoch: stored.epoch,
    recordedAt: instantFromMs(stored.recorded_ms),
  };
}
