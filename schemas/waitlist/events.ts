import { z } from "zod";

/**
 * Events of a waitlist stream (`waitlist-<subscriberId>`), free of personal data. A place belongs to a
 * newsletter subscriber who signed up for the waitlist.
 */
export const WaitlistEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("PlaceRequested"), data: z.object({}) }),
  /** The emailed link was followed: the place counts. */
  z.object({ type: z.literal("PlaceConfirmed"), data: z.object({}) }),
  /** The subscriber left, or can no longer be reached. */
  z.object({ type: z.literal("PlaceReleased"), data: z.object({}) }),
]);
export type WaitlistEvent = z.infer<typeof WaitlistEvent>;

/** What the events of a place lead to. */
export const WaitlistState = z.object({ status: z.enum(["none", "requested", "confirmed"]) });
export type WaitlistState = Readonly<z.infer<typeof WaitlistState>>;
