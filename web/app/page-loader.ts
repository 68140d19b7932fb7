import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { i18n } from "i18next";
import type { ComponentType } from "react";

import { loadTranslations } from "../i18n/translations.ts";
import { fetchPersistently } from "./loading-failure.ts";
import { type Loadable, type PageName, type Route, routeOf, type SectionsName } from "./routes.ts";

/** By file: `pages/<name>/<name>-page.tsx`. */
const pages = import.meta.glob<ComponentType>(
  ["../pages/*/*-page.tsx", "!../pages/legal/legal-page.tsx"],
  { import: "Page" },
);

const homeSections = () => import("../pages/home/home-sections.tsx");

const sections: Record<SectionsName, () => Promise<ComponentType>> = {
  "ats-story": async () =>
    (await import("../pages/what-is-ats/what-is-ats-sections.tsx")).AtsSections,
  "home-demo": async () => (await homeSections()).LinkDemo,
  "home-story": async () => (await homeSections()).StorySections,
  "home-voices": async () => (await homeSections()).VoicesSection,
  "privacy-newsletter": async () =>
    (await import("../pages/privacy/privacy-sections.tsx")).NewsletterText,
  "document-date": async () => (await import("../pages/legal/document-date.tsx")).DocumentDate,
};

/** @throws Error when no file has this page */
async function loadComponent(name: PageName | SectionsName): Promise<ComponentType> {
  if (isSections(name)) return await sections[name]();
  const load = pages[`../pages/${name}/${name}-page.tsx`];
  if (load === undefined) throw new Error(`no page: ${name}`);
  return await load();
}

const isSections = (name: PageName | SectionsName): name is SectionsName => name in sections;

/** Every page needs these; the others come with the page that names them. */
const shellNamespaces = ["shell", "consent", "newsletter"] as const;

type Loading = {
  promise: Promise<ComponentType>;
  page: ComponentType | undefined;
  /** The navigation that asked first; a prefetch has none. */
  visit: string | undefined;
  failed: boolean;
};

/** Loads code and texts of pages and their sections, once per language. */
export class PageLoader {
  readonly #translator: i18n;
  readonly #loading = new Map<string, Loading>();

  constructor(translator: i18n) {
    this.#translator = translator;
  }

  /** The page or sections, if they are loaded. */
  ready({ page }: Loadable, language: Locale): ComponentType | undefined {
    return this.#loading.get(`${language} ${page}`)?.page;
  }

  /**
   * Rejects when code or texts cannot be fetched. The same `visit` then gets the same rejection, so
   * that a component that renders again does not ask for ever; the next visit tries again.
   * @param visit - key of the navigation
   */
  load(wanted: Loadable, language: Locale, visit?: string): Promise<ComponentType> {
    const key = `${language} ${wanted.page}`;
    const known = this.#loading.get(key);
    if (known !== undefined && !(known.failed && known.visit !== visit)) return known.promise;
    const promise = this.#fetch(wanted, language);
    const entry: Loading = { promise, page: undefined, visit, failed: false };
    this.#loading.set(key, entry);
    promise.then(
      (page) => {
        entry.page = page;
      },
      () => {
        entry.failed = true;
      },
    );
    return promise;
  }

  /** Loads all that the browser needs to render a page itself. */
  async loadWhole(route: Route, language: Locale): Promise<void> {
    const parts = [route, ...route.sections];
    await Promise.all(parts.map((part) => this.load(part, language)));
  }

  /** Loads the page of a path before it is visited; a failure shows when it is visited. */
  readonly prefetch = (pathname: string, language: Locale): void => {
    this.loadWhole(routeOf(pathname), language).catch(() => undefined);
  };

  async #fetch(wanted: Loadable, language: Locale): Promise<ComponentType> {
    const namespaces = [...shellNamespaces, ...wanted.namespaces];
    const [page] = await Promise.all([
      fetchPersistently(() => loadComponent(wanted.page)),
      fetchPersistently(() => loadTranslations(this.#translator, language, namespaces)),
    ]);
    return page;
  }
}
