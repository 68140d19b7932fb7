import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";

/** One result on its way out of the engine. */
export type OpenPipe = {
  /** Where the engine writes, relative to the working directory. */
  name: string;
  /** The bytes of the result; the engine waits while they are not read. */
  reader: Socket;
  /** To be called when the engine has written everything: the reader then sees the end. */
  finishWriting: () => void;
};

/**
 * Named pipes through which the engine passes results, one for each statement that may run at a
 * time. Of its own calls, one buffers a whole result, and the other formats every block as a
 * document of its own and computes subqueries on the caller's thread before the first.
 */
export class ResultPipes {
  readonly #names: readonly string[];

  /** Creates them in the working directory. */
  constructor(count: number) {
    this.#names = Array.from({ length: count }, (_, index) => `${index}.pipe`);
    execFileSync("mkfifo", ["-m", "600", ...this.#names]);
  }

  /** Opens the pipe of a slot; all its ends must have been closed since the last time. */
  open(slot: number): OpenPipe {
    const name = this.#names[slot];
    if (name === undefined) throw new Error(`There is no pipe ${slot}`);
    const descriptor = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
    // Held open until the statement has ended: a reader without any writer would see the end at once.
    let writer: number | undefined = openSync(name, constants.O_WRONLY);
    const reader = new Socket({ fd: descriptor, readable: true, writable: false });
    const finishWriting = (): void => {
      if (writer !== undefined) closeSync(writer);
      writer = undefined;
    };
    return { name, reader, finishWriting };
  }
}
