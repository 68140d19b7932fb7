import type { Transaction } from "@pro-talent/platform/postgres/pool";

import { type CopiedRow, copyRows } from "./copied-rows.ts";
import { at as column, type ChainEnd } from "./event-hash.ts";
import type { Findings } from "./findings.ts";

const idBytes = 16;
/** Id, first position, time of recording. */
const entryBytes = idBytes + 8 + 8;

/** The commands that events name, in the order of their positions: 32 bytes each. */
export class CommandLog {
  #bytes = Buffer.alloc(entryBytes * 1024);
  #count = 0;
  #last = 0;

  /** Takes the next event. @param row of the columns of events */
  event(row: CopiedRow, position: number): void {
    this.#last = position;
    const from = (this.#count - 1) * entryBytes;
    if (from >= 0 && row.equals(column.commandId, this.#bytes, from, from + idBytes)) return;
    const at = this.#count * entryBytes;
    if (at === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * at);
    row.writeBytes(column.commandId, this.#bytes, at);
    this.#bytes.writeDoubleLE(position, at + idBytes);
    this.#bytes.writeDoubleLE(row.milliseconds(column.recordedAt), at + idBytes + 8);
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  firstOf(index: number): number {
    return this.#bytes.readDoubleLE(index * entryBytes + idBytes);
  }

  /** Whether this is the record of the command at this place. */
  isAt(
    index: number,
    record: { id: Buffer; first: number; last: number; recordedMs: number },
  ): boolean {
    const at = index * entryBytes;
    const last = index + 1 < this.#count ? this.firstOf(index + 1) - 1 : this.#last;
    return (
      record.id.equals(this.#bytes.subarray(at, at + idBytes)) &&
      record.first === this.firstOf(index) &&
      record.last === last &&
      record.recordedMs === this.#bytes.readDoubleLE(at + idBytes + 8)
    );
  }
}

/**
 * Compares the records of commands after a position with the events' commands: each has one record,
 * with its events' positions and time, and there are no others.
 */
export async function checkCommands(
  tx: Transaction,
  from: ChainEnd,
  findings: Findings,
  log: CommandLog,
): Promise<void> {
  let index = 0;
  const skipTo = (position: number): void => {
    for (; index < log.count && log.firstOf(index) < position; index += 1) {
      findings.add("command", log.firstOf(index), "it has no record");
    }
  };
  const select = `select command_id, first_pos, last_pos, at from only ledger.command
    where last_pos > ${from.position} or last_pos < first_pos order by first_pos, command_id`;
  await copyRows(tx, select, 4, (row) => {
    const first = row.number(1);
    skipTo(first);
    const [id, last, recordedMs] = [row.bytes(0), row.number(2), row.milliseconds(3)];
    const known = index < log.count && log.firstOf(index) === first;
    const fits = known && log.isAt(index, { id, first, last, recordedMs });
    if (!fits) findings.add("command", first, known ? "its record differs" : "it has no events");
    if (known) index += 1;
  });
  skipTo(Number.POSITIVE_INFINITY);
}
