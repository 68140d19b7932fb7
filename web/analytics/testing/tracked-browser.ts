import assert from "node:assert/strict";

import { vi } from "vitest";

import { createApiClient } from "../../api-client/request.ts";
import { createIdentityStore } from "../identity-store.ts";
import { Tracker } from "../tracker.ts";
import { nameOf, type RecordingCollector, startRecordingCollector } from "./recording-collector.ts";

const storage = (entries: Map<string, string>) => ({
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, value: string) => void entries.set(key, value),
  removeItem: (key: string) => void entries.delete(key),
});

export const viewOf = (page: string) => ({
  page,
  title: `Title of ${page}`,
  referrer: undefined,
});
export const grant = {
  consent: "granted",
  method: "accept_all",
  notice: Promise.resolve(undefined),
} as const;
export const refuse = {
  consent: "refused",
  method: "reject_all",
  notice: Promise.resolve(undefined),
} as const;

export const reset = {
  consent: "undecided",
  method: "reset",
  notice: Promise.resolve(undefined),
} as const;
export const undecided = { consent: "undecided", signal: undefined } as const;
export const click = {
  element: "hero-record",
  category: "navigation",
  page: "/",
  coordinates: { x: 3, y: 4 },
  elementId: "see",
  elementClass: "button",
};

/** A browser with simulated storage and clock, and the HTTP server that its trackers report to. */
export class TrackedBrowser {
  readonly local = new Map<string, string>();
  readonly tab = new Map<string, string>();
  readonly beacons: { name: string; body: object }[] = [];
  readonly receipts: string[] = [];
  nowMs = Date.UTC(2026, 2, 1, 8);
  pauseMs = 1;
  /** The last one that was set. */
  cookie = "";
  readonly collector: RecordingCollector;
  readonly #answered: string[] = [];

  private constructor(collector: RecordingCollector) {
    this.collector = collector;
  }

  static async start(): Promise<TrackedBrowser> {
    vi.spyOn(console, "debug").mockImplementation(() => undefined);
    return new TrackedBrowser(await startRecordingCollector());
  }

  newTracker(): Tracker {
    const { origin } = this.collector;
    const api = createApiClient({
      origin,
      readToken: () => null,
      onUnauthorized: () => undefined,
    });
    return new Tracker({
      api: {
        call: async (name, input) => {
          const answer = await api.call(name, input);
          this.#answered.push(nameOf(name));
          return answer;
        },
      },
      identity: createIdentityStore(
        () => storage(this.local),
        () => storage(this.tab),
        (cookie) => (this.cookie = cookie),
      ),
      now: () => this.nowMs,
      arrival: () => ({
        page: "/pricing",
        referrer: "https://search.example/",
        utm: { source: "mail", medium: null, campaign: null, term: null, content: null },
      }),
      deviceHeaders: () => ({ "x-viewport": "1280x800", "x-timezone": "Asia/Jerusalem" }),
      onReceipt: (receiptId) => this.receipts.push(receiptId),
      beacon: (path, body) => this.beacons.push({ name: nameOf(path), body }) > 0,
      pauseMs: () => this.pauseMs,
    });
  }

  get storedKeys(): string[] {
    const cookies = this.cookie === "" || this.cookie.includes("max-age=0") ? [] : [this.cookie];
    return [...this.local.keys(), ...this.tab.keys(), ...cookies];
  }

  untilAnswers = (count: number) =>
    vi.waitFor(() => assert.equal(this.#answered.length, count), { timeout: 5000, interval: 5 });

  /** Views a page a second later and waits for the answer, which counts as activity. */
  async viewAndAwaitAnswer(tracker: Tracker, page: string): Promise<void> {
    this.nowMs += 1000;
    tracker.pageView(viewOf(page));
    await vi.waitFor(() => assert.equal(this.#answered.at(-1), "pageview"));
  }
}
