/** Which history the gate was read from: another one begins with a restored backup or a rebuilt table. */
export type GateSource = { readonly epoch: number; readonly built: number };

/** What one query of the gate answers, all of it at one moment. */
export type GateReply = GateSource & {
  /** The ledger's newest position. */
  readonly position: number;
  /** Decisions after the position that was asked for, in any order; a visitor's latest alone. */
  readonly changes: readonly { readonly visitorId: string; readonly granted: boolean }[];
  /** There were more than the query may answer. */
  readonly isCut: boolean;
  /** Those of the visitors who were asked for and consent. */
  readonly granted: ReadonlySet<string>;
};

/** After this position there are no decisions: what is asked of an empty cache. */
const noPosition = Number.MAX_SAFE_INTEGER;

/** Until when what is remembered is known to be true, and of which run of the cache. */
export type GateQuestion = {
  readonly after: number;
  /** Visitors without a remembered answer. */
  readonly visitorIds: readonly string[];
  readonly generation: number;
};

/**
 * Remembers who consents, up to a position of the ledger. It is true only together with the decisions after
 * that position: each answer needs a reply that began after its question. So no answer is ever older than
 * its question, and what is remembered is used only once all that happened since is known.
 */
export class ConsentCache {
  readonly #entriesMax: number;
  readonly #granted = new Map<string, boolean>();
  #source: (GateSource & { readonly position: number }) | undefined;
  #generation = 0;

  /** @param entriesMax visitors that are remembered; 0 for none */
  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  has(visitorId: string): boolean {
    return this.#granted.has(visitorId);
  }

  /** What has to be asked to answer questions about visitors; these have no remembered answer. */
  question(visitorIds: readonly string[]): GateQuestion {
    const after = this.#source?.position ?? noPosition;
    return { after, visitorIds, generation: this.#generation };
  }

  /**
   * Brings what is remembered to the position of a reply.
   * @returns false when the reply cannot be joined to it. Nothing is remembered then: ask again for all
   */
  learn({ visitorIds, generation }: GateQuestion, reply: GateReply): boolean {
    const { epoch, built, position } = reply;
    const known = this.#source;
    const continues =
      known === undefined ||
      (epoch === known.epoch && built === known.built && position >= known.position);
    if (generation !== this.#generation || !continues || reply.isCut) {
      this.forget();
      return false;
    }
    for (const { visitorId, granted } of reply.changes) {
      if (this.#granted.has(visitorId)) this.#granted.set(visitorId, granted);
    }
    for (const id of visitorIds) this.#granted.set(id, reply.granted.has(id));
    this.#source = { epoch, built, position };
    return true;
  }

  /** Whether a visitor consents at the position of the last reply. */
  granted(visitorId: string): boolean {
    return this.#granted.get(visitorId) === true;
  }

  /** Forgets the visitors that were learned first, beyond the number that is remembered. */
  trim(): void {
    if (this.#granted.size <= this.#entriesMax) return;
    if (this.#entriesMax === 0) return this.forget();
    for (const visitorId of this.#granted.keys()) {
      if (this.#granted.size <= this.#entriesMax) return;
      this.#granted.delete(visitorId);
    }
  }

  /** Forgets everything; a reply to what was asked before is not learned. */
  forget(): void {
    this.#granted.clear();
    this.#source = undefined;
    this.#generation += 1;
  }
}
