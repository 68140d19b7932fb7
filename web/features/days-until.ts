const dayMs = 24 * 60 * 60_000;

/** Days from now until then, the one that has begun included; negative when it has passed. */
export const daysUntil = (instant: string): number =>
  Math.ceil((Date.parse(instant) - Date.now()) / dayMs);
