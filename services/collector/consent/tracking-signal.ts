import type { IncomingHttpHeaders } from "node:http";

/** A browser's refusal of all tracking: `DNT: 1` or Global Privacy Control. */
export type TrackingSignal = "dnt" | "gpc";

function isOne(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  if (header === "1") return true;
  // A header sent twice arrives joined; one refusal among the values is a refusal.
  const values = Array.isArray(header) ? header : header.split(",");
  return values.some((value) => value.trim() === "1");
}

/**
 * The tracking signal of a request, if it has one. `DNT` is W3C Tracking Preference Expression §5.2,
 * `Sec-GPC` the Global Privacy Control specification §3.2.
 */
export function trackingSignal(headers: IncomingHttpHeaders): TrackingSignal | undefined {
  if (isOne(headers["dnt"])) return "dnt";
  if (isOne(headers["sec-gpc"])) return "gpc";
  return undefined;
}
