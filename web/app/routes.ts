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
  | "deletion-certificate"
  | "ledger-heads"
  | "what-is-ats"
  | "ats-friendly-resume"
  | "pro-talent-meaning"
  | "terms"
  | "accessibility"
  | "do-not-sell"
  | "privacy-request"
  | "privacy-status"
  | "not-found";

export type SectionsName =
  | "ats-story"
  | "home-demo"
  | "home-story"
  | "home-voices"
  | "privacy-newsletter"
  | "document-date";

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
  sections: readonly Loadable[];
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

/** When a legal text changed last, and its versions. */
export const documentDate: Loadable = { page: "document-date", namespaces: ["document-date"] };

/** Most pages have one namespace, of their own name. */
const route = (
  path: string,
  page: PageName & Namespace,
  more: readonly Namespace[] = [],
  ...sections: readonly Loadable[]
): Route => ({ path, page, namespaces: [page, ...more], sections });

const legalRoute = (path: string, page: PageName & Namespace, ...sections: readonly Loadable[]) =>
  route(path, page, ["legal"], documentDate, ...sections);

export const notFoundRoute = route("/404", "not-found");

export const routes: readonly Route[] = [
  route("/", "home", ["plans"], ...Object.values(homeSections)),
  route("/about", "about"),
  route("/contact", "contact"),
  route("/pricing", "pricing", ["plans"]),
  route("/signup", "signup", ["plans", "waitlist"]),
  route("/newsletter/confirm", "newsletter-confirm"),
  route("/newsletter/confirmed", "newsletter-confirmed"),
  route("/newsletter/preferences", "newsletter-preferences"),
  route("/newsletter/never", "newsletter-never"),
  route("/answer", "answer"),
  route("/deletion-certificate", "deletion-certificate"),
  legalRoute("/ledger-heads", "ledger-heads"),
  route("/ats/what-is-ats", "what-is-ats", [], atsSections),
  route("/ats/ats-friendly-resume", "ats-friendly-resume"),
  route("/brand/pro-talent-meaning", "pro-talent-meaning"),
  legalRoute("/terms", "terms"),
  legalRoute("/accessibility", "accessibility"),
  legalRoute("/do-not-sell", "do-not-sell"),
  legalRoute("/privacy", "privacy", privacySections),
  route("/privacy/request", "privacy-request"),
  route("/privacy/request/status", "privacy-status", ["privacy-request"]),
  legalRoute("/cookie-policy", "cookie-policy"),
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
