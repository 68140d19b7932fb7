import { hash, randomBytes } from "node:crypto";

const lanes = 8;

/**
 * Compares two collections of texts without keeping them, in whatever order they come: the sum of a
 * keyed hash of each. The keys are drawn at random for each verification, so that no other collection
 * with the same sum can be prepared.
 */
export class Multisets {
  readonly #key = randomBytes(32).toString("hex");

  /** An empty collection; comparable with the others of the same verification. */
  empty(): Multiset {
    return new Multiset(this.#key);
  }
}

export class Multiset {
  readonly #key: string;
  readonly #sum = new Uint32Array(lanes);
  count = 0;

  constructor(key: string) {
    this.#key = key;
  }

  add(text: string): void {
    const digest = hash("sha256", this.#key + text, "buffer");
    for (let lane = 0; lane < lanes; lane += 1) {
      // Addition in a Uint32Array is modulo 2^32.
      this.#sum[lane] = (this.#sum[lane] ?? 0) + digest.readUInt32LE(lane * 4);
    }
    this.count += 1;
  }

  equals(other: Multiset): boolean {
    return this.count === other.count && this.#sum.every((part, lane) => part === other.#sum[lane]);
  }
}
