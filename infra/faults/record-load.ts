import { setTimeout as delay } from "node:timers/promises";

import { analyticsPaths, TrackAnswer } from "@pro-talent/schemas/analytics/wire";
import { v7 as uuidV7 } from "uuid";

import { openConsentedSessions, openSession } from "./open-sessions.ts";

/** What the drill knows about one record: how it was sent and whether it was ever acknowledged. */
export type SentRecord = { kind: "page_view" | "click" | "custom"; sends: number; acked: boolean };

type Copy = { eventId: string; path: string; body: string };

export type LoadOptions = {
  /** The collectors; each copy of a record goes to any of them. */
  urls: readonly string[];
  visitors: number;
  senders: number;
  /** Uniform numbers in [0, 1); seeded, so that a run can be repeated. */
  random: () => number;
  /** Pause between two sends of one sender; 0 loads as hard as it can. */
  pauseMs?: number;
};

/**
 * Load with a memory. Every record has an event id and is sent one to three times, in any order,
 * to any collector; which of them were acknowledged is kept, to be compared with what was stored.
 */
export class RecordLoad {
  readonly sent = new Map<string, SentRecord>();
  unconsented = { sent: 0, acked: 0 };
  readonly #options: LoadOptions;
  readonly #waiting: Copy[] = [];
  #sessions: string[] = [];
  #unconsentedSession = "";
  #running = false;
  #senders: Promise<void>[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Makes the visitors: each starts a session and consents; one more does not. */
  async prepare(): Promise<void> {
    const url = this.#options.urls[0] ?? "";
    this.#sessions = await openConsentedSessions(url, this.#options.visitors);
    this.#unconsentedSession = await openSession(url, "drill-visitor-without-consent");
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
    let count = 0;
    for (const record of this.sent.values()) if (record.acked) count += 1;
    return count;
  }

  async #sendOn(): Promise<void> {
    while (this.#running || this.#waiting.length > 0) {
      if (this.#running && this.#waiting.length < 40 * this.#options.senders) this.#makeRecord();
      const copy = this.#takeAny();
      if (copy !== undefined) await this.#send(copy);
      if (this.#options.random() < 0.05) await this.#sendUnconsented();
      if (this.#options.pauseMs !== undefined) await delay(this.#options.pauseMs);
    }
  }

  #makeRecord(): void {
    const { random } = this.#options;
    const sessionId = this.#sessions[Math.floor(random() * this.#sessions.length)] ?? "";
    const eventId = uuidV7();
    const page = `/drill/${Math.floor(random() * 20)}`;
    const draw = random();
    const kind = draw < 0.6 ? "page_view" : draw < 0.85 ? "click" : "custom";
    const bodies = {
      page_view: { path: analyticsPaths.trackPageView, body: { page, title: "Drill" } },
      click: {
        path: analyticsPaths.trackClick,
        body: { page, element: "button", category: "drill" },
      },
      custom: {
        path: analyticsPaths.trackEvent,
        body: { eventType: "drill", eventData: { page } },
      },
    };
    const { path, body } = bodies[kind];
    const copies = 1 + Math.floor(random() * 3);
    this.sent.set(eventId, { kind, sends: copies, acked: false });
    const text = JSON.stringify({ sessionId, eventId, ...body });
    for (let n = 0; n < copies; n++) this.#waiting.push({ eventId, path, body: text });
  }

  #takeAny(): Copy | undefined {
    const index = Math.floor(this.#options.random() * this.#waiting.length);
    const copy = this.#waiting[index];
    const last = this.#waiting.pop();
    if (copy !== undefined && last !== undefined && index < this.#waiting.length) {
      this.#waiting[index] = last;
    }
    return copy;
  }

  async #send(copy: Copy): Promise<void> {
    const answer = await this.#post(copy.path, copy.body);
    if (answer?.status !== 202) {
      // A dead collector refuses at once; without a breath the drill would only send into a void.
      if (answer === undefined) await delay(5);
      return;
    }
    const record = this.sent.get(copy.eventId);
    const { outcome } = TrackAnswer.parse(JSON.parse(answer.text));
    if (outcome !== "stored") throw new Error(`A consented record was ${outcome}`);
    if (record !== undefined) record.acked = true;
  }

  async #sendUnconsented(): Promise<void> {
    this.unconsented.sent += 1;
    const body = { sessionId: this.#unconsentedSession, page: "/drill/anonymous" };
    const answer = await this.#post(analyticsPaths.trackPageView, JSON.stringify(body));
    if (answer?.status === 202) this.unconsented.acked += 1;
  }

  /** The answer, or undefined when none came (the collector died meanwhile, or is away). */
  async #post(path: string, body: string): Promise<{ status: number; text: string } | undefined> {
    const { urls, random } = this.#options;
    const url = urls[Math.floor(random() * urls.length)] ?? "";
    try {
      const response = await fetch(url + path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "Mozilla/5.0 (X11; Linux x64) Drill/1.0",
          "accept-language": "en",
          "accept-encoding": "gzip",
          accept: "*/*",
        },
        body,
        signal: AbortSignal.timeout(10_000),
      });
      return { status: response.status, text: await response.text() };
    } catch {
      return undefined;
    }
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
