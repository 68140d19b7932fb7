import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { type Lock, LockHeld, takeLock } from "@pro-talent/platform/runtime/file-lock";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";

import { endEngines, removeStores } from "./set-aside.ts";

/** Where sets are restored to be verified: personal data in the clear, for as long as that takes. */
const scratchName = "verification";

/**
 * Does work in an empty directory, which is removed afterwards.
 * @throws OperatorError while another process verifies
 */
export async function withScratch<Result>(
  directory: string,
  work: (scratch: string) => Promise<Result>,
): Promise<Result> {
  const lock = lockOf(directory);
  if (lock === undefined) throw new OperatorError("Another verification is under way.");
  const scratch = join(directory, scratchName);
  try {
    await remove(scratch);
    // Entered also by the user that Postgres runs as.
    await mkdir(scratch, { mode: 0o711 });
    return await work(scratch);
  } finally {
    await remove(scratch);
    lock.release();
  }
}

/** Removes what a verification left that was killed. */
export async function removeScratch(directory: string): Promise<void> {
  const lock = lockOf(directory);
  if (lock === undefined) return;
  try {
    await remove(join(directory, scratchName));
  } finally {
    lock.release();
  }
}

async function remove(scratch: string): Promise<void> {
  await endEngines(scratch);
  await removeStores(scratch);
  await rm(scratch, { recursive: true, force: true });
}

function lockOf(directory: string): Lock | undefined {
  try {
    return takeLock(join(directory, "verification.lock"));
  } catch (error) {
    if (error instanceof LockHeld) return undefined;
    throw error;
  }
}
