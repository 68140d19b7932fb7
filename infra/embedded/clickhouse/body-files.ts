import { openSync, closeSync, unlinkSync, writeFileSync, write } from "node:fs";
import { promisify } from "node:util";

const writeAsync = promisify(write);

/**
 * Rows that a request brought, waiting in a file for the engine to read them. The engine takes data
 * that follows a statement for the next statement as soon as it contains an empty line; from a file
 * it reads exactly the bytes, of every format. A file also lets a body be complete before its first
 * row is stored, however large it is.
 */
export class BodyFile {
  /** Relative to the working directory: the engine would expand wildcards in a path. */
  readonly name: string;
  #descriptor: number | undefined;

  constructor(name: string) {
    this.name = name;
    this.#descriptor = openSync(name, "wx", 0o600);
  }

  /** Appends bytes; small ones at once, so that an insert needs no thread of the pool. */
  async append(bytes: Buffer): Promise<void> {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) throw new Error("The file of a request body is closed");
    if (bytes.length <= 1 << 20) return writeFileSync(descriptor, bytes);
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await writeAsync(descriptor, bytes, at, bytes.length - at);
      at += bytesWritten;
    }
  }

  /** No more bytes will come. */
  finish(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Removes it; its rows are stored, or refused, or their sender has gone. */
  discard(): void {
    this.finish();
    unlinkSync(this.name);
  }
}

/** Names for body files, unique in this process. */
export class BodyFiles {
  #count = 0;

  create(): BodyFile {
    this.#count += 1;
    return new BodyFile(`${this.#count}.body`);
  }
}
