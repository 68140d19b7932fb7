import { useEffect, useLayoutEffect, useRef } from "react";

import { useLocation, useNavigationType } from "./routing.ts";

/** Delay for the layout of the new page (specification §9). */
const hashDelayMs = 100;

/** Scroll positions of visited pages, by navigation and anchor. */
const positions = new Map<string, number>();

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
  const place = key + hash;
  useLayoutEffect(() => {
    // Where the document landed, no position is known yet; every way back keeps one first.
    if (positions.size > 0 && navigation === "POP" && history.state !== null) {
      window.scrollTo({ top: positions.get(place) ?? 0, behavior: "instant" });
    }
    const keep = (): void => void positions.set(place, window.scrollY);
    window.addEventListener("scroll", keep, { passive: true });
    // Scrolling is reported with the next frame, which may come after the page was left.
    window.addEventListener("popstate", keep, { capture: true });
    return () => {
      window.removeEventListener("scroll", keep);
      window.removeEventListener("popstate", keep, { capture: true });
    };
  }, [place, navigation]);
  useEffect(() => {
    const restoredBy = (mode: ScrollRestoration) => (): void => {
      history.scrollRestoration = mode;
    };
    const own = restoredBy("manual");
    const browser = restoredBy("auto");
    own();
    // A document that is loaded again is restored by the browser.
    window.addEventListener("pagehide", browser);
    window.addEventListener("pageshow", own);
    return () => {
      window.removeEventListener("pagehide", browser);
      window.removeEventListener("pageshow", own);
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
  const before = useRef("");
  useEffect(() => {
    const from = before.current;
    const landing = from === "";
    before.current = pathname;
    if (from === pathname && navigation === "REPLACE") return undefined;
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
