import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { keptSinceMs, retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";

const rotateAtBytes = 5 * 1024 * 1024;
/** Former files of each name, however young they are. */
const formerMost = 10;
const dayMs = 24 * 60 * 60_000;
const lookEveryMs = 60 * 60_000;

export type LogFiles = {
  /** Appends a line to the file of a name; a name without a file is ignored. */
  write: (name: string, line: string) => void;
  close: () => Promise<void>;
};

/**
 * Opens `<name>.log` in `directory` for each name. A file of an earlier day, or a large one, first becomes
 * `<name>.<when>.log`; these are deleted when their time is over.
 */
export async function openLogFiles(directory: string, names: readonly string[]): Promise<LogFiles> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const streams = new Map<string, WriteStream>();
  const look = async (): Promise<void> => {
    for (const name of names) {
      const isAside = await setAside(directory, name, Date.now());
      if (!isAside && streams.has(name)) continue;
      const former = streams.get(name);
      streams.set(name, openFile(join(directory, `${name}.log`)));
      former?.end();
    }
    await forgetLogs(directory, Date.now());
  };
  await look();
  const looking = setInterval(() => {
    look().catch((error: unknown) => console.error(`${directory}: ${String(error)}`));
  }, lookEveryMs).unref();
  return {
    write: (name, line) => void streams.get(name)?.write(`${line}\n`),
    close: async () => {
      clearInterval(looking);
      const open = [...streams.values()];
      streams.clear();
      await Promise.all(open.map((stream) => new Promise<void>((done) => stream.end(done))));
    },
  };
}

/** @returns whether the file is another one from now on */
async function setAside(directory: string, name: string, nowMs: number): Promise<boolean> {
  const file = join(directory, `${name}.log`);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.size === 0) return false;
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const isEarlier = dayOf(Math.min(found.birthtimeMs, found.mtimeMs)) < dayOf(nowMs);
  if (!isEarlier && found.size <= rotateAtBytes) return false;
  const when = new Date(nowMs).toISOString().replaceAll(":", "");
  await rename(file, join(directory, `${name}.${when}.log`));
  return true;
}

/** Deletes files whose oldest line has reached its time: a file holds the lines of one day. */
export async function forgetLogs(directory: string, nowMs: number): Promise<void> {
  const former = (await readdir(directory)).filter((name) => /\.\d[^.]*\.\d+Z\.log$/u.test(name));
  const byName = Map.groupBy(former.toSorted(), (file) => file.slice(0, file.indexOf(".")));
  for (const files of byName.values()) {
    for (const [index, file] of files.entries()) {
      const { mtimeMs } = await stat(join(directory, file));
      const isOver = mtimeMs - dayMs < keptSinceMs(retentionPeriods.logs, nowMs);
      if (isOver || index < files.length - formerMost) await rm(join(directory, file));
    }
  }
}

function openFile(file: string): WriteStream {
  const stream = createWriteStream(file, { flags: "a", mode: 0o600 });
  // A full disk must not stop the platform; what cannot be logged is shown on the terminal.
  return stream.on("error", (error) => console.error(`${file}: ${error.message}`));
}
