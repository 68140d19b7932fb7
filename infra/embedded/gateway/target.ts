/** Paths of the services that are for other services and for operators, never for the public. */
const PRIVATE = /^\/(internal|metrics)(\/|$)/;

export type Target = {
  /** The path as a service would understand it: decoded, without dot segments or empty ones. */
  path: string;
  isPrivate: boolean;
};

/**
 * Reads a request target (RFC 9112 §3.2). Routing and refusal go by the path that a service could
 * make of it, so that no spelling (`//internal`, `/%69nternal`, `/x/../internal`) slips through.
 */
export function readTarget(url: string): Target | "malformed" {
  // Only the origin form: the absolute form could name a path that is not looked at here.
  if (!url.startsWith("/")) return "malformed";
  const [raw = ""] = url.split(/[?#]/, 1);
  let decoded: string;
  try {
    decoded = decodeURIComponent(raw);
  } catch {
    return "malformed";
  }
  const segments: string[] = [];
  for (const segment of decoded.split(/[/\\]/)) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  const path = `/${segments.join("/")}`;
  return { path, isPrivate: PRIVATE.test(path.toLowerCase()) };
}
