/** Failures of analytics are only logged; the visitor sees nothing (specification §8). */
export function debugLog(event: string, details: Readonly<Record<string, string | number>>): void {
  // oxlint-disable-next-line no-console -- the browser's own debug level, hidden by default
  console.debug(`analytics: ${event}`, details);
}
