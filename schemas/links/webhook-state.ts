import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { DeliveryView } from "./webhook-calls.ts";
import { PauseReason } from "./webhook-events.ts";

/** A webhook as it is kept between events. */
export const WebhookState = z.discriminatedUnion("status", [
  z.object({ status: z.literal("none") }),
  z.object({
    status: z.literal("held"),
    accountId: Uuid,
    createdAt: Instant,
    formerSecretUntil: Instant.nullable(),
    paused: z.object({ reason: PauseReason, at: Instant }).nullable(),
    /** The first failure after the last success. */
    failingSince: Instant.nullable(),
    attemptedAt: Instant.nullable(),
    /** Links whose first open was reported. */
    reported: z.array(Uuid),
    /** Those that wait, and those of the last 30 days; the oldest first. */
    deliveries: z.array(DeliveryView),
  }),
  z.object({ status: z.literal("erased"), at: Instant }),
]);
export type WebhookState = z.infer<typeof WebhookState>;
