import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { documentReferrer } from "../analytics/browser-tracking.ts";
import { headOf, showHead } from "./document-head.ts";
import { startedEvent } from "./early-press.ts";
import { usePageHost } from "./page-context.tsx";
import { routeOf } from "./routes.ts";
import { useLocation, useNavigationType } from "./routing.ts";
import { useStillLinks } from "./use-still-links.ts";

/** Time for the new page to be laid out before its anchor is looked for (specification §9). */
const hashDelayMs = 100;

function scrollToHash(hash: string): () => void {
  const timer = setTimeout(() => {
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (target === null) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    target.scrollIntoView({ behavior: calm ? "auto" : "smooth" });
    target.focus({ preventScroll: true });
  }, hashDelayMs);
  return () => clearTimeout(timer);
}

/** What the head says follows the page and the language. */
function useDocumentHead(): void {
  const { i18n: translator } = useTranslation();
  const { pathname } = useLocation();
  const language = translator.language;
  useEffect(() => {
    showHead(headOf(translator, routeOf(pathname)));
  }, [translator, language, pathname]);
}

/** A new page starts at its top with focus on its heading, or at its anchor. */
function useArrival(): void {
  const { pathname, hash, key } = useLocation();
  const navigation = useNavigationType();
  const first = useRef(true);
  useEffect(() => {
    const landing = first.current;
    first.current = false;
    if (hash !== "") return scrollToHash(hash);
    if (landing) return undefined;
    // Going back, the browser returns to where one was.
    if (navigation !== "POP") window.scrollTo({ top: 0, behavior: "instant" });
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    return undefined;
    // `key` changes with every navigation, also to where one already is.
  }, [pathname, hash, key, navigation]);
}

/** Reports every page by its path, once per path, whatever mounts twice. */
function usePageViews(): void {
  const { tracker } = usePageHost();
  const { pathname } = useLocation();
  const previous = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (tracker === undefined || previous.current === pathname) return;
    const referrer =
      previous.current === undefined ? documentReferrer() : location.origin + previous.current;
    previous.current = pathname;
    tracker.pageView({ page: pathname, title: document.title, referrer });
  }, [tracker, pathname]);
}

/** The first effect after hydration: from now on the page answers. */
function useStart(): void {
  useEffect(() => {
    document.dispatchEvent(new Event(startedEvent));
  }, []);
}

/** What happens on arriving at a page (specification §2, global behaviour). Draws nothing. */
export function RouteEffects() {
  useStart();
  useDocumentHead();
  useArrival();
  usePageViews();
  useStillLinks();
  return null;
}
