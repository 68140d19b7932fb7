import type { Transaction } from "@pro-talent/platform/postgres/pool";

import type { CommandedEvent } from "../kernel/stream-kinds.ts";
import { copyRows, type CopiedRow } from "./copied-rows.ts";
import type { ChainEnd } from "./event-hash.ts";
import { touchedSince } from "./stream-versions.ts";

/** An event as the checks of what follows from it read it. */
export type VerifiedEvent = CommandedEvent & {
  /** Its sealed part cannot be opened any more: the ciphertext was dropped, or the key is gone. */
  readonly erased: boolean;
  /** Its sealed part is there. */
  readonly sealed: boolean;
  /** The key of its sealed part is there. */
  readonly keyed: boolean;
};

/** Receives the streams one after another, each in its order. */
export type StreamReader = {
  readonly event: (event: VerifiedEvent) => void;
  /** The stream has no more events. */
  readonly end: (stream: string) => void;
};

const columns = `e.pos, e.epoch, e.stream, e.version, e.event_id, e.type, e.schema_version, e.occurred_at,
  e.recorded_at, e.meta, e.data, e.command_id, e.key_id is not null, e.sealed is not null,
  s.subject_id is not null`;
const columnCount = 15;
const events = "only ledger.event e left join only ledger.subject s on s.subject_id = e.key_id";
const erasedStreams = `e.stream in (select t.stream from only ledger.event t
  left join only ledger.subject s on s.subject_id = t.key_id
  where t.key_id is not null and (t.sealed is null or s.subject_id is null))`;

/**
 * Reads, from their beginning, the streams that have events after a position, and those of which
 * something was erased, at whatever time.
 */
export async function readByStream(
  tx: Transaction,
  from: ChainEnd,
  reader: StreamReader,
): Promise<void> {
  let stream = "";
  const select = `select ${columns} from ${events} where ${touchedSince(from)} or ${erasedStreams}
    order by e.stream, e.version, e.pos`;
  await copyRows(tx, select, columnCount, (row) => {
    const event = eventOf(row);
    if (stream !== "" && event.stream !== stream) reader.end(stream);
    stream = event.stream;
    reader.event(event);
  });
  if (stream !== "") reader.end(stream);
}

/** Reads the events of streams of one category in the order of their positions. */
export async function readByPosition(
  tx: Transaction,
  category: string,
  onEvent: (event: VerifiedEvent) => void,
): Promise<void> {
  // A category has small letters alone, and a dash follows it.
  const select = `select ${columns} from ${events}
    where e.stream like '${category}-%' order by e.pos`;
  await copyRows(tx, select, columnCount, (row) => onEvent(eventOf(row)));
}

function eventOf(row: CopiedRow): VerifiedEvent {
  return {
    pos: row.number(0),
    epoch: row.number(1),
    stream: row.text(2),
    version: row.number(3),
    event_id: row.uuid(4),
    type: row.text(5),
    schema_version: row.number(6),
    occurred_ms: row.milliseconds(7),
    recorded_ms: row.milliseconds(8),
    meta: row.text(9),
    data: row.text(10),
    command_id: row.uuid(11),
    sealed: row.number(13) === 1,
    keyed: row.number(14) === 1,
    erased: row.number(12) === 1 && (row.number(13) === 0 || row.number(14) === 0),
  };
}
