import { DatabaseSync } from "node:sqlite";

/** Another process, still alive, holds the lock. */
export class LockHeld extends Error {
  override readonly name = "LockHeld";
}

/** Releasing it twice is no error. */
export type Lock = { release: () => void };

/**
 * Takes a lock that exists only as long as this process: the kernel keeps it on the file and drops
 * it however the process ends, `kill -9` included, so that a lock is never stale. Node has no
 * `flock`; SQLite's exclusive transaction is the same kernel lock, and the file stays empty.
 *
 * The file must not be opened by other means in this process: closing it would drop the lock.
 * @throws {LockHeld} when a living process (this one included) holds it
 */
export function takeLock(file: string): Lock {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    const held = error instanceof Error && error.message.includes("locked");
    throw held ? new LockHeld(file, { cause: error }) : error;
  }
  return { release: () => void (database.isOpen && database.close()) };
}
