import type { Transaction } from "@pro-talent/platform/postgres/pool";

import { copyRows } from "./copied-rows.ts";
import type { ChainEnd } from "./event-hash.ts";
import type { Findings } from "./findings.ts";

/** A map holds 16 million entries at most. */
const parts = 256;
/** Instead of a version; cheaper than taking an entry out of a map. */
const taken = -1;

/** The last version of each stream. */
export class StreamVersions {
  readonly #parts = Array.from({ length: parts }, () => new Map<string, number>());

  /** Takes the next event of a stream. @returns false when it is not the next version */
  next(stream: string, version: number): boolean {
    const part = this.#partOf(stream);
    const before = part.get(stream) ?? 0;
    part.set(stream, version);
    return version === before + 1;
  }

  /** Takes a stream, once. @returns its last version; undefined when there is no such stream */
  take(stream: string): number | undefined {
    const part = this.#partOf(stream);
    const version = part.get(stream);
    if (version === undefined || version === taken) return undefined;
    part.set(stream, taken);
    return version;
  }

  /** Those that were not taken. */
  *rest(): Iterable<string> {
    for (const part of this.#parts) {
      for (const [stream, version] of part) if (version !== taken) yield stream;
    }
  }

  #partOf(stream: string): Map<string, number> {
    const last = stream.codePointAt(stream.length - 1) ?? 0;
    const before = stream.codePointAt(stream.length - 2) ?? 0;
    const part = this.#parts[(last * 16 + before) % parts];
    if (part === undefined) throw new RangeError("There is no such part");
    return part;
  }
}

/**
 * Streams that have events after a position. An expression for the statements of this folder, on the
 * stream in a table called `e`.
 */
export function touchedSince({ position }: ChainEnd): string {
  return position === 0
    ? "true"
    : `e.stream in (select t.stream from only ledger.event t where t.pos > ${position})`;
}

/** The versions, at a position, of the streams that have events after it. */
export async function versionsAt(
  tx: Transaction,
  from: ChainEnd,
  findings: Findings,
): Promise<StreamVersions> {
  const versions = new StreamVersions();
  if (from.position === 0) return versions;
  const select = `select e.pos, e.stream, e.version from only ledger.event e
    where e.pos <= ${from.position} and ${touchedSince(from)} order by e.pos`;
  await copyRows(tx, select, 3, (row) => {
    const stream = row.text(1);
    if (!versions.next(stream, row.number(2))) findings.add("stream", row.number(0), stream);
  });
  return versions;
}

/** Checks that the record of each stream that has events after a position names its last version. */
export async function checkStreams(
  tx: Transaction,
  from: ChainEnd,
  findings: Findings,
  versions: StreamVersions,
): Promise<void> {
  const select = `select e.stream, e.version from only ledger.stream e where ${touchedSince(from)}`;
  await copyRows(tx, select, 2, (row) => {
    const stream = row.text(0);
    if (versions.take(stream) !== row.number(1)) findings.add("stream", null, stream);
  });
  for (const stream of versions.rest()) findings.add("stream", null, stream);
}
