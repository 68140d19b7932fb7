import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";

/** Why an account is offered: before the launch to some, with the launch to all. */
export const invitationOccasions = ["beta", "launch"] as const;

/** In per cent: more is not offered, since the providers of payments refuse amounts of a few cents. */
export const discountPercentMax = 90;

/** An invitation to open an account, and what its first invoice is reduced by. */
export const Invitation = z.object({
  invitationId: z.uuid(),
  occasion: z.enum(invitationOccasions),
  discountPercent: z.int().min(0).max(100),
});
export type Invitation = z.infer<typeof Invitation>;

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
  /** The invitation is to be mailed. */
  z.object({ type: z.literal("PlaceInvited"), data: Invitation }),
  /** The accounts service has taken the invitation over. */
  z.object({
    type: z.literal("InvitationPassedOn"),
    data: Invitation.pick({ invitationId: true }),
  }),
  /** The invited person has an account already: it gets the discount. */
  z.object({
    type: z.literal("AccountFound"),
    data: Invitation.pick({ invitationId: true, discountPercent: true }).extend({
      accountId: Uuid,
    }),
  }),
]);
export type WaitlistEvent = z.infer<typeof WaitlistEvent>;

/** What the events of a place lead to. */
export const WaitlistState = z.object({
  status: z.enum(["none", "requested", "confirmed"]),
  /** Occasions on which the place was invited: once each. */
  invited: z.array(z.enum(invitationOccasions)).readonly(),
  /** What is not yet passed on, the oldest first. */
  waiting: z.array(Invitation.extend({ invitedAt: Instant }).readonly()).readonly(),
});
export type WaitlistState = Readonly<z.infer<typeof WaitlistState>>;
