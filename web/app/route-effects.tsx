import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { documentReferrer } from "../analytics/browser-tracking.ts";
import { headOf, showHead } from "./document-head.ts";
import { startedEvent } from "./early-click.ts";
import { usePageHost } from "./page-context.tsx";
import { usePageLinks } from "./page-links.ts";
import { notFoundRoute, routeOf } from "./routes.ts";
import { useLocation } from "./routing.ts";
import { useArrival } from "./use-arrival.ts";

function useDocumentHead(): void {
  const { i18n: translator } = useTranslation();
  const { pathname } = useLocation();
  const language = translator.language;
  useEffect(() => {
    showHead(headOf(translator, routeOf(pathname)));
  }, [translator, language, pathname]);
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
    const notFound = routeOf(pathname) === notFoundRoute;
    tracker.pageView({ page: pathname, title: document.title, referrer, notFound });
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
  usePageLinks();
  return null;
}
