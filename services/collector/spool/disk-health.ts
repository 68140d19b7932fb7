import type { Logger } from "@pro-talent/platform/runtime/logger";
import { requireWritable, Unwritable } from "@pro-talent/platform/runtime/writable";

/** The variable that names the directory of the spool. */
const setting = "SPOOL_DIR";
const retryMs = 1_000;

/**
 * Makes the directory if there is none.
 * @returns the reason when the disk is full: what is there can still be shipped, which makes space
 * @throws Unwritable when nothing can be written there for another reason
 */
export async function prepareDirectory(directory: string): Promise<Unwritable | undefined> {
  try {
    await requireWritable(directory, setting);
    return undefined;
  } catch (error) {
    if (error instanceof Unwritable && error.isFull) return error;
    throw error;
  }
}

/**
 * Whether the spool can be written. A service that is not ready may get no call that would try it, so
 * that from a failed write on the directory is tried now and then, and both changes are logged once.
 */
export class DiskHealth {
  readonly #directory: string;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;

  constructor(directory: string, log: Logger) {
    this.#directory = directory;
    this.#log = log;
  }

  get healthy(): boolean {
    return this.#timer === undefined;
  }

  failed(cause: unknown): void {
    if (!this.healthy) return;
    this.#log.error({ err: cause }, "the spool cannot be written: calls are refused");
    this.#timer = setInterval(() => void this.#attempt(), retryMs).unref();
  }

  succeeded(): void {
    if (this.healthy) return;
    this.stop();
    this.#log.info("the spool can be written again");
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #attempt(): Promise<void> {
    await requireWritable(this.#directory, setting).then(
      () => this.succeeded(),
      () => undefined,
    );
  }
}
