import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";

const ROTATE_AT_BYTES = 5 * 1024 * 1024;

/** One file per process under `directory`; at the start a large one becomes `<name>.log.1`. */
export class LogFiles {
  readonly #directory: string;
  readonly #streams = new Map<string, WriteStream>();

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** @param names of the processes that will write */
  static async open(directory: string, names: readonly string[]): Promise<LogFiles> {
    const files = new LogFiles(directory);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const name of names) await files.#open(name);
    return files;
  }

  write(name: string, line: string): void {
    this.#streams.get(name)?.write(`${line}\n`);
  }

  async close(): Promise<void> {
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    await Promise.all(
      streams.map((stream) => new Promise<void>((done) => stream.end(() => done()))),
    );
  }

  async #open(name: string): Promise<void> {
    const file = join(this.#directory, `${name}.log`);
    const size = await stat(file).then(
      (found) => found.size,
      () => 0,
    );
    if (size > ROTATE_AT_BYTES) await rename(file, `${file}.1`);
    const stream = createWriteStream(file, { flags: "a", mode: 0o600 });
    // A full disk must not stop the platform; what cannot be logged is shown on the terminal.
    stream.on("error", (error) => console.error(`${file}: ${error.message}`));
    this.#streams.set(name, stream);
  }
}
