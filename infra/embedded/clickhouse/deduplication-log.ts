import { readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Only the newest records can be unfinished; old parts may be gone for good reasons. */
const NEWEST_RECORDS = 200;

/** Records start with the operation: a part was added, or dropped (and its tokens forgotten). */
const ADDED = "1";

type PartName = { partition: string; first: number; last: number };

function parsePartName(name: string): PartName | undefined {
  const match = /^([^_].*?)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name);
  const [, partition = "", first, last] = match ?? [];
  return match === null ? undefined : { partition, first: Number(first), last: Number(last) };
}

function covers(part: PartName, other: PartName): boolean {
  return part.partition === other.partition && part.first <= other.first && part.last >= other.last;
}

/** The files of a table's deduplication log, oldest first. */
function logFiles(tableDir: string): string[] {
  const dir = join(tableDir, "deduplication_logs");
  const numbered = readdirSync(dir).flatMap((name) => {
    const number = /^deduplication_log_(\d+)\.txt$/.exec(name)?.[1];
    return number === undefined ? [] : [{ path: join(dir, name), number: Number(number) }];
  });
  return numbered.toSorted((a, b) => a.number - b.number).map(({ path }) => path);
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function partOf(line: string): string {
  return line.split("\t")[1] ?? "";
}

/**
 * The parts that a table's log claims to hold although no part on disk contains them: what a crash
 * between the record and the part leaves behind.
 * @param tableDir a MergeTree table's data directory with a `deduplication_logs` folder
 */
export function unfinishedParts(tableDir: string): string[] {
  const claimed = logFiles(tableDir).flatMap(linesOf).slice(-NEWEST_RECORDS);
  const onDisk = readdirSync(tableDir).flatMap((name) => parsePartName(name) ?? []);
  const unfinished = new Set<string>();
  for (const line of claimed) {
    const name = partOf(line);
    if (!line.startsWith(`${ADDED}\t`)) {
      unfinished.delete(name);
      continue;
    }
    const part = parsePartName(name);
    if (part !== undefined && !onDisk.some((other) => covers(other, part))) unfinished.add(name);
  }
  return [...unfinished];
}

/** Removes the records of parts from a table's log. The table must be detached. */
export function forgetParts(tableDir: string, parts: readonly string[]): void {
  for (const file of logFiles(tableDir)) {
    const lines = linesOf(file);
    const kept = lines.filter((line) => !parts.includes(partOf(line)));
    if (kept.length === lines.length) continue;
    const replacement = `${file}.new`;
    writeFileSync(replacement, kept.map((line) => `${line}\n`).join(""), { flush: true });
    renameSync(replacement, file);
  }
}
