import type { SentSiteEvent } from "@pro-talent/schemas/analytics/site-events";
import { onCLS, onFCP, onINP, onLCP, onTTFB } from "web-vitals";

import type { Tracker } from "../tracker.ts";
import { inFewCalls, together } from "./batch.ts";
import { eventReport } from "./event-report.ts";
import { followsLink, linkEvent } from "./link-kind.ts";
import { PageUse } from "./page-use.ts";

type PagedEvent = SentSiteEvent & { page: string };

let vitalsFollowed = false;
let reportVital: ((event: PagedEvent) => void) | undefined;

/**
 * Follows the speed of this page load once: its listeners cannot be removed. Without consent what they
 * measure is dropped.
 */
function followVitals(): void {
  if (vitalsFollowed) return;
  vitalsFollowed = true;
  const page = location.pathname;
  const reported = new Set<string>();
  for (const follow of [onCLS, onFCP, onINP, onLCP, onTTFB]) {
    follow(({ id, name, value, rating }) => {
      // A page that is hidden again may report a later value under the same id.
      if (reported.has(id)) return;
      reported.add(id);
      reportVital?.({ eventType: "web_vital", eventData: { name, value, rating }, page });
    });
  }
}

const reportOf = ({ eventType, eventData, page }: PagedEvent, nowMs: number) =>
  eventReport(eventType, eventData, nowMs, page);

const hidden = (): boolean => document.visibilityState === "hidden";
const passive = { capture: true, passive: true } as const;

/**
 * Measures the use of pages and their speed, reports links that lead elsewhere, and sends reports
 * that wait together. Loaded only under consent, and ended with it.
 * @param sinceMs when consent was known, by the browser's timer
 */
export function measure(tracker: Tracker, sinceMs: number): void {
  if (!tracker.consented || tracker.extension) return;
  const ending = new AbortController();
  const { signal } = ending;
  /** Reports of the moment in which the page is hidden go out together, at its end. */
  let held: PagedEvent[] = [];
  const report = (event: PagedEvent): void => {
    if (hidden()) held.push(event);
    else tracker.report((nowMs) => reportOf(event, nowMs));
  };
  const use = new PageUse(
    {
      now: () => performance.now(),
      attended: () => !hidden() && document.hasFocus(),
      viewport: () => ({
        scrollY,
        innerHeight,
        scrollHeight: document.documentElement.scrollHeight,
      }),
    },
    location.pathname,
    sinceMs,
  );
  const takeUse = (): PagedEvent[] => {
    const page = use.page;
    const event = use.take();
    return event === undefined ? [] : [{ ...event, page }];
  };
  reportVital = report;
  followVitals();
  listen(signal, use, report);
  addEventListener(
    "visibilitychange",
    () => {
      use.attend();
      if (!hidden()) return;
      const events = [...takeUse(), ...held];
      held = [];
      for (const event of events) tracker.report((nowMs) => reportOf(event, nowMs));
    },
    { signal },
  );
  tracker.extension = {
    end: () => {
      ending.abort();
      reportVital = undefined;
    },
    leave: (page) => {
      const left = use.page;
      const event = use.leave(page);
      if (event) report({ ...event, page: left });
      requestAnimationFrame(() => use.look());
    },
    last: (nowMs) => takeUse().map((event) => reportOf(event, nowMs)),
    together,
    inFewCalls,
  };
}

function listen(signal: AbortSignal, use: PageUse, report: (event: PagedEvent) => void): void {
  const look = (): void => use.look();
  for (const type of ["pointermove", "pointerdown", "keydown", "wheel", "scroll"]) {
    document.addEventListener(type, () => use.use(), { ...passive, signal });
  }
  document.addEventListener("scroll", look, { passive: true, signal });
  addEventListener("resize", look, { signal });
  for (const type of ["focus", "blur"]) {
    addEventListener(type, () => use.attend(), { signal });
  }
  look();
  const follow = (event: MouseEvent): void => {
    const { target } = event;
    const link = target instanceof Element ? target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || !followsLink(event)) return;
    const { protocol, hostname, host, pathname } = link;
    const isDownload = link.hasAttribute("download");
    const kind = linkEvent({ protocol, hostname, host, pathname, isDownload }, location.host);
    if (kind) report({ ...kind, page: location.pathname });
  };
  document.addEventListener("click", follow, { ...passive, signal });
  document.addEventListener("auxclick", follow, { ...passive, signal });
}
