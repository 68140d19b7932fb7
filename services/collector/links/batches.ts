import { setTimeout as delay } from "node:timers/promises";

/** Collects what is added while a call is under way, and some milliseconds longer, for the next call. */
export class Batches<Item> {
  readonly #send: (items: readonly Item[]) => Promise<void>;
  readonly #collectMs: number;
  #next: Promise<void> | undefined;
  #items: Item[] = [];
  #current: Promise<unknown> = Promise.resolve();

  constructor(send: (items: readonly Item[]) => Promise<void>, collectMs: number) {
    this.#send = send;
    this.#collectMs = collectMs;
  }

  /** Resolves when the call that contains the item has. @throws its error */
  add(item: Item): Promise<void> {
    this.#items.push(item);
    this.#next ??= this.#begin();
    return this.#next;
  }

  /** Resolves when nothing waits and no call is under way. */
  async idle(): Promise<void> {
    while (this.#next !== undefined) await this.#next.catch(() => undefined);
    await this.#current.catch(() => undefined);
  }

  async #begin(): Promise<void> {
    await this.#current.catch(() => undefined);
    await delay(this.#collectMs);
    const items = this.#items;
    this.#items = [];
    this.#next = undefined;
    const sending = this.#send(items);
    this.#current = sending;
    await sending;
  }
}
