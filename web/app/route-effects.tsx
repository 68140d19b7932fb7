import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { documentReferrer } from "../analytics/browser-tracking.ts";
import { headOf, showHead } from "./document-head.ts";
import { startedEvent } from "./early-click.ts";
import { usePageHost } from "./page-context.tsx";
import { routeOf } from "./routes.ts";
import { useLocation, useNavigationType } from "./routing.ts";
import { useStaticLinks } from "./use-static-links.ts";

/** Delay for the layout of the new page (specification §9). */
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

function useDocumentHead(): void {
  const { i18n: translator } = useTranslation();
  const { pathname } = useLocation();
  const language = translator.language;
  useEffect(() => {
    showHead(headOf(translator, routeOf(pathname)));
  }, [translator, language, pathname]);
}

/** A new page starts at its heading, with focus on it, or at its anchor. */
function useArrival(): void {
  const { pathname, hash, key } = useLocation();
  const navigation = useNavigationType();
  const first = useRef(true);
  useEffect(() => {
    const landing = first.current;
    first.current = false;
    if (hash !== "") return scrollToHash(hash);
    if (landing) return undefined;
    // On back and forward the browser restores the position.
    if (navigation !== "POP") window.scrollTo({ top: 0, behavior: "instant" });
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    return undefined;
    // `key` changes with every navigation, also to the same address.
  }, [pathname, hash, key, navigation]);
}

/** Reports each page view once, also when effects run twice. */
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

function useStart(): void {
  useEffect(() => {
    document.dispatchEvent(new Event(startedEvent));
  }, []);
}

/** The effects of a navigation (specification §2, global behaviour). Renders nothing. */
export function RouteEffects() {
  useStart();
  useDocumentHead();
  useArrival();
  usePageViews();
  useStaticLinks();
  return null;
}
