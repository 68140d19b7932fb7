export type Outcome = "done" | "retry" | "drop";

export type LaneOptions<Item> = {
  deliver: (item: Item) => Promise<Outcome>;
  /** Told about every item that is given up. */
  onDrop: (item: Item, why: "refused" | "exhausted" | "crowded") => void;
  /** Most items that wait at once; the oldest gives way. */
  limit: number;
  /** Most deliveries of one item. */
  attempts: number;
  /** Pause before the next delivery of the same item, in milliseconds. */
  pauseMs: (attempt: number) => number;
};

/**
 * Delivers items one after another, in the order in which they came: a session is started before its
 * first page view, and a decision is acknowledged before what it decides about.
 */
export class Lane<Item> {
  readonly #options: LaneOptions<Item>;
  #waiting: Item[] = [];
  #underWay: Item | undefined;
  #wake: (() => void) | undefined;

  constructor(options: LaneOptions<Item>) {
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

  /** Takes back what waits and matches, so that it is not delivered. */
  withdraw(matches: (item: Item) => boolean): Item[] {
    const taken = this.#waiting.filter((item) => matches(item));
    this.#waiting = this.#waiting.filter((item) => !matches(item));
    return taken;
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
    for (let attempt = 1; attempt <= this.#options.attempts; attempt++) {
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

/** Doubles from one second to one minute, spread by a quarter so that clients do not march in step. */
export function backoffMs(attempt: number): number {
  const base = Math.min(60_000, 1000 * 2 ** (attempt - 1));
  return base * (0.875 + Math.random() / 4);
}
