import type { i18n } from "i18next";
import { type LoaderFunction, matchRoutes, type RouteObject } from "react-router-dom";

import { fallbackLanguage, isLanguage } from "../../i18n/languages.ts";
import { loadTranslations, type PageTexts } from "../../i18n/translations.ts";
import { fetchPersistently } from "../loading-failure.ts";

function isPageTexts(handle: unknown): handle is PageTexts {
  return (
    typeof handle === "object" && handle !== null && "namespaces" in handle && "title" in handle
  );
}

/** What a route's handle says about its texts. */
export function pageTextsOf(handle: unknown): PageTexts | undefined {
  return isPageTexts(handle) ? handle : undefined;
}

function loadTexts(translator: i18n, handle: unknown): Promise<void> {
  const { language } = translator;
  const supported = isLanguage(language) ? language : fallbackLanguage;
  const namespaces = pageTextsOf(handle)?.namespaces ?? [];
  return fetchPersistently(() => loadTranslations(translator, supported, namespaces));
}

type LazyComponent = () => Promise<RouteObject["Component"]>;

function persistent(Component: LazyComponent | undefined): { Component?: LazyComponent } {
  return Component === undefined ? {} : { Component: () => fetchPersistently(Component) };
}

/**
 * A feature's route with what all pages have: its texts are loaded beside its code and its data, and
 * code that cannot be fetched is tried again.
 */
export function withTexts(route: RouteObject, translator: i18n): RouteObject {
  const { lazy, loader: own } = route;
  const loader: LoaderFunction = async (args, context) => {
    const answer = typeof own === "function" ? own(args, context) : null;
    const [data] = await Promise.all([answer, loadTexts(translator, route.handle)]);
    return data;
  };
  const code = typeof lazy === "object" ? { lazy: { ...lazy, ...persistent(lazy.Component) } } : {};
  if (route.index === true) return { ...route, ...code, loader };
  const children = route.children?.map((child) => withTexts(child, translator));
  return { ...route, ...code, loader, ...(children === undefined ? {} : { children }) };
}

/** Loads code and texts of the page at a path; a failure shows when the page is visited. */
export function prefetchRoute(routes: RouteObject[], pathname: string, translator: i18n): void {
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    const code = typeof route.lazy === "object" ? route.lazy.Component?.() : undefined;
    void Promise.allSettled([code, loadTexts(translator, route.handle)]);
  }
}
