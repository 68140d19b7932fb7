import type { Transaction } from "@pro-talent/platform/postgres/pool";

/** "PGCOPY\n\377\r\n\0", flags, length of the extension (PostgreSQL documentation, COPY, binary). */
const headerBytes = 19;
const microsecondsTo2000 = 946_684_800_000_000;
const hexDigits = Buffer.from("0123456789abcdef");
const uuidBytes = 16;
/** A dash follows these bytes of a UUID. */
const dashAfter = new Set([3, 5, 7, 9]);

/** Raised when a table's columns are not what the migrations made. */
export class UnreadableRow extends Error {
  override readonly name = "UnreadableRow";
}

/** One row of a binary copy. Valid until the next one is read. */
export class CopiedRow {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #starts: number[];
  /** -1 for null. */
  readonly #lengths: number[];

  constructor(columns: number) {
    this.#starts = Array.from({ length: columns }, () => 0);
    this.#lengths = Array.from({ length: columns }, () => -1);
  }

  /** @returns false for the end mark of the copy */
  read(bytes: Buffer, from: number): boolean {
    const fields = bytes.readInt16BE(from);
    if (fields === -1) return false;
    if (fields !== this.#starts.length) throw new UnreadableRow("Another number of columns");
    this.#bytes = bytes;
    let at = from + 2;
    for (let index = 0; index < fields; index += 1) {
      const length = bytes.readInt32BE(at);
      at += 4;
      this.#starts[index] = at;
      this.#lengths[index] = length;
      if (length > 0) at += length;
    }
    return true;
  }

  isNull(column: number): boolean {
    return this.length(column) === -1;
  }

  length(column: number): number {
    return this.#lengths[column] ?? -1;
  }

  /** A view of the column's bytes; empty for null. */
  bytes(column: number): Buffer {
    const start = this.start(column);
    return this.#bytes.subarray(start, start + Math.max(0, this.length(column)));
  }

  /** Whether the column holds what this part of other bytes holds; makes no object. */
  equals(column: number, other: Buffer, from = 0, to = other.length): boolean {
    const start = this.start(column);
    const length = this.length(column);
    return (
      length === to - from && this.#bytes.compare(other, from, to, start, start + length) === 0
    );
  }

  text(column: number): string {
    const start = this.start(column);
    return this.#bytes.toString("utf8", start, start + Math.max(0, this.length(column)));
  }

  /** `int`, `bigint` or `boolean`. Positions stay far below 2^53. */
  number(column: number): number {
    const start = this.start(column);
    switch (this.length(column)) {
      case 8:
        return this.#bytes.readInt32BE(start) * 2 ** 32 + this.#bytes.readUInt32BE(start + 4);
      case 4:
        return this.#bytes.readInt32BE(start);
      case 1:
        return this.#bytes.readInt8(start);
      default:
        throw new UnreadableRow("A number of another length");
    }
  }

  /** A `timestamptz` in milliseconds since 1970, rounded as the database rounds. */
  milliseconds(column: number): number {
    return Math.round((this.number(column) + microsecondsTo2000) / 1000);
  }

  uuid(column: number): string {
    const text = Buffer.alloc(36);
    this.writeUuid(column, text, 0);
    return text.toString("latin1");
  }

  /** Writes the text form. @returns where it ends */
  writeUuid(column: number, target: Buffer, from: number): number {
    if (this.length(column) !== uuidBytes) throw new UnreadableRow("A UUID of another length");
    return this.#writeHex(column, target, from, true);
  }

  /** Writes the bytes in hexadecimal. @returns where it ends */
  writeHex(column: number, target: Buffer, from: number): number {
    return this.#writeHex(column, target, from, false);
  }

  /** Copies the bytes. @returns where they end */
  writeBytes(column: number, target: Buffer, from: number): number {
    const start = this.start(column);
    return from + this.#bytes.copy(target, from, start, start + Math.max(0, this.length(column)));
  }

  /** The size of the row as it came. */
  get size(): number {
    return this.#bytes.length;
  }

  start(column: number): number {
    return this.#starts[column] ?? 0;
  }

  #writeHex(column: number, target: Buffer, from: number, dashes: boolean): number {
    const start = this.start(column);
    let at = from;
    for (let index = 0; index < this.length(column); index += 1) {
      const byte = this.#bytes[start + index] ?? 0;
      target[at] = hexDigits[byte >> 4] ?? 0;
      target[at + 1] = hexDigits[byte & 15] ?? 0;
      at += 2;
      if (dashes && dashAfter.has(index)) {
        target[at] = 45;
        at += 1;
      }
    }
    return at;
  }
}

/**
 * Reads rows in the database's binary form. Only the server's own reading, sorting and sending of the
 * built-in types is involved: no function, view or cast that is defined in the database.
 * @param select the text of a query on tables, with this number of columns
 */
export async function copyRows(
  tx: Transaction,
  select: string,
  columns: number,
  onRow: (row: CopiedRow) => void,
): Promise<void> {
  const row = new CopiedRow(columns);
  let first = true;
  await tx.copyOut(`copy (${select}) to stdout (format binary)`, (bytes) => {
    const from = first ? headerBytes : 0;
    first = false;
    if (row.read(bytes, from)) onRow(row);
  });
}
