import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { i18n } from "i18next";
import type { ComponentType } from "react";

import { loadTranslations } from "../i18n/translations.ts";
import { fetchPersistently } from "./loading-failure.ts";
import { type Loadable, type PageName, type Route, routeOf, type SectionsName } from "./routes.ts";

const pages: Record<PageName | SectionsName, () => Promise<ComponentType>> = {
  home: async () => (await import("../pages/home/home-page.tsx")).HomePage,
  "ats-story": async () =>
    (await import("../pages/what-is-ats/what-is-ats-sections.tsx")).AtsSections,
  "home-demo": async () => (await import("../pages/home/home-sections.tsx")).LinkDemo,
  "home-story": async () => (await import("../pages/home/home-sections.tsx")).StorySections,
  "home-voices": async () => (await import("../pages/home/home-sections.tsx")).VoicesSection,
  about: async () => (await import("../pages/about/about-page.tsx")).AboutPage,
  privacy: async () => (await import("../pages/privacy/privacy-page.tsx")).PrivacyPage,
  "cookie-policy": async () =>
    (await import("../pages/cookie-policy/cookie-policy-page.tsx")).CookiePolicyPage,
  contact: async () => (await import("../pages/contact/contact-page.tsx")).ContactPage,
  pricing: async () => (await import("../pages/pricing/pricing-page.tsx")).PricingPage,
  signup: async () => (await import("../pages/signup/signup-page.tsx")).SignupPage,
  "newsletter-confirm": async () =>
    (await import("../pages/newsletter-confirm/newsletter-confirm-page.tsx")).NewsletterConfirmPage,
  "newsletter-preferences": async () =>
    (await import("../pages/newsletter-preferences/newsletter-preferences-page.tsx"))
      .NewsletterPreferencesPage,
  answer: async () => (await import("../pages/answer/answer-page.tsx")).AnswerPage,
  "newsletter-confirmed": async () =>
    (await import("../pages/newsletter-confirmed/newsletter-confirmed-page.tsx"))
      .NewsletterConfirmedPage,
  "what-is-ats": async () =>
    (await import("../pages/what-is-ats/what-is-ats-page.tsx")).WhatIsAtsPage,
  "ats-friendly-resume": async () =>
    (await import("../pages/ats-friendly-resume/ats-friendly-resume-page.tsx"))
      .AtsFriendlyResumePage,
  "pro-talent-meaning": async () =>
    (await import("../pages/pro-talent-meaning/pro-talent-meaning-page.tsx")).ProTalentMeaningPage,
  terms: async () => (await import("../pages/terms/terms-page.tsx")).TermsPage,
  accessibility: async () =>
    (await import("../pages/accessibility/accessibility-page.tsx")).AccessibilityPage,
  "do-not-sell": async () =>
    (await import("../pages/do-not-sell/do-not-sell-page.tsx")).DoNotSellPage,
  "not-found": async () => (await import("../pages/not-found/not-found-page.tsx")).NotFoundPage,
};

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
    const parts = [route, ...(route.sections ?? [])];
    await Promise.all(parts.map((part) => this.load(part, language)));
  }

  /** Loads the page of a path before it is visited; a failure shows when it is visited. */
  readonly prefetch = (pathname: string, language: Locale): void => {
    this.loadWhole(routeOf(pathname), language).catch(() => undefined);
  };

  async #fetch(wanted: Loadable, language: Locale): Promise<ComponentType> {
    const namespaces = [...shellNamespaces, ...wanted.namespaces];
    const [page] = await Promise.all([
      fetchPersistently(pages[wanted.page]),
      fetchPersistently(() => loadTranslations(this.#translator, language, namespaces)),
    ]);
    return page;
  }
}
