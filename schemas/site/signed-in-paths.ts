/** First segments of the addresses of the signed-in area (design, account routes). */
const areas: ReadonlySet<string> = new Set([
  "login",
  "join",
  "dashboard",
  "checkout",
  "account",
  "links",
  "cv",
  "portfolio",
  "applications",
  "console",
]);

/** Whether the signed-in area answers this path, with its own document and router. */
export function isSignedInPath(pathname: string): boolean {
  const [, area = ""] = pathname.split("/", 2);
  return areas.has(area);
}
