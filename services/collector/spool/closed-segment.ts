import { mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { inTurns } from "@pro-talent/platform/runtime/in-turns";

import { decodeSegment, type SegmentContents } from "./frame.ts";

/** A finished segment file: it never changes again, and is removed once it is shipped. */
export type ClosedSegment = {
  /** UUID version 7; names the file and is the token under which ClickHouse stores it once. */
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  /** True when an earlier process wrote it: what became of its shipping is not known. */
  readonly leftover: boolean;
  read(): Promise<SegmentContents>;
  /** Deletes the file; call only when everything in it is stored elsewhere. */
  remove(): Promise<void>;
  /** Moves the file to `quarantine/` beside it, for a person to look at. */
  setAside(): Promise<void>;
};

/** Makes a change of the directory's entries durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function quarantineDirectory(segmentPath: string): string {
  return join(dirname(segmentPath), "quarantine");
}

/** @param onGone is told the bytes that no longer wait, once. */
export function closedSegment(
  file: { id: string; path: string; bytes: number; leftover: boolean },
  onGone: (bytes: number) => void,
): ClosedSegment {
  const { path, bytes } = file;
  return {
    ...file,
    // Never more than was known to be written whole when the segment was closed.
    read: async () => inTurns(decodeSegment((await readFile(path)).subarray(0, bytes))),
    remove: async () => {
      await unlink(path);
      onGone(bytes);
    },
    setAside: async () => {
      const directory = quarantineDirectory(path);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await rename(path, join(directory, basename(path)));
      await syncDirectory(directory);
      onGone(bytes);
    },
  };
}
