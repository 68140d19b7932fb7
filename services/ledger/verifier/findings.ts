/** What can be wrong with a ledger, and what that means. */
export const explanations = {
  missing: "there is no event at this position",
  duplicate: "there are several events at this position",
  prev: "it does not follow the event before it",
  hash: "a field is not what was recorded",
  sealed: "its sealed part was exchanged",
  rewritten: "the ledger is not the one of a signed head",
  head: "the head does not name the last event",
  stream: "a stream does not end where its record says, or has gaps",
  command: "the record of a command does not fit its events",
  row: "a row of a read model does not follow from the events",
  checkpoint: "a follower's checkpoint names no event of this ledger",
  timer: "a timer does not follow from the events",
  outbox: "a message of the outbox does not follow from the events",
  snapshot: "the snapshot of a stream does not follow from its events",
  erased: "personal data was made unreadable, and no event says so",
  kept: "personal data is still readable a day after its erasure was recorded",
  journal: "the erasure journal lacks the entry of an erasure, or has another one in its place",
  unknown: "this program cannot read the event",
  function: "a function of the database is not the one of the migrations",
  protection: "a protection of the database was removed or changed",
} as const;

export type Reason = keyof typeof explanations;

/** One thing that is wrong. */
export type Finding = {
  readonly why: Reason;
  /** Of the event concerned, where there is one. */
  readonly position: number | null;
  /** What it is about: a table and its key, a function. Never personal data. */
  readonly what?: string;
};

/** Findings of one kind that are kept; more of them say nothing new. */
const keptPerReason = 1000;

/** Collects findings; memory stays bounded when a whole ledger was replaced. */
export class Findings {
  readonly #found: Finding[] = [];
  readonly #counts = new Map<Reason, number>();

  add(why: Reason, position: number | null, what?: string): void {
    const count = (this.#counts.get(why) ?? 0) + 1;
    this.#counts.set(why, count);
    if (count > keptPerReason) return;
    this.#found.push({ why, position, ...(what !== undefined && { what }) });
  }

  /** In the order of positions. */
  get list(): readonly Finding[] {
    return this.#found.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  }

  /** How many there were, also those beyond the list. */
  get count(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }
}
