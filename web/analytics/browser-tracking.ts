import { createApiClient } from "../api-client/request.ts";
import { readToken } from "../api-client/token.ts";
import { deviceHeaders } from "./device-headers.ts";
import { browserIdentityStore } from "./identity-store.ts";
import type { Click } from "./reports.ts";
import { Tracker } from "./tracker.ts";
import type { Arrival } from "./visit-session.ts";

/** An address without its query and fragment, which may hold personal data. */
function withoutQuery(address: string): string | undefined {
  return address === "" ? undefined : address.split(/[?#]/, 1)[0];
}

function readArrival(): Arrival {
  const query = new URLSearchParams(location.search);
  const utm = (name: string): string | null => query.get(`utm_${name}`);
  return {
    page: location.pathname,
    referrer: withoutQuery(document.referrer),
    utm: {
      source: utm("source"),
      medium: utm("medium"),
      campaign: utm("campaign"),
      term: utm("term"),
      content: utm("content"),
    },
  };
}

/** What kind of element was clicked. `data-track-category` states a kind of its own. */
function categoryOf(element: Element): string {
  const stated = element.getAttribute("data-track-category");
  if (stated !== null) return stated;
  if (element instanceof HTMLAnchorElement) {
    if (element.protocol === "mailto:") return "contact";
    if (element.classList.contains("button")) return "call_to_action";
    return element.closest("main") === null ? "navigation" : "text_link";
  }
  const submits = element instanceof HTMLButtonElement && element.type === "submit";
  return submits ? "form" : "control";
}

function readClick(event: MouseEvent): Click | undefined {
  if (!(event.target instanceof Element)) return undefined;
  const tracked = event.target.closest("[data-track]");
  const element = tracked?.getAttribute("data-track");
  if (!tracked || !element) return undefined;
  return {
    element,
    category: categoryOf(tracked),
    page: location.pathname,
    coordinates: { x: Math.round(event.pageX), y: Math.round(event.pageY) },
    elementId: tracked.id || undefined,
    elementClass: tracked.getAttribute("class") || undefined,
  };
}

let aheadMs = 0;

/**
 * The device's time in milliseconds since 1970, which goes on when its clock is set back during the
 * visit. The browser's timer alone would stop while the device sleeps.
 */
function steadyTime(): number {
  const timer = performance.now();
  aheadMs = Math.max(aheadMs, Date.now() - timer);
  return Math.round(timer + aheadMs);
}

/** A tracker with a client of its own: a refused token changes nothing for the visitor. */
export function createBrowserTracker(onReceipt: (receiptId: string) => void): Tracker {
  return new Tracker({
    api: createApiClient({ origin: "", readToken, onUnauthorized: () => undefined }),
    onReceipt,
    identity: browserIdentityStore(),
    now: steadyTime,
    arrival: readArrival,
    deviceHeaders: () => deviceHeaders(window),
    beacon: (path, body) =>
      navigator.sendBeacon(path, new Blob([JSON.stringify(body)], { type: "application/json" })),
  });
}

/** Reports clicks on elements with `data-track`, and the end of the visit. */
export function listenToBrowser(tracker: Tracker): void {
  document.addEventListener(
    "click",
    (event) => {
      const click = readClick(event);
      if (click) tracker.click(click);
    },
    { capture: true, passive: true },
  );
  window.addEventListener("pagehide", () => tracker.end(location.pathname));
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) tracker.resume();
  });
  window.addEventListener("online", () => tracker.retryNow());
}

/** The referrer of this document's first page view. */
export function documentReferrer(): string | undefined {
  return withoutQuery(document.referrer);
}
