import { z } from "zod";

import { OpenRow } from "../links/opens.ts";
import { defineCalls } from "../primitives/calls.ts";
import { AnonymousId, Uuid, VisitorId } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { defineProblems } from "../primitives/problem.ts";
import { searchCall } from "../privacy/erasure-search.ts";
import { EventRow } from "./row.ts";

export const erasureProblems = defineProblems({
  erasure_not_found: [404, "There is no such erasure."],
  stores_unavailable: [503, "What is stored cannot be read right now. Try again shortly."],
});
const { erasure_not_found, stores_unavailable } = erasureProblems;

/** Events of one answer; there is the number of all beside them. */
export const storedEventsMax = 5_000;

/** An event as it is stored, without the pseudonym of its visitor. */
export const StoredEvent = EventRow.omit({ visitor_id: true }).extend({
  not_found: z.union([z.literal(0), z.literal(1)]),
  page_language: z.string(),
  browser_language: z.string(),
});
export type StoredEvent = z.infer<typeof StoredEvent>;

/** An open of a shared link as it is stored of a visitor who consented, without what names both. */
export const StoredOpen = OpenRow.pick({
  occurred_at: true,
  leads_to: true,
  browser: true,
  os: true,
  device_class: true,
  country: true,
  region: true,
  city: true,
  referrer_domain: true,
});
export type StoredOpen = z.infer<typeof StoredOpen>;

/** `erased`: no store of analytics holds anything of the subject, nor can a record still arrive. */
const ErasureStatus = z.object({
  status: z.enum(["scheduled", "erased"]),
  requestedAt: Instant,
  erasedAt: Instant.nullable(),
  /** That were deleted so far. */
  rows: z.int().min(0),
});
export type ErasureStatus = z.infer<typeof ErasureStatus>;

const mine = z.object({ anonymousId: AnonymousId });
const ErasureParams = z.object({ erasureId: Uuid });

/**
 * For a visitor without an account: the anonymous id that their browser alone keeps is the proof of who
 * asks, so it is sent in the body and never part of an address.
 */
export const visitorDataCalls = defineCalls({
  "POST /api/analytics/visitor/data": {
    summary: "What is stored under an anonymous id",
    access: "public",
    body: mine,
    answer: z.object({
      visits: z.int(),
      events: z.array(StoredEvent),
      /** Of all, also of those beyond the newest {@link storedEventsMax}. */
      eventsStored: z.int(),
      /** Of shared links, the newest first. */
      opens: z.array(StoredOpen),
      firstAt: Instant.nullable(),
      lastAt: Instant.nullable(),
    }),
    problems: [stores_unavailable],
  },
  "POST /api/analytics/visitor/erasure": {
    summary: "Erases what is stored under an anonymous id; acknowledged, it is never forgotten",
    access: "public",
    body: mine,
    status: 202,
    answer: z.object({ erasureId: Uuid }),
    problems: [stores_unavailable],
  },
  "GET /api/analytics/visitor/erasure/:erasureId": {
    summary: "How far an erasure is, for the service that decided it",
    access: "public",
    params: ErasureParams,
    answer: ErasureStatus,
    problems: [erasure_not_found, stores_unavailable],
  },
});

/** Whose rows are erased: of a visitor of the site, or of the links of an account. */
export const ErasureSubject = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("visitor"), id: VisitorId }),
  z.object({ kind: z.literal("account"), id: Uuid }),
]);
export type ErasureSubject = z.infer<typeof ErasureSubject>;

/** For the ledger, which decides about requests of account holders. */
export const internalErasureCalls = defineCalls({
  "POST /internal/analytics/erasures": {
    summary:
      "Erases what ClickHouse holds of a subject; repeated under the same id it changes nothing",
    access: "internal",
    body: z.object({ erasureId: Uuid, subject: ErasureSubject }),
    status: 202,
    answer: z.object({ status: z.literal("recorded") }),
    problems: [stores_unavailable],
  },
  "GET /internal/analytics/erasures/:erasureId": {
    summary: "How far an erasure of rows by subject is",
    access: "internal",
    params: ErasureParams,
    answer: ErasureStatus,
    problems: [erasure_not_found, stores_unavailable],
  },
});

/** For the search that ends an erasure. */
export const internalAnalyticsSearchCalls = defineCalls({
  "POST /internal/analytics/searches": {
    summary: "Searches what the collector stores for what was erased: ClickHouse, spool, Postgres",
    ...searchCall,
  },
});
