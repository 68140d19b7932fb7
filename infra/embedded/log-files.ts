import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";

const ROTATE_AT_BYTES = 5 * 1024 * 1024;

export type LogFiles = {
  /** Appends a line to the file of a name; a name without a file is ignored. */
  write: (name: string, line: string) => void;
  close: () => Promise<void>;
};

/** Opens `<name>.log` in `directory` for each name; a large one first becomes `<name>.log.1`. */
export async function openLogFiles(directory: string, names: readonly string[]): Promise<LogFiles> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const streams = new Map<string, WriteStream>();
  for (const name of names) streams.set(name, await openFile(join(directory, `${name}.log`)));
  return {
    write: (name, line) => void streams.get(name)?.write(`${line}\n`),
    close: async () => {
      const open = [...streams.values()];
      streams.clear();
      await Promise.all(open.map((stream) => new Promise<void>((done) => stream.end(done))));
    },
  };
}

async function openFile(file: string): Promise<WriteStream> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && found.size > ROTATE_AT_BYTES) await rename(file, `${file}.1`);
  const stream = createWriteStream(file, { flags: "a", mode: 0o600 });
  // A full disk must not stop the platform; what cannot be logged is shown on the terminal.
  return stream.on("error", (error) => console.error(`${file}: ${error.message}`));
}
