import { fields, same, type Holding } from "./classes.ts";
import { counterFields, eventFields } from "./event-fields.ts";

const views = fields({ operational: { page_views: "How many page views" } });
const day = fields({ operational: { day: "UTC day" } });
const ARRIVAL = ["channel", "referrer_domain", "utm_source", "utm_medium", "utm_campaign"];
const UTM = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"];
const DEVICE = ["device_class", "browser", "os", "is_bot"];

const decisionsOf = (name: string): Record<string, string> => ({ [name]: "How many" });

/** The views that analysts read. They keep nothing. */
export const analystViews: Holding[] = [
  {
    store: "clickhouse",
    name: "sessions",
    purpose: "One row per session",
    retention: "Keeps nothing",
    shows: "sessions_agg",
    fields: {
      ...day,
      ...same(
        eventFields,
        "session_id",
        "visitor_id",
        "entry_page",
        ...ARRIVAL.slice(0, 2),
        ...UTM,
      ),
      ...same(eventFields, "country", "region", "city", ...DEVICE),
      ...views,
      ...fields({
        content: { exit_page: "Page that was left last" },
        operational: {
          visit: "Number of the visit within a browser session",
          started_at: "First activity",
          ended_at: "Last activity",
          duration_seconds: "From first to last activity",
          clicks: "How many clicks",
          events: "How many events of any kind",
          custom_events: "How many custom events",
          is_bounce: "Whether it was one page and nothing else",
          ended_explicitly: "Whether the browser said goodbye",
        },
      }),
    },
  },
  {
    store: "clickhouse",
    name: "page_views_daily",
    purpose: "Page views by day and page",
    retention: "Keeps nothing",
    shows: "page_views_agg",
    fields: {
      ...day,
      ...same(eventFields, "page", "is_bot"),
      ...views,
      ...fields({ operational: { sessions: "How many sessions", visitors: "How many visitors" } }),
    },
  },
  {
    store: "clickhouse",
    name: "referrers_daily",
    purpose: "Where sessions came from, by day",
    retention: "Keeps nothing",
    shows: "referrers_agg",
    fields: {
      ...day,
      ...same(eventFields, ...ARRIVAL, "is_bot"),
      ...views,
      ...fields({ operational: { sessions: "How many sessions", visitors: "How many visitors" } }),
    },
  },
  {
    store: "clickhouse",
    name: "audience_daily",
    purpose: "Countries and kinds of device by day",
    retention: "Keeps nothing",
    shows: "audience_agg",
    fields: {
      ...day,
      ...same(eventFields, "country", "device_class", "is_bot"),
      ...views,
      ...fields({ operational: { sessions: "How many sessions", visitors: "How many visitors" } }),
    },
  },
  {
    store: "clickhouse",
    name: "consent_daily",
    purpose: "Consent decisions by day",
    retention: "Keeps nothing",
    shows: "counters_daily",
    fields: {
      ...day,
      ...fields({
        operational: {
          decision: "The decision",
          method: "Which control was used",
          ...decisionsOf("decisions"),
        },
      }),
    },
  },
  {
    store: "clickhouse",
    name: "drops",
    purpose: "Reports that were refused or marked, by day and reason",
    retention: "Keeps nothing",
    shows: "counters_daily",
    fields: {
      ...day,
      ...same(counterFields, "detail"),
      ...fields({ operational: { reason: "Why", ...decisionsOf("records") } }),
    },
  },
  {
    store: "clickhouse",
    name: "visits_without_consent_daily",
    purpose: "Visits of people who did not consent: numbers only",
    retention: "Keeps nothing",
    shows: "counters_daily",
    fields: {
      ...day,
      ...same(counterFields, "page"),
      ...views,
      ...fields({
        operational: {
          reason: "Why there is no more than a number",
          sessions: "How many began",
          clicks: "How many clicks",
          custom_events: "How many custom events",
          ends: "How many ended",
        },
      }),
    },
  },
];
