import type { Namespace } from "../i18n/words.ts";

export type PageName = "home" | "about" | "privacy" | "cookie-policy" | "not-found";

export type Route = {
  /** Path without a trailing slash; the page for unknown paths is found at `/404`. */
  path: string;
  page: PageName;
  /** Words that the page needs beside those of the shell; the first holds its title. */
  words: readonly [Namespace, ...Namespace[]];
};

export const notFoundRoute: Route = { path: "/404", page: "not-found", words: ["not-found"] };

export const routes: readonly Route[] = [
  { path: "/", page: "home", words: ["home", "link-record"] },
  { path: "/about", page: "about", words: ["about"] },
  { path: "/privacy", page: "privacy", words: ["privacy"] },
  { path: "/cookie-policy", page: "cookie-policy", words: ["cookie-policy"] },
  notFoundRoute,
];

/** The route of a path, `/404` for a path that nobody knows. */
export function routeOf(pathname: string): Route {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, "") : pathname;
  return routes.find((route) => route.path === path) ?? notFoundRoute;
}
