import { z } from "zod";

/**
 * Events of a waitlist stream (`waitlist-<subscriberId>`), free of personal data. A place belongs to a
 * newsletter subscriber who signed up for the waitlist.
 */
export const PlaceRequested = z.object({ type: z.literal("PlaceRequested"), data: z.object({}) });
/** The emailed link was followed: the place counts. */
export const PlaceConfirmed = z.object({ type: z.literal("PlaceConfirmed"), data: z.object({}) });
/** The subscriber left, or can no longer be reached. */
export const PlaceReleased = z.object({ type: z.literal("PlaceReleased"), data: z.object({}) });

export const WaitlistEvent = z.discriminatedUnion("type", [
  PlaceRequested,
  PlaceConfirmed,
  PlaceReleased,
]);
export type WaitlistEvent = z.infer<typeof WaitlistEvent>;
