import { z } from "zod";

import { Instant } from "../primitives/instant.ts";
import { SubscriptionRequested } from "./events.ts";

/** What was requested last, and the text that was agreed to. */
const Asked = SubscriptionRequested.shape.data.omit({
  mail: true,
  requestedAt: true,
  confirmBy: true,
});
export type Asked = z.infer<typeof Asked>;

const Known = z
  .object({
    status: z.enum(["pending", "confirmed", "unsubscribed", "bounced", "complained"]),
    asked: Asked,
    /** Whether the latest request was confirmed, whatever came after. */
    proven: z.boolean(),
    /** Number of the newest confirmation mail; only its token is valid. */
    mail: z.int(),
    confirmBy: Instant,
    /** When the latest confirmation mails were requested, the newest last. */
    mailedAt: z.array(Instant).readonly(),
    /** When the latest new links to the preferences were requested, the newest last. */
    linkedAt: z.array(Instant).readonly(),
    /** Temporary refusals in a row. */
    softBounces: z.int(),
    /** Mails that the mail server accepted, and that are not yet known to be delivered. */
    accepted: z.array(z.object({ mail: z.string(), at: Instant }).readonly()).readonly(),
    /** When mails to the subscriber ended; null while they may be sent. */
    endedAt: Instant.nullable(),
  })
  .readonly();
export type Known = z.infer<typeof Known>;

/**
 * The states of a subscriber.
 *
 *     none ──request──► pending ──confirm──► confirmed
 *                        ▲  │ │                 │
 *            request     │  │ └──erase──► erased│ unsubscribe, bounce, complaint
 *                        │  └──────────┐        │
 *                     unsubscribed · bounced · complained ──erase──► erased
 *
 * A request or a resend while pending stays pending with a new mail. Those who left are erased at
 * once, those who cannot be reached after a while; until then they may subscribe again. `erased` ends
 * the stream: its key is destroyed, so the same address is a new subscriber with a stream of its own.
 */
export const SubscriberState = z.union([
  z.object({ status: z.literal("none") }).readonly(),
  z.object({ status: z.literal("erased"), asked: Asked.nullable(), erasedAt: Instant }).readonly(),
  Known,
]);
export type SubscriberState = z.infer<typeof SubscriberState>;
