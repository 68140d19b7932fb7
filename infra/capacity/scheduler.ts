type Due = { readonly at: number; readonly order: number; readonly run: () => void };

/** What happens in a simulation, in the order of its seconds; of the same moment what was planned first. */
export class Scheduler {
  now = 0;
  readonly #heap: Due[] = [];
  #planned = 0;

  /** Plans something for so many seconds later. */
  after(seconds: number, run: () => void): void {
    const due = { at: this.now + seconds, order: this.#planned++, run };
    const heap = this.#heap;
    let place = heap.push(due) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, due)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = due;
  }

  /** Lets everything happen that is planned before a moment. */
  runUntil(end: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.at < end; next = this.#heap[0]) {
      this.#removeFirst();
      this.now = next.at;
      next.run();
    }
    this.now = end;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (isBefore(last, child)) break;
      heap[place] = child;
      place = 2 * place + (isRight ? 2 : 1);
    }
    heap[place] = last;
  }
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

type Work = { readonly seconds: number; readonly done: () => void };

/** Some processors with one queue; work of the background is taken when no other waits. */
export class Processors {
  /** Seconds of one processor that wait. */
  waiting = 0;
  readonly #scheduler: Scheduler;
  #free: number;
  readonly #queues: Record<"foreground" | "background", Fifo<Work>> = {
    foreground: new Fifo(),
    background: new Fifo(),
  };

  constructor(scheduler: Scheduler, count: number) {
    this.#scheduler = scheduler;
    this.#free = count;
  }

  run(seconds: number, done: () => void, when: "foreground" | "background" = "foreground"): void {
    this.#queues[when].push({ seconds, done });
    this.waiting += seconds;
    this.#take();
  }

  #take(): void {
    while (this.#free > 0) {
      const work = this.#queues.foreground.shift() ?? this.#queues.background.shift();
      if (work === undefined) return;
      this.waiting -= work.seconds;
      this.#free -= 1;
      this.#scheduler.after(work.seconds, () => {
        this.#free += 1;
        work.done();
        this.#take();
      });
    }
  }
}

/** A queue that is not moved for each of many items. */
class Fifo<Item> {
  #items: Item[] = [];
  #first = 0;

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#first];
    if (item === undefined) return undefined;
    this.#first += 1;
    if (this.#first > 1024 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
