export type DeliveryOutcome = "done" | "retry" | "drop";

export type DeliveryQueueOptions<Item> = {
  deliver: (item: Item) => Promise<DeliveryOutcome>;
  /** Called with every item that is given up. */
  onDrop: (item: Item, why: "refused" | "exhausted" | "crowded") => void;
  /** Maximum number of waiting items; the oldest is dropped. */
  limit: number;
  /** Maximum deliveries of one item. */
  attempts: number;
  /** Pause before the next delivery of the same item, in milliseconds. */
  pauseMs: (attempt: number) => number;
};

/**
 * Delivers items one at a time and in order: a session starts before its first page view, and a
 * decision is acknowledged before the reports that depend on it.
 */
export class DeliveryQueue<Item> {
  readonly #options: DeliveryQueueOptions<Item>;
  #waiting: Item[] = [];
  #underWay: Item | undefined;
  #wake: (() => void) | undefined;

  constructor(options: DeliveryQueueOptions<Item>) {
    this.#options = options;
  }

  push(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length > this.#options.limit) {
      const oldest = this.#waiting.shift();
      if (oldest !== undefined) this.#options.onDrop(oldest, "crowded");
    }
    if (this.#underWay === undefined) void this.#run();
  }

  /** Ends a pause, for example when the device is online again. */
  wake(): void {
    this.#wake?.();
  }

  /** Removes and returns the waiting items that match. */
  withdraw(matches: (item: Item) => boolean): Item[] {
    const taken = this.#waiting.filter((item) => matches(item));
    this.#waiting = this.#waiting.filter((item) => !matches(item));
    return taken;
  }

  get waiting(): readonly Item[] {
    return this.#waiting;
  }

  get underWay(): Item | undefined {
    return this.#underWay;
  }

  async #run(): Promise<void> {
    for (let item = this.#waiting.shift(); item !== undefined; item = this.#waiting.shift()) {
      this.#underWay = item;
      await this.#deliver(item);
    }
    this.#underWay = undefined;
  }

  async #deliver(item: Item): Promise<void> {
    // Without a network every item would fail alike: such attempts do not count.
    for (
      let attempt = 1;
      attempt <= this.#options.attempts;
      attempt += navigator.onLine === false ? 0 : 1
    ) {
      const outcome = await this.#options.deliver(item);
      if (outcome === "done") return;
      if (outcome === "drop") {
        this.#options.onDrop(item, "refused");
        return;
      }
      if (attempt < this.#options.attempts) await this.#pause(this.#options.pauseMs(attempt));
    }
    this.#options.onDrop(item, "exhausted");
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#wake = end;
    });
  }
}

/**
 * Milliseconds: doubles from one second to one minute, spread by a quarter so that clients do not
 * retry together.
 */
export function backoffMs(attempt: number): number {
  const base = Math.min(60_000, 1000 * 2 ** (attempt - 1));
  return base * (0.875 + Math.random() / 4);
}
