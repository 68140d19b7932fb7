import { setTimeout as delay } from "node:timers/promises";

import { analyticsPaths, TrackAnswer } from "@pro-talent/schemas/analytics/wire";
import { v7 as uuidV7 } from "uuid";

import { post, startConsentedVisits, startVisit } from "./visits.ts";

/** What the drill knows about one record: what it is and whether it was ever acknowledged. */
export type SentRecord = { kind: "page_view" | "click" | "custom"; acked: boolean };

type Copy = { eventId: string; path: string; body: string };

/** Made for a load: one record of a visit session, with its call. */
export function drillRecord(
  sessionId: string | undefined,
  random: () => number,
): Copy & { kind: SentRecord["kind"] } {
  const eventId = uuidV7();
  const page = `/drill/${Math.floor(random() * 20)}`;
  const draw = random();
  const kind = draw < 0.6 ? "page_view" : draw < 0.85 ? "click" : "custom";
  const { path, body } = {
    page_view: { path: analyticsPaths.trackPageView, body: { page, title: "Drill" } },
    click: {
      path: analyticsPaths.trackClick,
      body: { page, element: "button", category: "drill" },
    },
    custom: { path: analyticsPaths.trackEvent, body: { eventType: "drill", eventData: { page } } },
  }[kind];
  return { kind, eventId, path, body: JSON.stringify({ sessionId, eventId, ...body }) };
}

export type LoadOptions = {
  /** The collectors; each copy of a record goes to any of them. */
  urls: readonly string[];
  visitors: number;
  senders: number;
  /** Uniform numbers in [0, 1); seeded, so that a run can be repeated. */
  random: () => number;
  /** Pause between two sends of one sender. */
  pauseMs: number;
};

/**
 * Load whose acknowledgements are kept. Every record has an event id and is sent one to three times, in any order,
 * to any collector; which of them were acknowledged is later compared with what was stored.
 */
export class RecordLoad {
  readonly sent = new Map<string, SentRecord>();
  readonly unconsented = { sent: 0, acked: 0 };
  readonly #options: LoadOptions;
  readonly #waiting: Copy[] = [];
  #sessions: string[] = [];
  #unconsentedSession = "";
  #running = false;
  #senders: Promise<void>[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Makes the visitors: each starts a visit session and consents; one more does not. */
  async prepare(): Promise<void> {
    const url = this.#options.urls[0] ?? "";
    this.#sessions = await startConsentedVisits(url, this.#options.visitors);
    this.#unconsentedSession = await startVisit(url, "drill-visitor-without-consent");
  }

  start(): void {
    this.#running = true;
    this.#senders = Array.from({ length: this.#options.senders }, () => this.#sendOn());
  }

  /** Stops making records, and sends the copies that still wait. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#senders);
  }

  acknowledged(): number {
    return [...this.sent.values()].filter(({ acked }) => acked).length;
  }

  #anyOf<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#options.random() * items.length)];
  }

  async #sendOn(): Promise<void> {
    while (this.#running || this.#waiting.length > 0) {
      if (this.#running && this.#waiting.length < 40 * this.#options.senders) this.#makeRecord();
      const copy = this.#takeAny();
      if (copy !== undefined) await this.#send(copy);
      if (this.#options.random() < 0.05) await this.#sendUnconsented();
      await delay(this.#options.pauseMs);
    }
  }

  #makeRecord(): void {
    const { random } = this.#options;
    const { kind, ...copy } = drillRecord(this.#anyOf(this.#sessions), random);
    const copies = 1 + Math.floor(random() * 3);
    this.sent.set(copy.eventId, { kind, acked: false });
    for (let n = 0; n < copies; n++) this.#waiting.push(copy);
  }

  #takeAny(): Copy | undefined {
    const index = Math.floor(this.#options.random() * this.#waiting.length);
    return this.#waiting.splice(index, 1)[0];
  }

  async #send({ eventId, path, body }: Copy): Promise<void> {
    const answer = await this.#post(path, body);
    if (answer?.status !== 202) {
      // A dead collector refuses at once; without a pause the drill would only repeat that.
      if (answer === undefined) await delay(5);
      return;
    }
    const { outcome } = TrackAnswer.parse(JSON.parse(answer.text));
    if (outcome !== "stored") throw new Error(`A consented record was ${outcome}`);
    const record = this.sent.get(eventId);
    if (record !== undefined) record.acked = true;
  }

  async #sendUnconsented(): Promise<void> {
    this.unconsented.sent += 1;
    const body = { sessionId: this.#unconsentedSession, page: "/drill/anonymous" };
    const answer = await this.#post(analyticsPaths.trackPageView, JSON.stringify(body));
    if (answer?.status === 202) this.unconsented.acked += 1;
  }

  /** The answer, or undefined when none came (the collector died meanwhile, or is away). */
  #post(path: string, body: string): ReturnType<typeof post> {
    return post((this.#anyOf(this.#options.urls) ?? "") + path, body);
  }
}

/** Seeded uniform numbers (mulberry32, public domain, by Tommy Ettinger). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
