import { Channel, DeviceClass } from "@pro-talent/schemas/analytics/row";
import { exclusions } from "@pro-talent/schemas/links/opens";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { type AskOwner, defineQuestion, Ms, type Span } from "../ask.ts";
import {
  type Filters,
  matchesFilters,
  ownerOpens,
  type OwnerParams,
  spanParams,
} from "./owner-opens.ts";

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

/** When a person first opened a link of the span. */
export const firstOpenAt = defineQuestion<OwnerParams>()({
  name: "first-open-at",
  sql: `SELECT toUnixTimestamp64Milli(min(at)) AS at FROM ${ownerOpens} AS o WHERE is_open HAVING count() > 0`,
  row: z.object({ at: Ms }),
});

/** The first open by a person in a span, best a short one that begins with `firstOpenAt`. */
export const firstOpen = defineQuestion<OwnerParams>()({
  name: "first-open",
  sql: `SELECT ${openColumns} FROM ${ownerOpens} AS o WHERE is_open ORDER BY o.at LIMIT 1`,
  row: OpenShown,
});

/** The span in which the first open is looked for first. */
const firstSpanMs = 31 * 24 * 3_600_000;

/**
 * The first open by a person in a span. It is looked for in a month, then in spans that grow twofold, as
 * most links are opened soon: of years of opens only the first month is read.
 */
export async function firstOpenIn(
  ask: AskOwner,
  links: readonly string[],
  { from, until }: Span,
): Promise<OpenShown | undefined> {
  let begin = from;
  for (let spanMs = firstSpanMs; begin < until; spanMs *= 2) {
    const next = instantPlus(begin, spanMs);
    const end = next < until ? next : until;
    const [first] = await ask(firstOpenAt, { links, ...spanParams({ from: begin, until: end }) });
    if (first !== undefined) {
      const moment = { from: first.at, until: instantPlus(first.at, 1) };
      return (await ask(firstOpen, { links, ...spanParams(moment) }))[0];
    }
    begin = end;
  }
  return undefined;
}
