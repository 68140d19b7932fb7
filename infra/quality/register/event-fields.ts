import { fields } from "./classes.ts";

/** The fields of one consented event, in ClickHouse and in the spool. */
export const eventFields = fields({
  pseudonym: {
    event_id: "Names the event, so that a repetition is stored once",
    visitor_id: "Keyed pseudonym of the anonymous id",
    session_id: "Names the session",
  },
  coarse: {
    browser: "Family of the browser",
    browser_major: "Major version of the browser",
    os: "Family of the operating system",
    device_class: "Kind of device",
    country: "From the address, which is dropped at once",
    region: "From the address, which is dropped at once",
    city: "From the address, which is dropped at once",
    screen: "Size of the screen",
    viewport: "Size of the window",
    timezone: "Time zone that the browser names",
    color_depth: "Bits per pixel",
    pixel_ratio: "Pixels per CSS pixel",
    device_memory: "Memory as the browser rounds it",
    connection_type: "Kind of connection as the browser names it",
    click_x: "Where on the page a click was, in CSS pixels",
    click_y: "Where on the page a click was, in CSS pixels",
  },
  content: {
    event_type: "Name of a custom event",
    event_data: "Data of a custom event, bounded, as the page sends it",
    page: "Path, without query and fragment",
    page_title: "Title of the page",
    entry_page: "Page of arrival",
    referrer_domain: "Domain that led to the session; never the whole address",
    utm_source: "Campaign tag of the arrival",
    utm_medium: "Campaign tag of the arrival",
    utm_campaign: "Campaign tag of the arrival",
    utm_term: "Campaign tag of the arrival",
    utm_content: "Campaign tag of the arrival",
    element: "What was clicked",
    element_category: "Kind of what was clicked",
    element_id: "Id of the clicked element",
    element_class: "Class of the clicked element",
  },
  operational: {
    kind: "What happened",
    session_started_at: "Start of the session",
    occurred_at: "When it happened",
    received_at: "When the collector took it",
    channel: "How the visitor arrived",
    is_bot: "Whether the request looked automated",
    bot_reasons: "Why it looked automated",
  },
});

/** The fields of an anonymous daily counter. */
export const counterFields = fields({
  content: { page: "Path of a visit, without query" },
  operational: {
    day: "UTC day",
    metric: "What is counted",
    label: "Reason or decision",
    detail: "More about the reason",
    count: "How many",
  },
});
