import { isSignedInPath } from "@pro-talent/schemas/site/signed-in-paths";

/** Where a sign-in leads without a request for another page. */
export const firstPage = "/dashboard";

const base = "https://site.invalid";
/** Pages that lead into an account are not where a sign-in leads. */
const entries: ReadonlySet<string> = new Set(["login", "join"]);

/** The address of another page into an account, with where this one leads. */
export function withNext(path: string, query: URLSearchParams): string {
  const next = query.get("next");
  return next === null ? path : `${path}?next=${encodeURIComponent(next)}`;
}

/** Where a mailed link is to lead afterwards: what the form sends of its page's `?next=`. */
export function nextToMail(query: URLSearchParams): { next?: string } {
  const next = query.get("next");
  return next === null ? {} : { next: nextPath(next) };
}

/**
 * The page that `?next=` names, as the browser would resolve it: only one of the signed-in area, so
 * that a link cannot lead elsewhere after the sign-in. Anything else is the first page.
 */
export function nextPath(next: string | null): string {
  if (next === null || !next.startsWith("/") || !URL.canParse(next, base)) return firstPage;
  const { origin, pathname, search, hash } = new URL(next, base);
  const area = pathname.split("/", 2)[1] ?? "";
  const allowed = origin === base && isSignedInPath(pathname) && !entries.has(area);
  return allowed ? pathname + search + hash : firstPage;
}
