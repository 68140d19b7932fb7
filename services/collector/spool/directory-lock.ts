import { DatabaseSync } from "node:sqlite";

/** Another process, still alive, writes into this directory. */
export class DirectoryInUse extends Error {
  override readonly name = "DirectoryInUse";
}

export type DirectoryLock = { release: () => void };

/**
 * Takes a directory for this process. The kernel holds the lock on the file and drops it however
 * the process ends, so that none is ever stale. Node has no `flock`; the exclusive transaction of
 * SQLite is the same kernel lock.
 *
 * @throws DirectoryInUse when a living process (this one included) has it
 */
export function lockDirectory(file: string): DirectoryLock {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    const held = error instanceof Error && error.message.includes("locked");
    throw held ? new DirectoryInUse("The spool directory is in use", { cause: error }) : error;
  }
  return { release: () => database.close() };
}
