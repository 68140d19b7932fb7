import { writeSync } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { inTurns } from "@pro-talent/platform/runtime/in-turns";

import { decodeSegment, type SegmentContents, segmentHeader } from "./frame.ts";

/** The segment that is being appended to. After a failed write it must not be written again. */
export class SegmentWriter {
  readonly id: string;
  readonly path: string;
  readonly #file: FileHandle;
  #bytes = 0;
  #records = 0;

  private constructor(id: string, path: string, file: FileHandle) {
    this.id = id;
    this.path = path;
    this.#file = file;
  }

  /** Creates the file; from here on it survives a power loss. */
  static async create(id: string, path: string): Promise<SegmentWriter> {
    const file = await open(path, "wx", 0o600);
    const writer = new SegmentWriter(id, path, file);
    try {
      writer.#writeAll(segmentHeader);
      await syncDirectory(dirname(path));
      return writer;
    } catch (error) {
      await file.close();
      await unlink(path);
      throw error;
    }
  }

  /** Bytes that are known to be durable. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Records that are known to be durable. */
  get records(): number {
    return this.#records;
  }

  /**
   * Appends and returns once the bytes are on the disk.
   * @throws when they may not be: the kernel may have dropped the pages and would report success on
   * a second fsync, so the caller has to abandon this file.
   */
  async commit(bytes: Buffer, records: number): Promise<void> {
    this.#writeAll(bytes);
    await this.#file.datasync();
    this.#bytes = this.#written;
    this.#records += records;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Ends a segment whose last write failed, cutting what was not acknowledged. */
  async abandon(): Promise<void> {
    try {
      await this.#file.truncate(this.#bytes);
    } finally {
      await this.#file.close();
    }
  }

  #written = 0;

  /**
   * Copies the bytes into the kernel's page cache, without another thread: a batch is some tens of
   * kilobytes, and a thread would cost more than the copy. `datasync` waits for the disk elsewhere.
   */
  #writeAll(bytes: Buffer): void {
    let done = 0;
    while (done < bytes.length) {
      const count = writeSync(this.#file.fd, bytes, done, bytes.length - done, this.#written);
      done += count;
      this.#written += count;
    }
  }
}

/** A finished segment file: it never changes again, and is removed once it is shipped. */
export type ClosedSegment = {
  /** UUID version 7; names the file and is the token under which ClickHouse stores it once. */
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  /** True when an earlier process wrote it: whether it was shipped is not known. */
  readonly leftover: boolean;
  read(): Promise<SegmentContents>;
  /** Deletes the file; call only when everything in it is stored elsewhere. */
  remove(): Promise<void>;
  /** Moves the file to `quarantine/` beside it, for an operator. */
  setAside(): Promise<void>;
};

export function quarantineDirectory(segmentPath: string): string {
  return quarantineIn(dirname(segmentPath));
}

export const quarantineIn = (spool: string): string => join(spool, "quarantine");

/** @param onRemoved receives the bytes that no longer wait, once */
export function closedSegment(
  file: { id: string; path: string; bytes: number; leftover: boolean },
  onRemoved: (bytes: number) => void,
): ClosedSegment {
  const { path, bytes } = file;
  return {
    ...file,
    // Not more than was known to be complete when the segment was closed.
    read: async () => inTurns(decodeSegment((await readFile(path)).subarray(0, bytes))),
    remove: async () => {
      await unlink(path);
      onRemoved(bytes);
    },
    setAside: async () => {
      const directory = quarantineDirectory(path);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await rename(path, join(directory, basename(path)));
      await syncDirectory(directory);
      onRemoved(bytes);
    },
  };
}

/** Makes a change of the directory's entries durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Those of the ids that name an open in one of the segments.
 * @param segments oldest first
 * @param sinceMs before this none of the opens was stored: older segments are not read
 */
export async function opensIn(
  segments: readonly ClosedSegment[],
  ids: ReadonlySet<string>,
  sinceMs: number,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const segment of segments.toReversed()) {
    for (const { eventId } of (await segment.read()).opens)
      if (ids.has(eventId)) found.add(eventId);
    if (createdMs(segment.id) < sinceMs) break;
  }
  return found;
}

/** The first 48 bits of a UUID version 7. */
const createdMs = (id: string): number => Number.parseInt(id.replace("-", "").slice(0, 12), 16);
