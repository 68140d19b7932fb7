import { open } from "node:fs/promises";
import { join } from "node:path";

import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";

import type { Manifest } from "./manifest.ts";
import { listSets } from "./purge.ts";
import type { BackupSettings } from "./settings.ts";
import { framesOf, listRanges, openHistory, type OpenRange, WalGap } from "./wal-range.ts";
import { lsnFrom, lsnText } from "./wal-slot.ts";

/** What was added to a copy of Postgres. */
export type Replayed = {
  /** The last moment whose state it has. */
  readonly at: Instant;
  readonly bytes: number;
  /** Files of the log that were written. */
  readonly files: readonly string[];
};

/**
 * Writes what was archived after a copy into its directory of the write-ahead log, up to a moment. The
 * server replays it when it starts.
 * @param untilMs in milliseconds since 1970
 * @throws WalGap, ArchiveBroken
 */
export async function addArchivedLog(
  settings: BackupSettings,
  wal: NonNullable<Manifest["wal"]>,
  untilMs: number,
  log: string,
): Promise<Replayed> {
  const start = lsnFrom(wal.start);
  const files = new Set<string>();
  let [at, bytes] = [wal.stoppedAt, 0];
  const history = await openHistory(settings, wal.history ?? "");
  for await (const { range, frame } of joined(settings, following(history, start))) {
    if (frame.atMs > untilMs) break;
    if (frame.start + BigInt(frame.bytes.length) <= start) continue;
    const { segmentBytes } = range.header;
    const path = join(log, frame.segment);
    await writeAt(path, Number(frame.start % BigInt(segmentBytes)), frame.bytes, segmentBytes);
    files.add(path);
    bytes += frame.bytes.length;
    if (frame.atMs > Date.parse(at)) at = instantFromMs(frame.atMs);
  }
  return { at, bytes, files: [...files] };
}

/**
 * The set that a moment is restored from: the newest one before it that the archive continues.
 * @throws OperatorError when there is none
 */
export async function setBefore(settings: BackupSettings, at: Instant): Promise<string> {
  const manifests = (await listSets(settings)).flatMap(({ manifest, openable }) =>
    openable && manifest?.wal !== undefined && manifest.wal.history !== null ? [manifest] : [],
  );
  const found = manifests.findLast(({ wal }) => wal !== undefined && wal.stoppedAt <= at);
  if (found !== undefined) return found.set;
  throw new OperatorError(`No backup that is continued by archived log is older than ${at}.`);
}

/**
 * Reads all of the archive that opens.
 * @returns where something is missing or was changed
 */
export async function gapsInArchive(settings: BackupSettings): Promise<string[]> {
  const found: string[] = [];
  const listed = await listRanges(settings);
  for (const { range, header } of listed) {
    if (header === undefined) found.push(`the header of ${range} was changed`);
  }
  const histories = new Set(listed.flatMap(({ header }) => header?.history ?? []));
  for (const history of histories) {
    try {
      // Reading is the check.
      for await (const _ of joined(settings, await openHistory(settings, history)));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      found.push(error.message);
    }
  }
  return found;
}

/** From the last range that begins before a place. */
function following(history: readonly OpenRange[], start: bigint): readonly OpenRange[] {
  const first = history.findLastIndex(({ header }) => lsnFrom(header.from) <= start);
  return first === -1 ? [] : history.slice(first);
}

/** The frames of ranges, each checked to begin where the one before ends. */
async function* joined({ directory }: BackupSettings, ranges: readonly OpenRange[]) {
  let expected: bigint | undefined;
  for (const range of ranges) {
    const from = lsnFrom(range.header.from);
    if (expected !== undefined && from !== expected) {
      throw new WalGap(`No range has the write-ahead log from ${lsnText(expected)}`);
    }
    expected = from;
    for await (const frame of framesOf(directory, range)) {
      expected = frame.start + BigInt(frame.bytes.length);
      yield { range, frame };
    }
  }
}

/** A file that is new is filled with zeros, where the server's replay ends. */
async function writeAt(path: string, at: number, bytes: Buffer, size: number): Promise<void> {
  const file = await open(path, "a+", 0o600).then(async (made) => {
    await made.truncate(size);
    await made.close();
    return await open(path, "r+");
  });
  try {
    await file.write(bytes, 0, bytes.length, at);
    await file.datasync();
  } finally {
    await file.close();
  }
}
