import type { i18n } from "i18next";
import { type LoaderFunction, matchRoutes, type RouteObject } from "react-router-dom";

import type { PrefetchedPage } from "../../api-client/query-answer.ts";
import { fallbackLanguage, isLanguage } from "../../i18n/languages.ts";
import { loadTranslations, type PageTexts } from "../../i18n/translations.ts";
import { fetchPersistently } from "../loading-failure.ts";
import { queryClient } from "./query-client.ts";

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
export function prefetchRoute(
  routes: RouteObject[],
  pathname: string,
  translator: i18n,
): Promise<unknown> {
  const loading = (matchRoutes(routes, pathname) ?? []).flatMap(({ route }) => [
    Promise.resolve(typeof route.lazy === "object" ? route.lazy.Component?.() : undefined),
    loadTexts(translator, route.handle),
  ]);
  return Promise.allSettled(loading);
}

const isPrefetched = (handle: unknown): handle is PrefetchedPage =>
  typeof handle === "object" && handle !== null && "prefetch" in handle;

/** The browser has nothing else to do. Safari does not report it. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 500);
  });

/** Loads code and texts of the page at a path beside nothing else: its data is not to be had without an account. */
export async function preparePage(
  routes: RouteObject[],
  path: string,
  translator: i18n,
): Promise<void> {
  await idle();
  await prefetchRoute(routes, path, translator);
}

/**
 * Loads pages with their data, one after the other and beside nothing else, so that a change to them
 * waits for nothing.
 */
export async function prefetchPages(
  routes: RouteObject[],
  paths: readonly string[],
  translator: i18n,
): Promise<void> {
  for (const path of paths) {
    await preparePage(routes, path, translator);
    for (const { route } of matchRoutes(routes, path) ?? []) {
      if (isPrefetched(route.handle)) await Promise.allSettled(route.handle.prefetch(queryClient));
    }
  }
}
