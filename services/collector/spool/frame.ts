import { crc32 } from "node:zlib";

import type { Work } from "@pro-talent/platform/runtime/in-turns";
import type { CounterRow, EventRow } from "@pro-talent/schemas/analytics/row";
import type { OpenRow } from "@pro-talent/schemas/links/opens";
import type { ViewingRow } from "@pro-talent/schemas/links/viewing";

/** What the collector acknowledges: one row of a table of ClickHouse. */
export type SpoolRecord =
  | {
      kind: "event";
      row: EventRow;
      /** True when the client made the event id: duplicates are removed before shipping. */
      claim: boolean;
    }
  | { kind: "counter"; row: CounterRow }
  | { kind: "open"; row: OpenRow }
  /** Of the page that an open led to. */
  | { kind: "viewing"; row: ViewingRow };

/**
 * The bytes of a segment file: a header, then one frame per record.
 *
 *     header  8 bytes   "ptspool1"
 *     frame   u32 LE    length of the body
 *             u32 LE    CRC-32 of the body (IEEE 802.3, as zlib computes it)
 *             body      u8 kind · for events: u8 flags, event id (36 bytes), the days of
 *                       `occurred_at` and `session_started_at` (10 bytes each); for link opens
 *                       and viewing reports: their id, the day they arrived · the row as NDJSON
 *
 * The row is stored as the line that ClickHouse receives: shipping parses nothing.
 */
export const segmentHeader = Buffer.from("ptspool1", "latin1");

const frameHeaderBytes = 8;
const eventIdBytes = 36;
const dayBytes = 10;
/** Bits of an event's flags. */
const flag = { claim: 1, start: 2, bot: 4, timeReplaced: 8 } as const;
const eventKind = 1;
const counterKind = 2;
const openKind = 3;
const viewingKind = 4;
const eventPrefixBytes = 2 + eventIdBytes + 2 * dayBytes;
const counterPrefixBytes = 1;
const openPrefixBytes = 1 + eventIdBytes + dayBytes;
/** Far above what the ingest limits allow; a longer length is damage, not a record. */
const bodyBytesMax = 1024 * 1024;

/** Frames waiting for one write; the buffer is reused and grows with the largest batch. */
export class FrameBuffer {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;
  #records = 0;

  get length(): number {
    return this.#length;
  }

  get records(): number {
    return this.#records;
  }

  /** The frames so far; valid until the next `append` or `clear`. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    this.#records = 0;
  }

  /** @throws RangeError when a record is longer than a frame may be; none of them is added. */
  append(records: readonly SpoolRecord[]): void {
    const [length, count] = [this.#length, this.#records];
    try {
      for (const record of records) this.#appendOne(record);
    } catch (error) {
      this.#length = length;
      this.#records = count;
      throw error;
    }
  }

  #appendOne(record: SpoolRecord): void {
    const line = `${JSON.stringify(record.row)}\n`;
    // One UTF-16 unit takes at most three bytes in UTF-8.
    this.#reserve(frameHeaderBytes + eventPrefixBytes + line.length * 3);
    const buffer = this.#buffer;
    const start = this.#length + frameHeaderBytes;
    let end = start;
    if (record.kind === "event") {
      end = buffer.writeUInt8(eventKind, end);
      end = buffer.writeUInt8(flagsOf(record), end);
      end += buffer.write(record.row.event_id, end, eventIdBytes, "latin1");
      end += buffer.write(record.row.occurred_at, end, dayBytes, "latin1");
      end += buffer.write(record.row.session_started_at, end, dayBytes, "latin1");
    } else if (record.kind === "open") {
      end = buffer.writeUInt8(openKind, end);
      end += buffer.write(record.row.event_id, end, eventIdBytes, "latin1");
      end += buffer.write(record.row.occurred_at, end, dayBytes, "latin1");
    } else if (record.kind === "viewing") {
      end = buffer.writeUInt8(viewingKind, end);
      end += buffer.write(record.row.report_id, end, eventIdBytes, "latin1");
      end += buffer.write(record.row.reported_at, end, dayBytes, "latin1");
    } else {
      end = buffer.writeUInt8(counterKind, end);
    }
    end += buffer.write(line, end, "utf8");
    if (end - start > bodyBytesMax) throw new RangeError("A record is longer than a frame may be");
    buffer.writeUInt32LE(end - start, this.#length);
    buffer.writeUInt32LE(crc32(buffer.subarray(start, end)), this.#length + 4);
    this.#length = end;
    this.#records += 1;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

function flagsOf({ row, claim }: Extract<SpoolRecord, { kind: "event" }>): number {
  return (
    (claim ? flag.claim : 0) |
    (row.kind === "session_start" ? flag.start : 0) |
    (row.is_bot === 1 ? flag.bot : 0) |
    (row.time_source === "replaced" ? flag.timeReplaced : 0)
  );
}

/** `line` is the row as NDJSON with its line feed, a view into the segment's bytes. */
export type EventFrame = {
  eventId: string;
  claim: boolean;
  /** The start of a visit session: the collector itself records it more than once. */
  start: boolean;
  /** Stored with a mark. */
  bot: boolean;
  timeReplaced: boolean;
  /** UTC days, `2026-03-01`: they name the partitions that the row belongs to. */
  occurredDay: string;
  sessionDay: string;
  line: Buffer;
};

/** Of share links; each has an id of the collector's own. */
export type OpenFrame = Pick<EventFrame, "eventId" | "occurredDay" | "sessionDay" | "line">;

export type SegmentContents = {
  events: EventFrame[];
  opens: OpenFrame[];
  viewings: OpenFrame[];
  /** Lines of `counters_daily`. */
  counters: Buffer[];
  /** Frames whose checksum is wrong although they are complete: the disk changed them. */
  damagedRecords: number;
  /** Bytes after the last complete frame: a write that a crash cut short, never acknowledged. */
  tornBytes: number;
};

/** Some tenths of a millisecond of work. */
const framesPerTurn = 200;

/**
 * Reads a segment's bytes. The same bytes always give the same rows: a damaged frame is skipped, and
 * reading ends where no complete frame follows.
 */
export function* decodeSegment(bytes: Buffer): Work<SegmentContents> {
  const contents: SegmentContents = {
    events: [],
    opens: [],
    viewings: [],
    counters: [],
    damagedRecords: 0,
    tornBytes: 0,
  };
  let offset = segmentHeader.length;
  if (!bytes.subarray(0, offset).equals(segmentHeader)) {
    return { ...contents, tornBytes: bytes.length };
  }
  for (let frames = 1; offset < bytes.length; frames++) {
    const body = frameBody(bytes, offset);
    if (body === undefined) {
      contents.tornBytes = bytes.length - offset;
      break;
    }
    const intact = crc32(body) === bytes.readUInt32LE(offset + 4);
    if (!intact || !addRecord(contents, body)) contents.damagedRecords += 1;
    offset += frameHeaderBytes + body.length;
    if (frames % framesPerTurn === 0) yield;
  }
  return contents;
}

/** The body of the frame at `offset`; undefined when there is no complete one. */
function frameBody(bytes: Buffer, offset: number): Buffer | undefined {
  if (offset + frameHeaderBytes > bytes.length) return undefined;
  const length = bytes.readUInt32LE(offset);
  const start = offset + frameHeaderBytes;
  if (length <= counterPrefixBytes || length > bodyBytesMax) return undefined;
  return start + length > bytes.length ? undefined : bytes.subarray(start, start + length);
}

function addRecord(contents: SegmentContents, body: Buffer): boolean {
  const kind = body.readUInt8(0);
  if (kind === counterKind) {
    contents.counters.push(body.subarray(counterPrefixBytes));
    return true;
  }
  if ((kind === openKind || kind === viewingKind) && body.length > openPrefixBytes) {
    const day = 1 + eventIdBytes;
    const occurredDay = body.toString("latin1", day, openPrefixBytes);
    const eventId = body.toString("latin1", 1, day);
    const line = body.subarray(openPrefixBytes);
    const frames = kind === openKind ? contents.opens : contents.viewings;
    frames.push({ eventId, occurredDay, sessionDay: occurredDay, line });
    return true;
  }
  if (kind !== eventKind || body.length <= eventPrefixBytes) return false;
  const flags = body.readUInt8(1);
  const days = 2 + eventIdBytes;
  contents.events.push({
    eventId: body.toString("latin1", 2, days),
    claim: (flags & flag.claim) !== 0,
    start: (flags & flag.start) !== 0,
    bot: (flags & flag.bot) !== 0,
    timeReplaced: (flags & flag.timeReplaced) !== 0,
    occurredDay: body.toString("latin1", days, days + dayBytes),
    sessionDay: body.toString("latin1", days + dayBytes, eventPrefixBytes),
    line: body.subarray(eventPrefixBytes),
  });
  return true;
}
