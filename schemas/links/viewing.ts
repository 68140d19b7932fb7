import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { linkTargets } from "./events.ts";

/** What was seen of a file or page of ours, as its page reports it: totals since it was opened. */
export const Viewing = z.object({
  /** Seconds during which it was visible and in use. */
  seconds: z.int().min(0).max(86_400),
  /** Pages of a PDF, or sections of a portfolio, that were shown, counted once each; 0 for anything else. */
  pages: z.int().min(0).max(10_000),
  /** Pages that the PDF has, or sections of the portfolio; 0 for anything else. */
  pagesTotal: z.int().min(0).max(10_000),
  /** The file was saved. */
  downloaded: z.boolean(),
});
export type Viewing = z.infer<typeof Viewing>;

/** What a page of ours knows of the open that led to it; sealed into its address by the collector. */
export const ViewingTicket = z.object({
  eventId: Uuid,
  linkId: Uuid,
  accountId: Uuid,
  /** Of the link, which an address that was passed on leads back to; empty for a portfolio at its own address. */
  code: z.string(),
  occurredAt: Instant,
  leadsTo: z.enum(linkTargets),
  /** Whether a password was given. */
  unlocked: z.boolean(),
});
export type ViewingTicket = z.infer<typeof ViewingTicket>;

/**
 * One report of the page that an open led to, as ClickHouse stores it: appended, never updated. The
 * largest values of an open's reports hold. The first report confirms that the page was visible; whether
 * the open counts is stated by its own row.
 */
export const ViewingRow = Viewing.extend({
  report_id: z.uuid(),
  event_id: z.uuid(),
  link_id: z.uuid(),
  account_id: z.uuid(),
  /** Of the open. */
  opened_at: Instant,
  reported_at: Instant,
})
  .omit({ pagesTotal: true })
  .extend({ pages_total: z.int() });
export type ViewingRow = z.infer<typeof ViewingRow>;
