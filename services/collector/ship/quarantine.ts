import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { syncDirectory } from "../spool/segment.ts";
import { failureOf, insertLines, type Store } from "./store.ts";
import { type Head, lineFor, type ShippedRow } from "./tables.ts";

/**
 * Finds the rows that ClickHouse cannot read, by trying ever smaller halves. Tried rows are
 * addressed to no table: they are parsed and stored nowhere.
 */
export async function findRefused(
  store: Store,
  head: Head,
  rows: readonly ShippedRow[],
): Promise<ShippedRow[]> {
  if (!(await isRefused(store, head, rows))) return [];
  if (rows.length === 1) return [...rows];
  const middle = rows.length >> 1;
  return [
    ...(await findRefused(store, head, rows.slice(0, middle))),
    ...(await findRefused(store, head, rows.slice(middle))),
  ];
}

async function isRefused(store: Store, head: Head, rows: readonly ShippedRow[]): Promise<boolean> {
  const lines = rows.map((row) => lineFor("nowhere", row.line));
  try {
    await insertLines(store, { table: head.name, segment: "quarantine", token: "", lines });
    return false;
  } catch (error) {
    if (failureOf(error) === "refused") return true;
    throw error;
  }
}

/** Keeps refused rows for an operator: `<directory>/<name>.ndjson`. */
export async function keepRefused(
  directory: string,
  name: string,
  rows: readonly ShippedRow[],
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${name}.ndjson`);
  const file = await open(`${path}.new`, "w", 0o600);
  try {
    await file.writeFile(Buffer.concat(rows.map((row) => row.line)));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  await syncDirectory(directory);
}

/** Longer than an operator needs; much shorter than events are kept. */
const quarantineMs = 30 * 24 * 60 * 60_000;

const filesIn = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });

/** How many files a quarantine holds. */
export const countQuarantined = async (directory: string): Promise<number> =>
  (await filesIn(directory)).length;

/** Deletes what has been in quarantine for thirty days. @returns how many files are left */
export async function pruneQuarantine(directory: string, nowMs: number): Promise<number> {
  for (const name of await filesIn(directory)) {
    const path = join(directory, name);
    if (nowMs - (await stat(path)).mtimeMs > quarantineMs) await rm(path, { force: true });
  }
  return await countQuarantined(directory);
}
