import { Channel } from "@pro-talent/schemas/analytics/row";
import { UuidV7, VisitorId } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

/** How a visitor arrived: decided once at the start of a session, repeated on each of its events. */
export const Arrival = z.object({
  /** Path without query and fragment; empty when the client did not say. */
  entryPage: z.string(),
  referrerDomain: z.string(),
  channel: Channel,
  utmSource: z.string(),
  utmMedium: z.string(),
  utmCampaign: z.string(),
  utmTerm: z.string(),
  utmContent: z.string(),
});
export type Arrival = z.infer<typeof Arrival>;

/** Everything the collector knows about a session. It is kept by the client, sealed, not here. */
export const SessionFacts = Arrival.extend({
  sessionId: UuidV7,
  visitorId: VisitorId,
  startedAtMs: z.int().min(0).max(8_640_000_000_000_000),
}).transform((facts) => ({ ...facts, startedAt: instantFromMs(facts.startedAtMs) }));
export type SessionFacts = z.infer<typeof SessionFacts>;
