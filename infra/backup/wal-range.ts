import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { deriveKey } from "@pro-talent/platform/crypto/secrets";
import { openSignedLine, SignatureBroken } from "@pro-talent/platform/crypto/signed-text";
import { isMissing } from "@pro-talent/platform/files/is-missing";
import { EpochUnknown } from "@pro-talent/platform/keys/key-store";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { directoryMode } from "./directory.ts";
import { Lsn } from "./manifest.ts";
import type { BackupSettings } from "./settings.ts";
import { type Frame, openFrames } from "./wal-frames.ts";
import { lsnFrom, lsnText, segmentOf } from "./wal-slot.ts";

/**
 * A range of the archived write-ahead log, under a key of its own. Signed; its segments are beside it.
 * Each range of a history begins where the one before ends.
 */
export const WalRange = z.strictObject({
  format: z.literal(1),
  range: z.string().regex(/^wal-\d{8}t\d{6}z-[0-9a-f]{8}$/u),
  /** Nothing in it was written before. */
  madeAt: Instant,
  /** From then on it is purged. */
  expiresAt: Instant,
  /** The epoch of the backups' key store under which the key of the range is wrapped. */
  epoch: z.string(),
  wrappedKey: z.base64(),
  /** One run of one server without a gap. */
  history: z.string(),
  timeline: z.int().positive(),
  segmentBytes: z.int().positive(),
  from: Lsn,
});
export type WalRange = z.infer<typeof WalRange>;

export const rangePurpose = "backup write-ahead log";
export const rangeFile = "range.json";
const segmentPattern = /^[0-9A-F]{24}\.sealed$/u;

/** A range that opens. */
export type OpenRange = { readonly header: WalRange; readonly key: Buffer };
export type ListedRange = {
  readonly range: string;
  /** Undefined when it was changed or is missing. */
  readonly header: WalRange | undefined;
  readonly openable: boolean;
};

/** All ranges of a backup directory, the oldest first. */
export async function listRanges(settings: BackupSettings): Promise<ListedRange[]> {
  const { directory, signingKey, keys } = settings;
  await mkdir(directory, { recursive: true, mode: directoryMode });
  const names = await readdir(directory);
  const epochs = new Set((await keys.epochs()).map(({ id }) => id));
  const ranges = names.filter((name) => WalRange.shape.range.safeParse(name).success).toSorted();
  return await Promise.all(
    ranges.map(async (range) => {
      const header = await readHeader(directory, range, signingKey.id);
      return { range, header, openable: header !== undefined && epochs.has(header.epoch) };
    }),
  );
}

async function readHeader(
  directory: string,
  range: string,
  keyId: string,
): Promise<WalRange | undefined> {
  try {
    const text = await readFile(join(directory, range, rangeFile), "utf8");
    return openSignedLine(text, { keyId, purpose: rangePurpose, contract: WalRange });
  } catch (error) {
    if (error instanceof SignatureBroken) return undefined;
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The ranges of a history that open, in their order. */
export async function openHistory(
  settings: BackupSettings,
  history: string,
): Promise<readonly OpenRange[]> {
  const listed = (await listRanges(settings)).flatMap(({ header }) => header ?? []);
  const opened = listed
    .filter((header) => header.history === history)
    .map(async (header): Promise<OpenRange[]> => {
      const wrapped = Buffer.from(header.wrappedKey, "base64");
      try {
        return [{ header, key: await settings.keys.unwrap(header.epoch, wrapped, header.range) }];
      } catch (error) {
        if (error instanceof EpochUnknown) return [];
        throw error;
      }
    });
  return (await Promise.all(opened))
    .flat()
    .toSorted((one, other) => Number(lsnFrom(one.header.from) - lsnFrom(other.header.from)));
}

/** The key of one segment of one range. */
export function segmentKey({ header, key }: OpenRange, segment: string): Buffer {
  return deriveKey(key, `wal ${header.range} ${segment}`);
}

export function segmentPath(directory: string, range: string, segment: string): string {
  return join(directory, range, `${segment}.sealed`);
}

/** Something is missing in the archive, or was changed. */
export class WalGap extends Error {
  override readonly name = "WalGap";
}

/**
 * The archived bytes of one range from its begin, each checked to follow the one before.
 * @throws WalGap where bytes are missing; ArchiveBroken
 */
export async function* framesOf(
  directory: string,
  range: OpenRange,
): AsyncGenerator<Frame & { readonly segment: string; readonly end: number }, void> {
  const { header } = range;
  const { timeline, segmentBytes } = header;
  const names = await readdir(join(directory, header.range));
  let at = lsnFrom(header.from);
  for (const name of names.filter((one) => segmentPattern.test(one)).toSorted()) {
    const segment = name.slice(0, 24);
    const path = segmentPath(directory, header.range, segment);
    for await (const frame of openFrames(path, segmentKey(range, segment))) {
      if (frame.start !== at || segmentOf(at, timeline, segmentBytes) !== segment) {
        throw new WalGap(`${header.range} misses the write-ahead log from ${lsnText(at)}`);
      }
      at += BigInt(frame.bytes.length);
      yield { ...frame, segment };
    }
  }
}

/** Where a range ends, its last file with the bytes of whole frames in it, and when it ended. */
export type RangeEnd = {
  readonly at: bigint;
  readonly atMs: number;
  readonly last:
    | { readonly segment: string; readonly bytes: number; readonly frames: number }
    | undefined;
};

/** Reads the last file of a range alone. @throws ArchiveBroken */
export async function endOfRange(directory: string, range: OpenRange): Promise<RangeEnd> {
  const { header } = range;
  const names = await readdir(join(directory, header.range));
  let end: RangeEnd = {
    at: lsnFrom(header.from),
    atMs: Date.parse(header.madeAt),
    last: undefined,
  };
  for (const name of names
    .filter((one) => segmentPattern.test(one))
    .toSorted()
    .toReversed()) {
    const segment = name.slice(0, 24);
    const path = segmentPath(directory, header.range, segment);
    let frames = 0;
    for await (const { start, bytes, atMs, end: to } of openFrames(
      path,
      segmentKey(range, segment),
    )) {
      frames += 1;
      end = { at: start + BigInt(bytes.length), atMs, last: { segment, bytes: to, frames } };
    }
    // A crash may have left a file without a whole frame.
    if (frames > 0) break;
  }
  return end;
}
