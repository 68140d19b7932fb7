/**
 * What a column holds. `pseudonym`: names a visitor or a visit, under a key of the analyst who asks, so that
 * it matches nothing outside. `coarse`: place and device, never exact. `content`: what pages and campaigns are
 * called, scrubbed. `operational`: times, kinds and numbers.
 */
export const columnClasses = ["pseudonym", "coarse", "content", "operational"] as const;
type ColumnClass = (typeof columnClasses)[number];

/** `type`: of ClickHouse. `example`: as a result shows it. */
export type Column = {
  readonly type: string;
  readonly class: ColumnClass;
  readonly example: string;
  readonly meaning: string;
};

/** What analysts ask, by its name in their queries. */
export type AnalystView = {
  readonly summary: string;
  /** Rows are about single visitors, whose pseudonyms are made anew for each analyst. */
  readonly isKeyed: boolean;
  readonly columns: Readonly<Record<string, Column>>;
};

const word = "LowCardinality(String)";
const column = (type: string, of: ColumnClass, example: string, meaning: string): Column => ({
  type,
  class: of,
  example,
  meaning,
});
const countOf = (meaning: string, example = "42") =>
  column("UInt64", "operational", example, meaning);
const textOf = (meaning: string, example: string) => column(word, "content", example, meaning);

const day = column("Date", "operational", "2026-03-18", "Day in UTC; filter on it");
const page = textOf("Path without query", "/pricing");
const is_bot = column("UInt8", "operational", "0", "1 when a request looked automated");
const channels = "direct, search, social, email, assistant, jobs, referral, paid or internal";
const channel = column(word, "operational", "search", channels);
const referrer_domain = textOf("Domain or Android app that led here; empty for none", "google.com");
const country = column(word, "coarse", "IL", "ISO 3166-1 alpha-2; empty when unknown");
const devices = "desktop, mobile, tablet, tv, console or other";
const device_class = column(word, "coarse", "mobile", devices);
const browser = column(word, "coarse", "Firefox", "Family of the browser");
const os = column(word, "coarse", "Android", "Family of the operating system");
const languages = "Language of the page at the start: en, he; empty when unknown";
const page_language = column(word, "coarse", "he", languages);
const browserLanguages = "First language of the browser; empty when unknown";
const browser_language = column(word, "coarse", "he-IL", browserLanguages);
const campaign = {
  utm_source: textOf("Campaign tag of the arrival", "newsletter"),
  utm_medium: textOf("Campaign tag of the arrival", "email"),
  utm_campaign: textOf("Campaign tag of the arrival", "spring"),
};
const noSum = "do not add it up over days or rows";
const page_views = countOf("Pages viewed", "310");
const sessions = countOf("Different sessions of browsers", "120");
const visitors = countOf(`Different visitors; ${noSum}`, "97");
const pseudonym = "31d7c1e0-9b6a-5f0e-8a55-1c0a5fd27b11";
const session_id = column("UUID", "pseudonym", pseudonym, "A session of a browser; yours alone");
const visitor_id = column("UUID", "pseudonym", pseudonym, "A visitor; yours alone");
const seconds = (meaning: string, example: string) =>
  column("Float64", "operational", example, meaning);
const timeOf = (meaning: string) =>
  column("DateTime('UTC')", "operational", "2026-03-18 09:14:04", `${meaning}, to the second`);
const pathOf = (meaning: string) => column("String", "content", "/ats/what-is-ats", meaning);

/** One row for each visit: activity without a pause of 30 minutes. */
const sessionColumns = {
  day,
  session_id,
  visit: column("UInt32", "operational", "1", "Number of the visit within the browser's session"),
  visitor_id,
  started_at: timeOf("First activity"),
  ended_at: timeOf("Last activity"),
  duration_seconds: seconds("From the first to the last activity", "140"),
  engaged_seconds: seconds("Time for which pages were in use", "61.5"),
  scroll_depth: column("UInt8", "operational", "80", "Greatest part of a page seen, in percent"),
  page_views,
  clicks: countOf("Clicks reported", "3"),
  custom_events: countOf("Custom events reported", "1"),
  entry_page: pathOf("First page seen"),
  exit_page: pathOf("Last page seen"),
  referrer_domain,
  channel,
  ...campaign,
  country,
  region: column("String", "coarse", "Haifa", "Region; empty when unknown"),
  device_class,
  browser,
  os,
  page_language,
  browser_language,
  is_bounce: column("UInt8", "operational", "0", "1 for one page and nothing clicked or reported"),
  is_bot,
};

const eventColumns = {
  day,
  session_id,
  visitor_id,
  occurred_at: timeOf("When it happened"),
  kind: column(
    word,
    "operational",
    "page_view",
    "session_start, page_view, click, custom, session_end",
  ),
  event_type: textOf("Name of a custom event; else empty", "signup_started"),
  page,
  page_referrer: textOf("Own page or other domain that led to a page view", "/pricing"),
  not_found: column("UInt8", "operational", "0", "1 for a view of a page that does not exist"),
  element: textOf("What was clicked", "Join the waitlist"),
  element_category: textOf("Kind of the clicked element", "button"),
  event_data: column("String", "content", '{"step":2}', "JSON of a custom event, scrubbed"),
  channel,
  country,
  device_class,
  is_bot,
};

/** All of them, in the order in which they are shown. */
export const analystViews = {
  sessions: {
    summary: "Visits: activity without a pause of 30 minutes",
    isKeyed: true,
    columns: sessionColumns,
  },
  events: { summary: "Single events of visits", isKeyed: true, columns: eventColumns },
  page_views_daily: {
    summary: "Views of a page on a day",
    isKeyed: false,
    columns: { day, page, is_bot, page_views, sessions, visitors },
  },
  referrers_daily: {
    summary: "Sessions from a source on a day",
    isKeyed: false,
    columns: {
      day,
      channel,
      referrer_domain,
      ...campaign,
      is_bot,
      sessions,
      visitors,
      page_views,
    },
  },
  audience_daily: {
    summary: "Sessions by country and device on a day",
    isKeyed: false,
    columns: { day, country, device_class, is_bot, sessions, visitors, page_views },
  },
  languages_daily: {
    summary: "Sessions by language of page and browser on a day",
    isKeyed: false,
    columns: { day, page_language, browser_language, is_bot, sessions, visitors, page_views },
  },
  page_engagement_daily: {
    summary: "How long a page was in use on a day, and how far it was read",
    isKeyed: false,
    columns: {
      day,
      page,
      is_bot,
      page_views,
      engaged_seconds: seconds("Time in use, of all page views", "5210"),
      median_engaged_seconds: seconds("Time in use of the median page view", "41"),
      scroll_depth: seconds("Mean of the greatest parts seen, in percent", "63.2"),
    },
  },
  web_vitals_daily: {
    summary: "Speed and stability of a page on a day",
    isKeyed: false,
    columns: {
      day,
      page,
      device_class,
      is_bot,
      metric: column("String", "operational", "LCP", "LCP, CLS, INP, FCP or TTFB"),
      page_loads: countOf("Page loads that measured it", "210"),
      p75: seconds("Milliseconds of the third quartile; of CLS a number without unit", "1840"),
      good: countOf("Page loads rated good", "180"),
      needs_improvement: countOf("Page loads that need improvement", "20"),
      poor: countOf("Page loads rated poor", "10"),
    },
  },
  links_daily: {
    summary: "Links to elsewhere and files that were followed on a day",
    isKeyed: false,
    columns: {
      day,
      link: column(
        word,
        "operational",
        "outbound_link",
        "outbound_link, file_download, contact_link",
      ),
      target: column("String", "content", "github.com", "Domain, path of a file, or kind"),
      page,
      is_bot,
      clicks: countOf("Clicks", "12"),
      sessions,
    },
  },
  not_found_daily: {
    summary: "Views of pages that do not exist on a day",
    isKeyed: false,
    columns: {
      day,
      page,
      page_referrer: textOf("Own page or other domain with the link", "example.com"),
      is_bot,
      page_views,
      sessions,
    },
  },
  consent_daily: {
    summary: "Decisions about analytics on a day",
    isKeyed: false,
    columns: {
      day,
      decision: column(word, "operational", "granted", "granted, withdrawn, rejected, dnt or gpc"),
      method: column(word, "operational", "accept_all", "How it was made; empty for none"),
      decisions: countOf("Decisions", "31"),
    },
  },
  visits_without_consent_daily: {
    summary: "Numbers of a day without consent",
    isKeyed: false,
    columns: {
      day,
      page,
      reason: column(word, "operational", "no_consent", "no_consent, dnt or gpc"),
      sessions,
      page_views,
      clicks: countOf("Clicks", "12"),
      custom_events: countOf("Custom events", "3"),
    },
  },
  link_opens_daily: {
    summary: "Opens of all share links on a day; no link and no owner is named",
    isKeyed: false,
    columns: {
      day,
      leads_to: column(word, "operational", "file", "file, profile or external"),
      exclusion: column(word, "operational", "", "Why it counts as none; empty for an open"),
      channel,
      country,
      device_class,
      requests: countOf("Requests", "19"),
      visitors: countOf(`Different visitors of a link; ${noSum}`, "15"),
    },
  },
  server_events_daily: {
    summary: "Events that servers report of no visit, on a day",
    isKeyed: false,
    columns: {
      day,
      event_type: textOf("Type of the event", "signup_completed"),
      events: countOf("Events", "7"),
    },
  },
} as const satisfies Readonly<Record<string, AnalystView>>;

/** A view that a query may read. */
export type ViewName = keyof typeof analystViews;
/** Their names. */
export const isViewName = (name: string): name is ViewName => Object.hasOwn(analystViews, name);
