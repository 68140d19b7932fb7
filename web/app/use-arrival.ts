import { useEffect, useLayoutEffect, useRef } from "react";

import { useLocation, useNavigationType } from "./routing.ts";

/** Delay for the layout of the new page (specification §9). */
const hashDelayMs = 100;
const storageKey = "scroll-positions";

/** Scroll positions of visited pages, by navigation and anchor. */
const positions = new Map<string, number>();

/** The id that an address names; a malformed escape is taken as it is. */
export function anchorOf(hash: string): string {
  const name = hash.slice(1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function scrollToHash(hash: string): () => void {
  const timer = setTimeout(() => {
    const target = document.getElementById(anchorOf(hash));
    if (target === null) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    target.scrollIntoView({ behavior: calm ? "auto" : "smooth" });
    target.focus({ preventScroll: true });
  }, hashDelayMs);
  return () => clearTimeout(timer);
}

/** Positions outlive the document, for a visitor who comes back to it. */
function keepPositions(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(positions)));
  } catch {
    // Storage is blocked: after a reload, earlier pages start at their top.
  }
  // A document that loads again is restored by the browser.
  history.scrollRestoration = "auto";
}

function readPositions(): void {
  history.scrollRestoration = "manual";
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "{}");
    if (typeof kept !== "object" || kept === null) return;
    for (const [place, top] of Object.entries<unknown>({ ...kept })) {
      if (typeof top === "number") positions.set(place, top);
    }
  } catch {
    // Storage is blocked, or has another value.
  }
}

/** Whether the document was opened by a link or an address, not by back, forward or reload. */
function openedAnew(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "navigate";
}

/**
 * Back and forward restore the position. The browser would do so at once, while the earlier page is
 * still shown.
 */
function useScrollPositions(): void {
  const { key, hash } = useLocation();
  const navigation = useNavigationType();
  const landing = useRef(true);
  const place = key + hash;
  useLayoutEffect(() => {
    if (landing.current) readPositions();
    // The browser has restored a new document already, unless it was left while this code ran.
    const due = landing.current ? !openedAnew() && window.scrollY === 0 : navigation === "POP";
    if (due && history.state !== null) {
      window.scrollTo({ top: positions.get(place) ?? 0, behavior: "instant" });
    }
    landing.current = false;
    const keep = (): void => void positions.set(place, window.scrollY);
    window.addEventListener("scroll", keep, { passive: true });
    return () => window.removeEventListener("scroll", keep);
  }, [place, navigation]);
  useEffect(() => {
    window.addEventListener("pagehide", keepPositions);
    window.addEventListener("pageshow", readPositions);
    return () => {
      window.removeEventListener("pagehide", keepPositions);
      window.removeEventListener("pageshow", readPositions);
    };
  }, []);
}

/** A new page starts at its heading, with focus on it, or at its anchor. */
export function useArrival(): void {
  useScrollPositions();
  const { pathname, hash, key } = useLocation();
  const navigation = useNavigationType();
  const first = useRef(true);
  useEffect(() => {
    const landing = first.current;
    first.current = false;
    // The browser itself followed an anchor if the history entry has no state.
    const returning = landing ? !openedAnew() : navigation === "POP" && history.state !== null;
    if (hash !== "" && !returning) return scrollToHash(hash);
    if (landing) return undefined;
    if (!returning) window.scrollTo({ top: 0, behavior: "instant" });
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    return undefined;
    // `key` changes with every navigation, also to the same address.
  }, [pathname, hash, key, navigation]);
}
