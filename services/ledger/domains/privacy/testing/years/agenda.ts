type Entry = { readonly at: number; readonly order: number; readonly act: (at: number) => void };

const isBefore = (a: Entry, b: Entry): boolean =>
  a.at < b.at || (a.at === b.at && a.order < b.order);

/** What happens when, in the order of time (a binary heap). */
export class Agenda {
  readonly #entries: Entry[] = [];
  #order = 0;

  add(at: number, act: (at: number) => void): void {
    const entries = this.#entries;
    const added = { at, order: (this.#order += 1), act };
    let place = entries.length;
    entries.push(added);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = entries[above];
      if (parent === undefined || isBefore(parent, added)) break;
      entries[place] = parent;
      place = above;
    }
    entries[place] = added;
  }

  /** Does everything, and what follows from it. @returns how many entries there were */
  run(): number {
    let done = 0;
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      next.act(next.at);
      done += 1;
    }
    return done;
  }

  #take(): Entry | undefined {
    const entries = this.#entries;
    const [first] = entries;
    const last = entries.pop();
    if (first === undefined || last === undefined || entries.length === 0) return first;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const [a, b] = [entries[left], entries[left + 1]];
      if (a === undefined) break;
      const [below, at] = b !== undefined && isBefore(b, a) ? [b, left + 1] : [a, left];
      if (isBefore(last, below)) break;
      entries[place] = below;
      place = at;
    }
    entries[place] = last;
    return first;
  }
}
