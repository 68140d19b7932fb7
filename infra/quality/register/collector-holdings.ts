import { fields, same, type Holding } from "./classes.ts";
import { counterFields, eventFields } from "./event-fields.ts";

const RAW = "25 months, by TTL";
const FOREVER = "Without limit: numbers about nobody";

/** A row that says a segment of the spool has arrived, told from data by a mark. */
const mark = fields({ operational: { mark: "Segment of the spool that this row vouches for" } });
const target = fields({ operational: { target: "Which table shall take the row" } });
const uniques = fields({
  pseudonym: {
    sessions: "State that counts different sessions; hashes of their ids",
    visitors: "State that counts different visitors; hashes of their pseudonyms",
  },
});
const views = fields({ operational: { page_views: "How many page views" } });
const day = fields({ operational: { day: "UTC day" } });
const ARRIVAL = ["channel", "referrer_domain", "utm_source", "utm_medium", "utm_campaign"];
const UTM = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"];
const DEVICE = ["device_class", "browser", "os", "is_bot"];

const sessionFields = {
  ...mark,
  ...same(eventFields, "session_id", "visitor_id", "channel", "referrer_domain", ...UTM),
  ...same(eventFields, "country", ...DEVICE),
  ...views,
  ...fields({
    coarse: { place: "Country, region and city together" },
    content: {
      first_page: "Moment and path of the first page",
      last_page: "Moment and path of the last page",
    },
    operational: {
      session_day: "UTC day on which the session was opened",
      bucket: "Half hour of the activity",
      first_at: "First moment of the half hour",
      last_at: "Last moment of the half hour",
      clicks: "How many clicks",
      events: "How many events of any kind",
      custom_events: "How many custom events",
      ends: "How often the page was left",
    },
  }),
};

/** What the collector keeps: events and their aggregates, counters, and claims in Postgres. */
export const collectorHoldings: Holding[] = [
  {
    store: "postgres",
    name: "collector.event_claim",
    purpose: "Which segment stores a client-made event id, so that a repetition is stored once",
    retention: "Until no client may repeat the event any more; then swept",
    fields: fields({
      pseudonym: { event_id: "Names the event" },
      operational: { segment: "Segment of the spool", claimed_at: "When it was claimed" },
    }),
  },
  {
    store: "clickhouse",
    name: "events",
    purpose: "What consenting visitors did on the site",
    retention: RAW,
    fields: eventFields,
  },
  {
    store: "clickhouse",
    name: "events_in",
    purpose: "Where events are inserted; hands them to the tables",
    retention: "Keeps nothing",
    fields: { ...eventFields, ...target, ...mark },
  },
  {
    store: "clickhouse",
    name: "sessions_agg",
    purpose: "Sessions by half hour, so that pauses can be told exactly",
    retention: `${RAW}; marks 30 days`,
    fields: sessionFields,
  },
  {
    store: "clickhouse",
    name: "page_views_agg",
    purpose: "Page views by day and page",
    retention: `${RAW}; marks 30 days`,
    fields: { ...mark, ...day, ...same(eventFields, "page", "is_bot"), ...views, ...uniques },
  },
  {
    store: "clickhouse",
    name: "referrers_agg",
    purpose: "Arrivals by day",
    retention: `${RAW}; marks 30 days`,
    fields: { ...mark, ...day, ...same(eventFields, ...ARRIVAL, "is_bot"), ...views, ...uniques },
  },
  {
    store: "clickhouse",
    name: "audience_agg",
    purpose: "Countries and kinds of device by day",
    retention: `${RAW}; marks 30 days`,
    fields: {
      ...mark,
      ...day,
      ...same(eventFields, "country", "device_class", "is_bot"),
      ...views,
      ...uniques,
    },
  },
  {
    store: "clickhouse",
    name: "counters_daily",
    purpose: "Numbers by day without any id: visits without consent, decisions, refusals",
    retention: `${FOREVER}; marks 30 days`,
    fields: { ...mark, ...counterFields },
  },
  {
    store: "clickhouse",
    name: "counters_in",
    purpose: "Where counters are inserted; hands them to the table",
    retention: "Keeps nothing",
    fields: { ...counterFields, ...mark, ...target },
  },
  {
    store: "clickhouse",
    name: "migration",
    purpose: "Which migrations were applied",
    retention: "For the life of the database",
    fields: fields({
      operational: {
        name: "Which file",
        hash: "Proves that it did not change",
        applied_at: "When it was applied",
      },
    }),
  },
  {
    store: "spool",
    name: "event record",
    purpose: "What was acknowledged and is on its way to ClickHouse",
    retention: "Until ClickHouse has it: seconds, or as long as it is away",
    fields: {
      ...eventFields,
      ...fields({ operational: { claim: "Whether the client made the event id" } }),
    },
  },
  {
    store: "spool",
    name: "quarantined segment",
    purpose:
      "Records that ClickHouse cannot read, or that the disk damaged, for an operator to look at",
    retention: "Until an operator removes it",
    fields: { ...eventFields, ...counterFields },
  },
  {
    store: "spool",
    name: "counter record",
    purpose: "Counters on their way to ClickHouse",
    retention: "Until ClickHouse has it",
    fields: counterFields,
  },
];
