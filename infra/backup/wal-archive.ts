import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { signedLine } from "@pro-talent/platform/crypto/signed-text";
import { endOf } from "@pro-talent/platform/files/signed-log";
import { type Lock, LockHeld, takeLock } from "@pro-talent/platform/runtime/file-lock";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type postgres from "postgres";

import { connect } from "../postgres/is-provisioned.ts";
import { DATABASE } from "../postgres/roles.ts";
import { beginEpoch, directoryMode, syncDirectory, writeDurably } from "./directory.ts";
import { compactInstant } from "./postgres.ts";
import type { BackupSettings } from "./settings.ts";
import { dayMs, recordMade } from "./take.ts";
import { type Frame, sealFrame } from "./wal-frames.ts";
import {
  endOfRange,
  listRanges,
  openHistory,
  type OpenRange,
  type RangeEnd,
  rangeFile,
  rangePurpose,
  segmentKey,
  segmentPath,
  type WalRange,
} from "./wal-range.ts";
import {
  advanceSlot,
  beginSlot,
  type LogState,
  lsnText,
  readLog,
  readLogState,
  segmentOf,
} from "./wal-slot.ts";

const beginningSuffix = ".beginning";
const frameBytesMax = 1024 * 1024;

/** What one pass did. */
export type Archived = {
  /** Bytes of the log that are archived now and were not before. */
  readonly bytes: number;
  /** Why the archive had to begin anew: what was written before is in no range. */
  readonly gap: string | undefined;
};

/** The range that is written to, and where it ends. */
type Writing = { readonly range: OpenRange; readonly end: RangeEnd };

/**
 * Archives the write-ahead log of a running server as it is written: encrypted, range by range, each
 * under a key of its own. A replication slot keeps on the server what is not archived yet.
 */
export class WalArchive {
  readonly #settings: BackupSettings;
  readonly #rangeMs: number;
  readonly #sql: postgres.Sql;
  readonly #lock: Lock;
  /** What the pass before left; undefined when it failed, or there was none. */
  #writing: Writing | undefined;
  /** When all of the log was archived last. */
  #caughtUpMs = 0;

  private constructor(
    settings: BackupSettings,
    sql: postgres.Sql,
    { rangeMs, lock }: { rangeMs: number; lock: Lock },
  ) {
    this.#settings = settings;
    this.#sql = sql;
    this.#rangeMs = rangeMs;
    this.#lock = lock;
  }

  /**
   * @param rangeMs how long one range is written to
   * @returns undefined while another process archives into this directory
   */
  static async open(
    settings: BackupSettings,
    adminUrl: string,
    rangeMs: number,
  ): Promise<WalArchive | undefined> {
    const { directory } = settings;
    await mkdir(directory, { recursive: true, mode: directoryMode });
    const lock = lockOf(join(directory, "wal.lock"));
    if (lock === undefined) return undefined;
    for (const name of await readdir(directory)) {
      if (name.endsWith(beginningSuffix)) await rm(join(directory, name), { recursive: true });
    }
    return new WalArchive(settings, connect(adminUrl, DATABASE), { rangeMs, lock });
  }

  /** Archives what is on the server's disk by now. May be repeated after any failure. */
  async pass(): Promise<Archived> {
    const nowMs = this.#settings.clock();
    try {
      const state = await readLogState(this.#sql);
      const { gap, writing } = await this.#continued(state, nowMs);
      this.#writing = writing;
      const from = writing.end.at;
      while (this.#writing.end.at < state.flushed) await this.#addFrame(state, nowMs);
      const { range, end } = this.#writing;
      if (end.at > from) await advanceSlot(this.#sql, range.header.history, end.at);
      this.#caughtUpMs = nowMs;
      return { bytes: Number(end.at - from), gap };
    } catch (error) {
      // What is on disk is read again: nothing is taken for archived that may not be.
      this.#writing = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#sql.end();
    this.#lock.release();
  }

  /** The range to write to; a new one when the present one is old, or does not lead to where the server is. */
  async #continued(
    state: LogState,
    nowMs: number,
  ): Promise<{ gap: string | undefined; writing: Writing }> {
    const known = this.#writing ?? (await this.#lastOf(state.slot?.history));
    const gap = gapBetween(known, state);
    if (known === undefined || gap !== undefined) {
      const history = randomBytes(4).toString("hex");
      const isFirst = (await listRanges(this.#settings)).length === 0;
      await beginSlot(this.#sql, history);
      const { flushed: at } = await readLogState(this.#sql);
      const end = { at, atMs: nowMs, last: undefined };
      const why = gap ?? (isFirst ? undefined : "no range leads to where the server is");
      return { gap: why, writing: await this.#begin({ history, end, madeAtMs: nowMs }, state) };
    }
    const isOld = nowMs - Date.parse(known.range.header.madeAt) >= this.#rangeMs;
    // Only where all was archived before it is known how old at most what follows is.
    const mayBegin = this.#writing !== undefined && known.end.at < state.flushed;
    if (!isOld || !mayBegin) return { gap: undefined, writing: known };
    const { history } = known.range.header;
    const next = { history, end: known.end, madeAtMs: this.#caughtUpMs };
    return { gap: undefined, writing: await this.#begin(next, state) };
  }

  async #lastOf(history: string | undefined): Promise<Writing | undefined> {
    if (history === undefined) return undefined;
    const range = (await openHistory(this.#settings, history)).at(-1);
    if (range === undefined) return undefined;
    return { range, end: await endOfRange(this.#settings.directory, range) };
  }

  async #begin(
    { history, end, madeAtMs }: { history: string; end: RangeEnd; madeAtMs: number },
    { timeline, segmentBytes }: LogState,
  ): Promise<Writing> {
    const { directory, keys, retentionDays, signingKey, journal } = this.#settings;
    const range = `wal-${compactInstant(madeAtMs)}-${randomBytes(4).toString("hex")}`;
    const epoch = await beginEpoch(this.#settings);
    const key = randomBytes(32);
    const header: WalRange = {
      format: 1,
      range,
      madeAt: instantFromMs(madeAtMs),
      expiresAt: instantFromMs(madeAtMs + retentionDays * dayMs),
      epoch: epoch.id,
      wrappedKey: (await keys.wrap(epoch.id, key, range)).toString("base64"),
      history,
      timeline,
      segmentBytes,
      from: lsnText(end.at),
    };
    const beginning = join(directory, range + beginningSuffix);
    await mkdir(beginning, { mode: 0o700 });
    await writeDurably(beginning, rangeFile, signedLine(signingKey, rangePurpose, header));
    await rename(beginning, join(directory, range));
    await syncDirectory(directory);
    const { madeAt } = header;
    const reached = endOf(await journal.lines());
    await recordMade(this.#settings, { set: range, madeAt, epoch: epoch.id, journal: reached });
    return { range: { header, key }, end: { ...end, last: undefined } };
  }

  async #addFrame({ flushed }: LogState, nowMs: number): Promise<void> {
    if (this.#writing === undefined) return;
    const { range, end } = this.#writing;
    const { timeline, segmentBytes } = range.header;
    const segment = segmentOf(end.at, timeline, segmentBytes);
    const offset = Number(end.at % BigInt(segmentBytes));
    const length = Math.min(Number(flushed - end.at), segmentBytes - offset, frameBytesMax);
    const bytes = await readLog(this.#sql, segment, offset, length);
    const frame: Frame = { start: end.at, atMs: nowMs, bytes };
    const before = end.last?.segment === segment ? end.last : { segment, bytes: 0, frames: 0 };
    const sealed = sealFrame(segmentKey(range, segment), before.frames, frame);
    const path = segmentPath(this.#settings.directory, range.header.range, segment);
    await appendAt(path, before.bytes, sealed);
    if (before.frames === 0)
      await syncDirectory(join(this.#settings.directory, range.header.range));
    const last = { segment, bytes: before.bytes + sealed.length, frames: before.frames + 1 };
    this.#writing = { range, end: { at: end.at + BigInt(length), atMs: frame.atMs, last } };
  }
}

/** Why the archive does not lead to where the server is; undefined when it does, or there is none. */
function gapBetween(known: Writing | undefined, state: LogState): string | undefined {
  if (known === undefined) return undefined;
  const { header } = known.range;
  const { at } = known.end;
  if (header.history !== state.slot?.history) return "the server keeps no log for the archive";
  if (header.timeline !== state.timeline) return "the server continues on another timeline";
  if (at < state.slot.from) return `the archive ends at ${lsnText(at)}, before what the server has`;
  if (at > state.flushed) return "the archive is further than the server";
  return undefined;
}

/** After the whole frames: what a crash left of another one is cut off. */
async function appendAt(path: string, at: number, bytes: Buffer): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.truncate(at);
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

function lockOf(file: string): Lock | undefined {
  try {
    return takeLock(file);
  } catch (error) {
    if (error instanceof LockHeld) return undefined;
    throw error;
  }
}
