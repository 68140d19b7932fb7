import type { SentSiteEvent } from "@pro-talent/schemas/analytics/site-events";

import { newEventId } from "../event-id.ts";
import { Engagement, seenPercent } from "./engagement.ts";

export type PageUseEvent = Extract<SentSiteEvent, { eventType: "page_engagement" }>;

/** What the use of pages is read from: the window, or a simulated one. */
export type PageWindow = {
  now: () => number;
  /** Visible and in focus. */
  attended: () => boolean;
  viewport: () => Parameters<typeof seenPercent>[0];
};

/**
 * The use of one page view after the other. Each report says what was added since the last one, so
 * that a page that is hidden several times, or restored from the browser's cache, is added up once.
 */
export class PageUse {
  readonly #window: PageWindow;
  readonly #engagement = new Engagement();
  #pageView = "";
  #seen = 0;
  #reportedSeen = 0;
  page: string;

  /** @param sinceMs since when this view may be measured: since the consent */
  constructor(window: PageWindow, page: string, sinceMs: number) {
    this.#window = window;
    this.page = page;
    this.#engagement.attend(window.attended(), sinceMs);
    this.#enter();
  }

  /** Takes the visibility and focus as they are now. */
  attend(): void {
    this.#engagement.attend(this.#window.attended(), this.#window.now());
  }

  use(): void {
    this.#engagement.use(this.#window.now());
  }

  look(): void {
    this.#seen = Math.max(this.#seen, seenPercent(this.#window.viewport()));
  }

  /** Another page is shown in the same document. @returns what is to be reported of the last one */
  leave(page: string): PageUseEvent | undefined {
    const last = this.take();
    this.page = page;
    this.#enter();
    return last;
  }

  /** What was added since the last report; undefined for nothing. */
  take(): PageUseEvent | undefined {
    const engagedMs = this.#engagement.take(this.#window.now());
    if (engagedMs === 0 && this.#seen <= this.#reportedSeen) return undefined;
    this.#reportedSeen = this.#seen;
    return {
      eventType: "page_engagement",
      eventData: { engagedMs, scrollDepth: this.#seen, pageView: this.#pageView },
    };
  }

  #enter(): void {
    this.#pageView = newEventId(Date.now());
    this.#seen = 0;
    this.#reportedSeen = 0;
    this.#engagement.use(this.#window.now());
  }
}
