import { readdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { type Lock, takeLock } from "@pro-talent/platform/runtime/file-lock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { analyticsProblems } from "@pro-talent/schemas/analytics/problems";
import { v7 as uuidV7 } from "uuid";

import { DiskHealth, prepareDirectory } from "./disk-health.ts";
import { FrameBuffer, type SpoolRecord } from "./frame.ts";
import { type ClosedSegment, closedSegment, SegmentWriter, syncDirectory } from "./segment.ts";

export type SpoolOptions = {
  directory: string;
  /** Bytes waiting to be shipped above which `append` refuses. */
  bytesMax: number;
  /**
   * A segment is closed at the first of these bounds; an empty one is never made. While shipping
   * is behind, the bound of age is twenty times as long: small segments gain nothing then.
   */
  segmentBytesMax?: number;
  segmentRecordsMax?: number;
  segmentMsMax?: number;
  /** Receives closed segments, oldest first; those of an earlier process before `open` ends. */
  onSegment: (segment: ClosedSegment) => void;
  /** Receives after each commit how long the write and sync took. */
  onCommit?: (seconds: number) => void;
  log: Logger;
};

const segmentSuffix = ".segment";
/** While more closed segments than this wait, few large ones are made instead of many small ones. */
const backlogSegments = 8;
const backlogAgeFactor = 20;
/**
 * A segment that fills quickly may grow twice as old: an insert costs ClickHouse nearly the same
 * for any number of rows, and analysts do not notice a delay of a second.
 */
const busyRecords = 1_000;
const busyAgeFactor = 2;
const retryAfterSeconds = 5;

type Waiting = { resolve: () => void; reject: (error: Error) => void };
type Batch = { frames: FrameBuffer; waiting: Waiting[] };

const defaults = {
  segmentBytesMax: 16 * 1024 * 1024,
  segmentRecordsMax: 20_000,
  // An insert costs ClickHouse some 60 ms of CPU for any number of rows; half a second of delay keeps
  // that small and rows visible within a second.
  segmentMsMax: 500,
};

/** Records on the disk, in segments, until they are shipped. */
export class Spool {
  readonly #options: SpoolOptions & typeof defaults;
  readonly #lock: Lock;
  readonly #disk: DiskHealth;
  #collecting: Batch = { frames: new FrameBuffer(), waiting: [] };
  /** The other of the two buffers: one fills while the other is written. */
  #spare = new FrameBuffer();
  #active: SegmentWriter | undefined;
  #activeTimer: NodeJS.Timeout | undefined;
  #activeIsOld = false;
  #activeMs = 0;
  #lastSegmentMs = 0;
  #closedBytes = 0;
  #closedSegments = 0;
  #writingBytes = 0;
  #rotating: (() => void)[] = [];
  #working = false;
  #closing: Promise<void> | undefined;

  private constructor(options: SpoolOptions, lock: Lock) {
    this.#options = { ...defaults, ...options };
    this.#lock = lock;
    this.#disk = new DiskHealth(options.directory, options.log);
  }

  /**
   * Opens the directory (creating it), passes on the segments that an earlier process left, and
   * returns the spool. When the disk is full, such segments are shipped first, which makes space.
   * @throws LockHeld when another process has the directory
   * @throws Unwritable when nothing can be written there
   */
  static async open(options: SpoolOptions): Promise<Spool> {
    const { directory } = options;
    const full = await prepareDirectory(directory);
    await syncDirectory(dirname(directory));
    const lock = takeLock(join(directory, "lock"));
    try {
      const spool = new Spool(options, lock);
      await spool.#takeOver();
      if (full === undefined) return spool;
      if (spool.bytes() === 0) throw full;
      spool.#disk.failed(full);
      return spool;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /**
   * Resolves when the records are on the disk (one write and fdatasync for all that wait).
   * @throws ProblemError `spool_full` above `bytesMax` or when the disk refuses, with a time after
   * which to retry; `shutting_down` after `close`. Nothing of the call is stored then.
   */
  append(records: readonly SpoolRecord[]): Promise<void> {
    if (this.#closing !== undefined) {
      return Promise.reject(new ProblemError("shutting_down", { retryAfterSeconds }));
    }
    if (records.length === 0) return Promise.resolve();
    if (this.bytes() >= this.#options.bytesMax) {
      return Promise.reject(spoolFull());
    }
    const { frames, waiting } = this.#collecting;
    return new Promise((resolve, reject) => {
      frames.append(records);
      waiting.push({ resolve, reject });
      this.#wake();
    });
  }

  /** Bytes that wait to be shipped. */
  bytes(): number {
    const active = this.#active?.bytes ?? 0;
    return this.#closedBytes + active + this.#writingBytes + this.#collecting.frames.length;
  }

  /** False from a failed write until something can be written again. */
  healthy(): boolean {
    return this.#disk.healthy;
  }

  /** Closes the active segment now, after everything appended so far has been written. */
  rotate(): Promise<void> {
    return new Promise((resolve) => {
      this.#rotating.push(resolve);
      this.#wake();
    });
  }

  /** Writes what waits, closes the active segment and releases the directory. */
  close(): Promise<void> {
    this.#closing ??= this.rotate().then(() => {
      this.#disk.stop();
      this.#lock.release();
    });
    return this.#closing;
  }

  /** Passes on what an earlier process left; its last segment may end in a torn frame. */
  async #takeOver(): Promise<void> {
    const { directory, log } = this.#options;
    const names = (await readdir(directory)).filter((name) => name.endsWith(segmentSuffix));
    for (const name of names.toSorted()) {
      const path = join(directory, name);
      const { size } = await stat(path);
      this.#passOn({ id: name.slice(0, -segmentSuffix.length), path, bytes: size }, true);
    }
    if (names.length > 0)
      log.info({ segments: names.length }, "segments of an earlier process are shipped");
  }

  /** Starts the worker after this iteration of the event loop, so that its requests share a commit. */
  #wake(): void {
    if (this.#working) return;
    this.#working = true;
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    for (;;) {
      // Before the commit: what is appended while it lasts is not part of it.
      const wanted = this.#rotating;
      this.#rotating = [];
      if (this.#collecting.waiting.length > 0) await this.#commit();
      if (wanted.length > 0 || this.#activeIsDue()) await this.#closeActive();
      for (const resolve of wanted) resolve();
      if (this.#collecting.waiting.length === 0 && this.#rotating.length === 0) break;
    }
    this.#working = false;
  }

  async #commit(): Promise<void> {
    const { frames, waiting } = this.#collecting;
    this.#collecting = { frames: this.#spare, waiting: [] };
    this.#writingBytes = frames.length;
    try {
      this.#active ??= await this.#createSegment();
      const startedAt = performance.now();
      await this.#active.commit(frames.bytes(), frames.records);
      this.#options.onCommit?.((performance.now() - startedAt) / 1000);
      this.#disk.succeeded();
      for (const { resolve } of waiting) resolve();
    } catch (cause) {
      this.#disk.failed(cause);
      await this.#abandonActive();
      const refusal = spoolFull(cause);
      for (const { reject } of waiting) reject(refusal);
    }
    frames.clear();
    this.#writingBytes = 0;
    this.#spare = frames;
  }

  async #createSegment(): Promise<SegmentWriter> {
    // Ids of one process grow strictly, so that names sort in the order of creation.
    this.#lastSegmentMs = Math.max(Date.now(), this.#lastSegmentMs + 1);
    const id = uuidV7({ msecs: this.#lastSegmentMs });
    const path = join(this.#options.directory, `${id}${segmentSuffix}`);
    const writer = await SegmentWriter.create(id, path);
    this.#activeIsOld = false;
    this.#activeMs = 0;
    this.#activeTimer = setInterval(() => this.#age(), this.#options.segmentMsMax);
    return writer;
  }

  #age(): void {
    this.#activeMs += this.#options.segmentMsMax;
    const behind = this.#closedSegments >= backlogSegments;
    if (behind && this.#activeMs < this.#options.segmentMsMax * backlogAgeFactor) return;
    const busy = (this.#active?.records ?? 0) >= busyRecords;
    if (busy && this.#activeMs < this.#options.segmentMsMax * busyAgeFactor) return;
    this.#activeIsOld = true;
    this.#wake();
  }

  #activeIsDue(): boolean {
    if (this.#active === undefined) return false;
    const { bytes, records } = this.#active;
    return (
      this.#activeIsOld ||
      bytes >= this.#options.segmentBytesMax ||
      records >= this.#options.segmentRecordsMax
    );
  }

  async #closeActive(): Promise<void> {
    const writer = this.#releaseActive();
    if (writer === undefined) return;
    // Every acknowledged byte is synced already; a failing close loses nothing.
    await writer.close().catch((error: unknown) => this.#logCloseFailure(error));
    this.#passOn(writer, false);
  }

  /** After a failed write: what was acknowledged is shipped, the file is never written again. */
  async #abandonActive(): Promise<void> {
    const writer = this.#releaseActive();
    if (writer === undefined) return;
    await writer.abandon().catch((error: unknown) => this.#logCloseFailure(error));
    if (writer.records > 0) this.#passOn(writer, false);
    else await unlink(writer.path).catch((error: unknown) => this.#logCloseFailure(error));
  }

  #logCloseFailure(error: unknown): void {
    this.#options.log.error({ err: error }, "a spool segment could not be closed cleanly");
  }

  #releaseActive(): SegmentWriter | undefined {
    const writer = this.#active;
    this.#active = undefined;
    clearInterval(this.#activeTimer);
    return writer;
  }

  #passOn(file: { id: string; path: string; bytes: number }, leftover: boolean): void {
    const { id, path, bytes } = file;
    this.#closedBytes += bytes;
    this.#closedSegments += 1;
    const segment = closedSegment({ id, path, bytes, leftover }, (removed) => {
      this.#closedBytes -= removed;
      this.#closedSegments -= 1;
    });
    this.#options.onSegment(segment);
  }
}

function spoolFull(cause?: unknown): ProblemError {
  return new ProblemError(analyticsProblems.spool_full, { retryAfterSeconds, cause });
}
