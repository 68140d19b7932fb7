import { z } from "zod";

import { VisitorId } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { channels, deviceClasses } from "./kinds.ts";

/** What ClickHouse stores. Field names are the column names of `events` and `counters_daily`. */

/** A measurement is no action of the visitor: how a page was used, or how fast it was. */
export const EventKind = z.enum([
  "session_start",
  "page_view",
  "click",
  "custom",
  "measurement",
  "session_end",
]);
export type EventKind = z.infer<typeof EventKind>;

export const DeviceClass = z.enum(deviceClasses);
export type DeviceClass = z.infer<typeof DeviceClass>;

export const Channel = z.enum(channels);
export type Channel = z.infer<typeof Channel>;

/**
 * Where an event's time comes from: `device`, as it said, or as the server that reported the event did;
 * `corrected`, from the device by the offset of its clock; `arrival`, since none was stated; `replaced`, of
 * arrival, since the stated one was impossible.
 */
export const TimeSource = z.enum(["device", "corrected", "arrival", "replaced"]);
export type TimeSource = z.infer<typeof TimeSource>;

/** One consented event. No address, no raw user agent, no anonymous id: only coarse facts. */
export const EventRow = z.object({
  event_id: z.uuid(),
  kind: EventKind,
  /** The name of a custom event or a measurement; empty otherwise. */
  event_type: z.string(),
  visitor_id: VisitorId,
  session_id: z.uuid(),
  session_started_at: Instant,
  occurred_at: Instant,
  received_at: Instant,
  time_source: TimeSource,
  /** Path without query and fragment. */
  page: z.string(),
  /** Left out of all but views of pages that do not exist. */
  not_found: z.literal(1).optional(),
  page_title: z.string(),
  /** Of a page view: the path of the site's own page, or the domain of another; else empty. */
  page_referrer: z.string(),
  /** How the visit session began, repeated on each event so that no join is needed. */
  entry_page: z.string(),
  referrer_domain: z.string(),
  channel: Channel,
  utm_source: z.string(),
  utm_medium: z.string(),
  utm_campaign: z.string(),
  utm_term: z.string(),
  utm_content: z.string(),
  element: z.string(),
  element_category: z.string(),
  element_id: z.string(),
  element_class: z.string(),
  click_x: z.number().int().nullable(),
  click_y: z.number().int().nullable(),
  /** JSON text of the data of a custom event or a measurement; `{}` when there is none. */
  event_data: z.string(),
  browser: z.string(),
  browser_major: z.number().int().min(0).max(65_535),
  os: z.string(),
  /** Empty for an event that a server reported, which knows neither device nor place. */
  device_class: z.union([DeviceClass, z.literal("")]),
  /** ISO 3166-1 alpha-2, or empty when unknown. */
  country: z.string(),
  region: z.string(),
  city: z.string(),
  is_bot: z.union([z.literal(0), z.literal(1)]),
  bot_reasons: z.array(z.string()),
  screen: z.string(),
  viewport: z.string(),
  timezone: z.string(),
  color_depth: z.number().int().min(0).max(255),
  pixel_ratio: z.number().min(0),
  device_memory: z.number().min(0),
  connection_type: z.string(),
  /** Languages are left out of all but the start of a session. */
  page_language: Locale.optional(),
  browser_language: z.string().optional(),
});
export type EventRow = z.infer<typeof EventRow>;

/** Anonymous daily counters: numbers by day, never a row per person. */
export const CounterMetric = z.enum([
  /** A visit session, page view, click or custom event without consent: `label` is the reason. */
  "session",
  "page_view",
  "click",
  "custom",
  "session_end",
  /** An event of a server without a visit session: `label` is its type. */
  "server_event",
  /** A consent decision: `label` is granted, withdrawn, rejected, dnt or gpc; `detail` the method. */
  "consent",
  /** A record that was refused or marked: `label` is the drop reason. */
  "drop",
]);
export type CounterMetric = z.infer<typeof CounterMetric>;

export const CounterRow = z.object({
  /** UTC day, `2026-03-01`. */
  day: z.iso.date(),
  metric: CounterMetric,
  /** Path without query, only for visits; empty otherwise. */
  page: z.string(),
  label: z.string(),
  detail: z.string(),
  count: z.number().int().min(1),
});
export type CounterRow = z.infer<typeof CounterRow>;

/** Why a record was not stored, or was stored with a mark. Counted per day, shown in `drops`. */
export const DropReason = z.enum([
  "malformed_json",
  "invalid_encoding",
  "invalid_body",
  "body_too_large",
  "unsupported_media_type",
  "unknown_session",
  /** Stored with its time of arrival. */
  "time_out_of_range",
  "rate_limited",
  "spool_full",
  "consent_unavailable",
  "duplicate",
  "bot_marked",
]);
export type DropReason = z.infer<typeof DropReason>;
