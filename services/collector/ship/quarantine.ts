import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { keptSinceMs, retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";

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

/**
 * Deletes what an operator has not taken up in its time.
 * @param directory may be missing: nothing was set aside yet
 * @returns the names of the files
 */
export async function forgetQuarantined(directory: string, nowMs: number): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const forgotten: string[] = [];
  for (const name of names) {
    const { mtimeMs } = await stat(join(directory, name));
    if (mtimeMs >= keptSinceMs(retentionPeriods.quarantine, nowMs)) continue;
    await rm(join(directory, name));
    forgotten.push(name);
  }
  return forgotten;
}

/** How many files a quarantine holds. @param directory may be missing */
export async function countQuarantined(directory: string): Promise<number> {
  return (await readdir(directory).catch(() => [])).length;
}
