import { useEffect, useLayoutEffect, useRef } from "react";

import { useLocation, useNavigationType } from "./routing.ts";

/** Delay for the layout of the new page (specification §9). */
const hashDelayMs = 100;

/** Scroll positions of visited pages, by navigation and anchor. */
const positions = new Map<string, number>();

const jumpTo = (top: number): void => window.scrollTo({ top, behavior: "instant" });

/** The id that an address names; a malformed escape is taken as it is. */
function anchorOf(hash: string): string {
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
    if (!landing.current && navigation === "POP" && history.state !== null) {
      jumpTo(positions.get(place) ?? 0);
    }
    landing.current = false;
    const keep = (): void => void positions.set(place, window.scrollY);
    addEventListener("scroll", keep);
    // Scrolling is reported with the next frame, which may come after the page was left.
    addEventListener("popstate", keep, true);
    return () => {
      removeEventListener("scroll", keep);
      removeEventListener("popstate", keep, true);
    };
  }, [place, navigation]);
  useEffect(() => {
    const own = (): void => void (history.scrollRestoration = "manual");
    const browser = (): void => void (history.scrollRestoration = "auto");
    own();
    // A document that is loaded again is restored by the browser.
    addEventListener("pagehide", browser);
    addEventListener("pageshow", own);
    return () => {
      removeEventListener("pagehide", browser);
      removeEventListener("pageshow", own);
    };
  }, []);
}

/**
 * A new page starts at its heading, with focus on it, or at its anchor. A query that replaces its
 * predecessor, as of a filter, is no new page: what is used keeps the focus.
 */
export function useArrival(): void {
  useScrollPositions();
  const { pathname, hash, key } = useLocation();
  const navigation = useNavigationType();
  const before = useRef<string>(undefined);
  useEffect(() => {
    const last = before.current;
    before.current = pathname;
    if (navigation === "REPLACE" && last === pathname) return undefined;
    const landing = last === undefined;
    // The browser itself followed an anchor if the history entry has no state.
    const returning = landing ? !openedAnew() : navigation === "POP" && history.state !== null;
    if (hash !== "" && !returning) return scrollToHash(hash);
    if (!landing) {
      if (!returning) jumpTo(0);
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    }
    return undefined;
    // `key` changes with every navigation, also to the same address.
  }, [pathname, hash, key, navigation]);
}
