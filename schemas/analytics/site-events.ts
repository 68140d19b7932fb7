import { z } from "zod";

import { analyticsLimits } from "./limits.ts";

/** Events whose names are reserved: their data has a fixed form, and nothing beyond it is stored. */

const bounded = (max: number) => z.number().transform((value) => Math.max(0, Math.min(max, value)));

/**
 * The use of a page view since its last report: reported when the page is left or hidden, and added
 * up. `pageView` is the event id of the page view.
 */
const PageEngagement = z.object({
  /** Milliseconds for which the page was visible, in focus and in use. */
  engagedMs: bounded(analyticsLimits.lateMsMax).transform(Math.round),
  /** Greatest part of the page that was seen so far, in percent. */
  scrollDepth: bounded(100).transform(Math.round),
  pageView: z.uuid().nullable().catch(null),
});

/** Speed and stability of a page load, once for each metric: https://web.dev/articles/vitals. */
const WebVital = z.object({
  name: z.enum(["LCP", "CLS", "INP", "FCP", "TTFB"]),
  /** Milliseconds; of CLS a number without unit. */
  value: bounded(10 * 60 * 1000),
  rating: z.enum(["good", "needs-improvement", "poor"]),
});

/** A link to another site: its domain, never its address. */
const OutboundLink = z.object({ domain: z.string().max(analyticsLimits.pageCharsMax) });

/** A file of the site itself. */
const FileDownload = z.object({ path: z.string().max(analyticsLimits.pageCharsMax) });

/** A link to an e-mail address or telephone number, of which only the kind is known. */
const ContactLink = z.object({ kind: z.enum(["mailto", "tel", "sms", "other"]) });

/** The events with a reserved name. */
export const SiteEvent = z.discriminatedUnion("eventType", [
  z.object({ eventType: z.literal("page_engagement"), eventData: PageEngagement }),
  z.object({ eventType: z.literal("web_vital"), eventData: WebVital }),
  z.object({ eventType: z.literal("outbound_link"), eventData: OutboundLink }),
  z.object({ eventType: z.literal("file_download"), eventData: FileDownload }),
  z.object({ eventType: z.literal("contact_link"), eventData: ContactLink }),
]);
export type SiteEvent = z.output<typeof SiteEvent>;
/** As a client sends it. */
export type SentSiteEvent = z.input<typeof SiteEvent>;
