import type { Namespace } from "../i18n/words.ts";

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
  | "answer"
  | "what-is-ats"
  | "ats-friendly-resume"
  | "pro-talent-meaning"
  | "terms"
  | "accessibility"
  | "do-not-sell"
  | "not-found";

export type Route = {
  /** Path without a trailing slash; the page for unknown paths is found at `/404`. */
  path: string;
  page: PageName;
  /** Words that the page needs beside those of the shell; the first holds its title. */
  words: readonly [Namespace, ...Namespace[]];
};

export const notFoundRoute: Route = { path: "/404", page: "not-found", words: ["not-found"] };

export const routes: readonly Route[] = [
  { path: "/", page: "home", words: ["home", "link-record", "plans"] },
  { path: "/about", page: "about", words: ["about"] },
  { path: "/contact", page: "contact", words: ["contact"] },
  { path: "/pricing", page: "pricing", words: ["pricing", "plans"] },
  { path: "/signup", page: "signup", words: ["signup", "plans"] },
  { path: "/newsletter/confirm", page: "newsletter-confirm", words: ["newsletter-confirm"] },
  { path: "/newsletter/confirmed", page: "newsletter-confirmed", words: ["newsletter-confirmed"] },
  {
    path: "/newsletter/preferences",
    page: "newsletter-preferences",
    words: ["newsletter-preferences"],
  },
  { path: "/answer", page: "answer", words: ["answer"] },
  { path: "/ats/what-is-ats", page: "what-is-ats", words: ["what-is-ats"] },
  { path: "/ats/ats-friendly-resume", page: "ats-friendly-resume", words: ["ats-friendly-resume"] },
  { path: "/brand/pro-talent-meaning", page: "pro-talent-meaning", words: ["pro-talent-meaning"] },
  { path: "/terms", page: "terms", words: ["terms", "legal"] },
  { path: "/accessibility", page: "accessibility", words: ["accessibility", "legal"] },
  { path: "/do-not-sell", page: "do-not-sell", words: ["do-not-sell", "legal"] },
  { path: "/privacy", page: "privacy", words: ["privacy", "legal"] },
  { path: "/cookie-policy", page: "cookie-policy", words: ["cookie-policy", "legal"] },
  notFoundRoute,
];

/** The route of a path, `/404` for a path that nobody knows. */
export function routeOf(pathname: string): Route {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, "") : pathname;
  return routes.find((route) => route.path === path) ?? notFoundRoute;
}
