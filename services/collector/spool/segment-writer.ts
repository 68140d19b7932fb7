import { writeSync } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { dirname } from "node:path";

import { syncDirectory } from "./closed-segment.ts";
import { segmentHeader } from "./frame.ts";

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

  /** Creates the file; it survives a power loss from here on. */
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
   * @throws when they may not be: the kernel may have dropped the pages and would report success
   * on a second fsync, so the caller has to abandon this file.
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
   * kilobytes, and handing it to a thread and back costs more than the copy. Waiting for the disk
   * is what `datasync` does elsewhere.
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
