import { refusal } from "./engine-error.ts";

/**
 * Lets a limited number of statements into the engine; the others wait in the order of arrival.
 * Each running statement holds one thread of libuv's pool, which must keep some for everything else.
 */
export class QuerySlots {
  readonly #free: number[];
  readonly #waiting: ((slot: number) => void)[] = [];
  readonly #maxWaiting: number;
  readonly #size: number;
  #onIdle: (() => void)[] = [];
  #lastAlone: Promise<unknown> = Promise.resolve();

  constructor(size: number, maxWaiting: number) {
    this.#size = size;
    this.#free = Array.from({ length: size }, (_, slot) => slot);
    this.#maxWaiting = maxWaiting;
  }

  /** The number of statements in the engine. */
  get busy(): number {
    return this.#size - this.#free.length;
  }

  /**
   * Waits for a slot and takes it.
   * @throws {EngineError} 202 when too many wait already
   */
  take(): Promise<number> {
    const slot = this.#free.shift();
    if (slot !== undefined) return Promise.resolve(slot);
    if (this.#waiting.length >= this.#maxWaiting) {
      const message = `Too many simultaneous queries. Maximum: ${this.#size} running, ${this.#maxWaiting} waiting.`;
      return Promise.reject(refusal("TOO_MANY_SIMULTANEOUS_QUERIES", message));
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Gives a slot back. */
  release(slot: number): void {
    const next = this.#waiting.shift();
    if (next !== undefined) return next(slot);
    this.#free.push(slot);
    if (this.busy > 0) return;
    for (const done of this.#onIdle.splice(0)) done();
  }

  /** Runs something while no statement is in the engine; later ones wait. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#lastAlone;
    const run = before.then(async () => {
      const slots: number[] = [];
      try {
        while (slots.length < this.#size) slots.push(await this.take());
        return await work();
      } finally {
        for (const slot of slots) this.release(slot);
      }
    });
    this.#lastAlone = run.catch(() => undefined);
    return run;
  }

  /** Resolves when nothing is in the engine. */
  idle(): Promise<void> {
    if (this.busy === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }
}
