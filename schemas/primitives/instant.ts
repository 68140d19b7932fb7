import { z } from "zod";

/** A moment as ISO 8601 with milliseconds and `Z`, for example `2026-03-01T08:00:00.000Z`. */
export const Instant = z.iso.datetime({ precision: 3 }).brand<"Instant">();
export type Instant = z.infer<typeof Instant>;

/** The instant of a JavaScript time value in milliseconds since 1970. */
export function instantFromMs(ms: number): Instant {
  return Instant.parse(new Date(ms).toISOString());
}

/** The instant so many milliseconds later. Instants compare as text: all have the same form. */
export function instantPlus(instant: Instant, ms: number): Instant {
  return instantFromMs(Date.parse(instant) + ms);
}
