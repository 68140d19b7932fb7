import { randomUUID } from "node:crypto";

import { CounterRow, EventRow } from "@pro-talent/schemas/analytics/row";
import { noVisitor, OpenRow } from "@pro-talent/schemas/links/opens";
import { v7 as uuidV7 } from "uuid";

import type { SpoolRecord } from "../frame.ts";

const blank = {
  event_type: "",
  time_source: "device",
  page_title: "",
  page_referrer: "",
  entry_page: "/",
  referrer_domain: "",
  channel: "direct",
  utm_source: "",
  utm_medium: "",
  utm_campaign: "",
  utm_term: "",
  utm_content: "",
  element: "",
  element_category: "",
  element_id: "",
  element_class: "",
  click_x: null,
  click_y: null,
  event_data: "{}",
  browser: "Firefox",
  browser_major: 140,
  os: "Linux",
  device_class: "desktop",
  country: "IL",
  region: "Haifa",
  city: "Haifa",
  is_bot: 0,
  bot_reasons: [],
  screen: "1920x1080",
  viewport: "1200x800",
  timezone: "Asia/Jerusalem",
  color_depth: 24,
  pixel_ratio: 1.25,
  device_memory: 8,
  connection_type: "4g",
};

/** A page view of a new session, with what a test wants to say about it. */
export function eventRow(about: Partial<Record<keyof EventRow, unknown>> = {}): EventRow {
  const now = new Date().toISOString();
  return EventRow.parse({
    ...blank,
    event_id: uuidV7(),
    kind: "page_view",
    visitor_id: randomUUID(),
    session_id: randomUUID(),
    session_started_at: now,
    occurred_at: now,
    received_at: now,
    page: "/",
    ...about,
  });
}

export function eventRecord(
  about: Partial<Record<keyof EventRow, unknown>> = {},
  claim = false,
): SpoolRecord {
  return { kind: "event", row: eventRow(about), claim };
}

export function counterRecord(about: Partial<CounterRow> = {}): SpoolRecord {
  const day = new Date().toISOString().slice(0, 10);
  const row = { day, metric: "page_view", page: "/", label: "no_consent", detail: "", count: 1 };
  return { kind: "counter", row: CounterRow.parse({ ...row, ...about }) };
}

/** An open by a person. */
export function openRecord(
  eventId: string,
  about: Partial<Record<keyof OpenRow, unknown>> = {},
): SpoolRecord {
  const row = OpenRow.parse({
    ...blank,
    event_id: eventId,
    link_id: randomUUID(),
    account_id: randomUUID(),
    occurred_at: new Date().toISOString(),
    leads_to: "external",
    exclusion: "",
    reasons: [],
    visitor_id: noVisitor,
    ...about,
  });
  return { kind: "open", row };
}
