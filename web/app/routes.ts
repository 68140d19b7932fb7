import type { Namespace } from "../i18n/translations.ts";

export type PageName =
  | "home"
  | "about"
  | "privacy"
  | "cookie-policy"
  | "contact"
  | "pricing"
  | "signup"
  | "newsletter-confirm"
  | "newsletter-confirmed"
  | "newsletter-preferences"
  | "newsletter-never"
  | "answer"
  | "what-is-ats"
  | "ats-friendly-resume"
  | "pro-talent-meaning"
  | "terms"
  | "accessibility"
  | "do-not-sell"
  | "not-found";

export type SectionsName =
  | "ats-story"
  | "home-demo"
  | "home-story"
  | "home-voices"
  | "privacy-newsletter";

/** Code and texts that are loaded together. */
export type Loadable = {
  page: PageName | SectionsName;
  /** Its own translation namespaces; the first of a page holds its title. */
  namespaces: readonly [Namespace, ...Namespace[]];
};

export type Route = Loadable & {
  /** Path without a trailing slash; unknown paths use the route `/404`. */
  path: string;
  page: PageName;
  /** Sections without state and handlers. Where the document holds them, their code is not loaded. */
  sections?: readonly Loadable[];
};

export const homeSections = {
  demo: { page: "home-demo", namespaces: ["home-story"] },
  story: { page: "home-story", namespaces: ["home-story"] },
  voices: { page: "home-voices", namespaces: ["home-story"] },
} satisfies Record<string, Loadable>;

export const atsSections: Loadable = { page: "ats-story", namespaces: ["ats-story"] };

export const privacySections: Loadable = {
  page: "privacy-newsletter",
  namespaces: ["newsletter-never"],
};

export const notFoundRoute: Route = { path: "/404", page: "not-found", namespaces: ["not-found"] };

export const routes: readonly Route[] = [
  {
    path: "/",
    page: "home",
    namespaces: ["home", "plans"],
    sections: Object.values(homeSections),
  },
  { path: "/about", page: "about", namespaces: ["about"] },
  { path: "/contact", page: "contact", namespaces: ["contact"] },
  { path: "/pricing", page: "pricing", namespaces: ["pricing", "plans"] },
  { path: "/signup", page: "signup", namespaces: ["signup", "plans", "waitlist"] },
  { path: "/newsletter/confirm", page: "newsletter-confirm", namespaces: ["newsletter-confirm"] },
  {
    path: "/newsletter/confirmed",
    page: "newsletter-confirmed",
    namespaces: ["newsletter-confirmed"],
  },
  {
    path: "/newsletter/preferences",
    page: "newsletter-preferences",
    namespaces: ["newsletter-preferences"],
  },
  { path: "/newsletter/never", page: "newsletter-never", namespaces: ["newsletter-never"] },
  { path: "/answer", page: "answer", namespaces: ["answer"] },
  {
    path: "/ats/what-is-ats",
    page: "what-is-ats",
    namespaces: ["what-is-ats"],
    sections: [atsSections],
  },
  {
    path: "/ats/ats-friendly-resume",
    page: "ats-friendly-resume",
    namespaces: ["ats-friendly-resume"],
  },
  {
    path: "/brand/pro-talent-meaning",
    page: "pro-talent-meaning",
    namespaces: ["pro-talent-meaning"],
  },
  { path: "/terms", page: "terms", namespaces: ["terms", "legal"] },
  { path: "/accessibility", page: "accessibility", namespaces: ["accessibility", "legal"] },
  { path: "/do-not-sell", page: "do-not-sell", namespaces: ["do-not-sell", "legal"] },
  {
    path: "/privacy",
    page: "privacy",
    namespaces: ["privacy", "legal"],
    sections: [privacySections],
  },
  { path: "/cookie-policy", page: "cookie-policy", namespaces: ["cookie-policy", "legal"] },
  notFoundRoute,
];

/** The route of a path; `/404` for an unknown one. */
export function routeOf(pathname: string): Route {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, "") : pathname;
  return routes.find((route) => route.path === path) ?? notFoundRoute;
}

export function hasPage(pathname: string): boolean {
  return routeOf(pathname) !== notFoundRoute;
}
