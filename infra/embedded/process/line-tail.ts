import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Remembers the last lines that a process wrote, and passes each on. */
export class LineTail {
  readonly #kept: string[] = [];
  readonly #keep: number;
  readonly #onLine: (line: string) => void;

  constructor(onLine: (line: string) => void, keep = 25) {
    this.#onLine = onLine;
    this.#keep = keep;
  }

  /** Reads a stream until it ends. */
  follow(stream: Readable): void {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
      this.#kept.push(line);
      if (this.#kept.length > this.#keep) this.#kept.shift();
      this.#onLine(line);
    });
  }

  lines(): readonly string[] {
    return [...this.#kept];
  }
}
