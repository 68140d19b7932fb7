import { Channel } from "@pro-talent/schemas/analytics/row";
import { UuidV7, VisitorId } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

/** How a visitor arrived: decided at the start of a visit session, repeated on each of its events. */
export const Arrival = z.object({
  /** Path without query and fragment; empty when the client did not state it. */
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

/** All that the collector knows of a visit session. The client keeps it, sealed; nothing is stored. */
export const VisitSession = Arrival.extend({
  sessionId: UuidV7,
  visitorId: VisitorId,
  startedAtMs: z.int().min(0).max(8_640_000_000_000_000),
  /** Added to the device's time it gives the collector's; undefined when it was not measured. */
  clockOffsetMs: z.int().optional(),
}).transform((session) => ({ ...session, startedAt: instantFromMs(session.startedAtMs) }));
export type VisitSession = z.infer<typeof VisitSession>;
