import { hash } from "node:crypto";

import type { CopiedRow } from "./copied-rows.ts";

/** The end of a part of the chain. `hash` in hexadecimal; position 0 is the beginning. */
export type ChainEnd = {
  readonly position: number;
  readonly epoch: number;
  readonly hash: string;
};

/** Before the first event. */
export const genesis: ChainEnd = { position: 0, epoch: 1, hash: "0".repeat(64) };

/** How a field is written into the text that is hashed. */
type Form = "number" | "milliseconds" | "text" | "uuid" | "hex";

/** The fields that the chain covers, in their order: see ledger.event_hash. */
const hashed = {
  pos: "number",
  epoch: "number",
  stream: "text",
  version: "number",
  event_id: "uuid",
  command_id: "uuid",
  type: "text",
  schema_version: "number",
  occurred_at: "milliseconds",
  recorded_at: "milliseconds",
  meta: "text",
  data: "text",
  key_id: "uuid",
  sealed_hash: "hex",
} as const satisfies Record<string, Form>;

const forms: readonly Form[] = Object.values(hashed);
const columnNames = [...Object.keys(hashed), "sealed", "prev", "hash"] as const;

/** Columns of an event as the verifier reads it; {@link at} has their places. */
export const eventColumns = columnNames.map((name) => `e.${name}`).join(", ");
export const eventColumnCount = columnNames.length;

const placeOf = (name: string): number => columnNames.indexOf(name);
/** Places of the columns in a row of {@link eventColumns}. */
export const at = {
  position: placeOf("pos"),
  epoch: placeOf("epoch"),
  stream: placeOf("stream"),
  version: placeOf("version"),
  eventId: placeOf("event_id"),
  commandId: placeOf("command_id"),
  type: placeOf("type"),
  schemaVersion: placeOf("schema_version"),
  occurredAt: placeOf("occurred_at"),
  recordedAt: placeOf("recorded_at"),
  meta: placeOf("meta"),
  data: placeOf("data"),
  keyId: placeOf("key_id"),
  sealedHash: placeOf("sealed_hash"),
  sealed: placeOf("sealed"),
  prev: placeOf("prev"),
  hash: placeOf("hash"),
} as const;

const separator = 0x1f;
const dash = 0x2d;
/** More than numbers, separators and the dashes of identifiers add to a row's bytes. */
const spareBytes = 512;

/**
 * The hash of an event, computed here: SHA-256 over the hash before it and the fields as UTF-8 text,
 * separated by U+001F. Times are milliseconds since 1970; a field without a value is a dash.
 */
export class EventHasher {
  #text = Buffer.alloc(16_384);

  /** @param row one of {@link eventColumns} */
  hashOf(row: CopiedRow): Buffer {
    const sizeMax = 2 * row.size + spareBytes;
    if (this.#text.length < sizeMax) this.#text = Buffer.alloc(2 * sizeMax);
    const text = this.#text;
    let end = row.writeBytes(at.prev, text, 0);
    for (let column = 0; column < forms.length; column += 1) {
      if (column > 0) {
        text[end] = separator;
        end += 1;
      }
      end = this.#write(row, column, end);
    }
    return hash("sha256", text.subarray(0, end), "buffer");
  }

  #write(row: CopiedRow, column: number, from: number): number {
    const text = this.#text;
    if (row.isNull(column)) {
      text[from] = dash;
      return from + 1;
    }
    switch (forms[column]) {
      case "text":
        return row.writeBytes(column, text, from);
      case "uuid":
        return row.writeUuid(column, text, from);
      case "hex":
        return row.writeHex(column, text, from);
      case "milliseconds":
        return from + text.write(String(row.milliseconds(column)), from, "latin1");
      default:
        return from + text.write(String(row.number(column)), from, "latin1");
    }
  }
}
