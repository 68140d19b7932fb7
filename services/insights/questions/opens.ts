import { Channel, DeviceClass } from "@pro-talent/schemas/analytics/row";
import { exclusions } from "@pro-talent/schemas/links/opens";
import { z } from "zod";

import { defineQuestion, Ms } from "../ask.ts";
import { type Filters, matchesFilters, ownerOpens, type OwnerParams } from "./owner-opens.ts";

/** A request as it is shown. */
export const OpenShown = z.object({
  eventId: z.uuid(),
  linkId: z.uuid(),
  at: Ms,
  visitorId: z.guid(),
  exclusion: z.enum(["", ...exclusions]),
  state: z.enum(["clicked", "fetched", "seen"]),
  seconds: z.int(),
  pages: z.int(),
  pagesTotal: z.int(),
  downloaded: z.boolean(),
  country: z.string(),
  region: z.string(),
  device: DeviceClass,
  browser: z.string(),
  source: z.string(),
  channel: Channel,
});
export type OpenShown = z.output<typeof OpenShown>;

export const openColumns = `event_id AS eventId, link_id AS linkId, toUnixTimestamp64Milli(at) AS at,
  visitor_id AS visitorId, exclusion, state, seconds, pages, pages_total AS pagesTotal, downloaded,
  country, region, device, browser, source, channel`;

/** Requests of a span, the newest first; all of one moment together, so that a page ends between moments. */
export const opens = defineQuestion<
  OwnerParams & Filters & { alsoExcluded: number; count: number }
>()({
  name: "opens",
  sql: `SELECT ${openColumns}, count() OVER () AS matching
    FROM ${ownerOpens} AS o
    WHERE ({alsoExcluded:UInt8} = 1 OR exclusion = '') AND ${matchesFilters}
    ORDER BY o.at DESC
    LIMIT {count:UInt32} WITH TIES`,
  row: OpenShown.extend({ matching: z.int() }),
});

/** All of them, for a table of any length. */
export const allOpens = defineQuestion<OwnerParams & Filters>()({
  name: "all-opens",
  sql: `SELECT ${openColumns} FROM ${ownerOpens} AS o WHERE ${matchesFilters} ORDER BY o.at, event_id`,
  row: OpenShown,
});

/** When a person first opened a link of the span; one column is read, whatever its length. */
export const firstOpenAt = defineQuestion<OwnerParams>()({
  name: "first-open-at",
  sql: `SELECT toUnixTimestamp64Milli(min(at)) AS at FROM ${ownerOpens} AS o WHERE is_open HAVING count() > 0`,
  row: z.object({ at: Ms }),
});

/** The first open by a person in a span, best a short one around `firstOpenAt`. */
export const firstOpen = defineQuestion<OwnerParams>()({
  name: "first-open",
  sql: `SELECT ${openColumns} FROM ${ownerOpens} AS o WHERE is_open ORDER BY o.at LIMIT 1`,
  row: OpenShown,
});
