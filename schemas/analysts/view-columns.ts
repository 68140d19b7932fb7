import { z } from "zod";

/**
 * What a column holds. `pseudonym`: names a visitor or a visit, under a key of the analyst who asks, so that
 * it matches nothing outside. `coarse`: place and device, never exact. `content`: what pages and campaigns are
 * called, scrubbed. `operational`: times, kinds and numbers.
 */
export const columnClasses = ["pseudonym", "coarse", "content", "operational"] as const;
type ColumnClass = (typeof columnClasses)[number];

/** A description in both languages. */
export const Described = z.object({ en: z.string(), he: z.string() });
export type Described = Readonly<z.infer<typeof Described>>;
export const described = (en: string, he: string): Described => ({ en, he });

/** `type`: of ClickHouse. `example`: as a result shows it. */
export type Column = {
  readonly type: string;
  readonly class: ColumnClass;
  readonly example: string;
  readonly meaning: Described;
};

const word = "LowCardinality(String)";
const column = (
  type: string,
  of: ColumnClass,
  example: string,
  ...meaning: [en: string, he: string]
): Column => ({ type, class: of, example, meaning: described(...meaning) });

/** A column of numbers that are counted. */
export const countOf = (en: string, he: string, example = "42"): Column =>
  column("UInt64", "operational", example, en, he);
/** A column of words of the site and of campaigns. */
export const textOf = (example: string, en: string, he: string): Column =>
  column(word, "content", example, en, he);
/** A column of words that the product itself defines. */
export const kindOf = (example: string, en: string, he: string): Column =>
  column(word, "operational", example, en, he);
export const secondsOf = (example: string, en: string, he: string): Column =>
  column("Float64", "operational", example, en, he);
/** A column of texts that are mostly different. */
export const stringOf = (of: ColumnClass, example: string, en: string, he: string): Column =>
  column("String", of, example, en, he);

const timeOf = (en: string, he: string): Column =>
  column(
    "DateTime('UTC')",
    "operational",
    "2026-03-18 09:14:04",
    `${en}, to the second`,
    `${he}, בדיוק של שנייה`,
  );
const coarse = (example: string, en: string, he: string): Column =>
  column(word, "coarse", example, en, he);
const flag = (en: string, he: string): Column => column("UInt8", "operational", "0", en, he);

/** Added to numbers that must not be summed. */
export const noSum = described(
  "do not add it up over days or rows",
  "אין לסכום על פני ימים או שורות",
);
const pseudonym = "31d7c1e0-9b6a-5f0e-8a55-1c0a5fd27b11";
const tag = ["Campaign tag of the arrival", "תגית הקמפיין שבכתובת הכניסה"] as const;

/** Columns of more than one view, by their names. */
export const shared = {
  day: column(
    "Date",
    "operational",
    "2026-03-18",
    "Day in UTC; filter on it",
    "היום לפי UTC; כדאי לסנן לפיו",
  ),
  page: textOf("/pricing", "Path without query", "נתיב העמוד, ללא פרמטרים"),
  is_bot: flag("1 when a request looked automated", "1 כשהבקשה נראתה אוטומטית"),
  channel: kindOf(
    "search",
    "direct, search, social, email, assistant, jobs, referral, paid or internal",
    "ערוץ ההגעה: direct, search, social, email, assistant, jobs, referral, paid או internal",
  ),
  referrer_domain: textOf(
    "google.com",
    "Domain or Android app that led here; empty for none",
    "הדומיין או אפליקציית האנדרואיד שהובילו לאתר; ריק כשאין",
  ),
  utm_source: textOf("newsletter", ...tag),
  utm_medium: textOf("email", ...tag),
  utm_campaign: textOf("spring", ...tag),
  country: coarse(
    "IL",
    "ISO 3166-1 alpha-2; empty when unknown",
    "קוד מדינה לפי ISO 3166-1 alpha-2; ריק כשאינו ידוע",
  ),
  device_class: coarse(
    "mobile",
    "desktop, mobile, tablet, tv, console or other",
    "סוג המכשיר: desktop, mobile, tablet, tv, console או other",
  ),
  page_language: coarse(
    "he",
    "Language of the page at the start: en, he; empty when unknown",
    "שפת העמוד בתחילת הביקור: en או he; ריק כשאינה ידועה",
  ),
  browser_language: coarse(
    "he-IL",
    "First language of the browser; empty when unknown",
    "השפה הראשונה של הדפדפן; ריק כשאינה ידועה",
  ),
  page_views: countOf("Pages viewed", "צפיות בעמודים", "310"),
  sessions: countOf("Different sessions of browsers", "סשנים שונים של דפדפנים", "120"),
  visitors: countOf(`Different visitors; ${noSum.en}`, `מבקרים שונים; ${noSum.he}`, "97"),
  session_id: column(
    "UUID",
    "pseudonym",
    pseudonym,
    "A session of a browser; yours alone",
    "סשן של דפדפן; המזהה ייחודי לחשבון הזה",
  ),
  visitor_id: column(
    "UUID",
    "pseudonym",
    pseudonym,
    "A visitor; yours alone",
    "מבקר או מבקרת; המזהה ייחודי לחשבון הזה",
  ),
} as const;

const { day, session_id, visitor_id, page, page_views, channel, country, device_class } = shared;

/** One row for each visit: activity without a pause of 30 minutes. */
export const sessionColumns = {
  day,
  session_id,
  visit: column(
    "UInt32",
    "operational",
    "1",
    "Number of the visit within the browser's session",
    "מספר הביקור בתוך הסשן של הדפדפן",
  ),
  visitor_id,
  started_at: timeOf("First activity", "הפעילות הראשונה"),
  ended_at: timeOf("Last activity", "הפעילות האחרונה"),
  duration_seconds: secondsOf(
    "140",
    "From the first to the last activity",
    "הזמן מהפעילות הראשונה עד האחרונה",
  ),
  engaged_seconds: secondsOf(
    "61.5",
    "Time for which pages were in use",
    "הזמן שבו העמודים היו בשימוש בפועל",
  ),
  scroll_depth: column(
    "UInt8",
    "operational",
    "80",
    "Greatest part of a page seen, in percent",
    "החלק הגדול ביותר של עמוד שנראה, באחוזים",
  ),
  page_views,
  clicks: countOf("Clicks reported", "לחיצות שדווחו", "3"),
  custom_events: countOf("Custom events reported", "אירועים מותאמים שדווחו", "1"),
  entry_page: stringOf("content", "/ats/what-is-ats", "First page seen", "העמוד הראשון בביקור"),
  exit_page: stringOf("content", "/ats/what-is-ats", "Last page seen", "העמוד האחרון בביקור"),
  referrer_domain: shared.referrer_domain,
  channel,
  utm_source: shared.utm_source,
  utm_medium: shared.utm_medium,
  utm_campaign: shared.utm_campaign,
  country,
  region: stringOf("coarse", "Haifa", "Region; empty when unknown", "אזור; ריק כשאינו ידוע"),
  device_class,
  browser: coarse("Firefox", "Family of the browser", "משפחת הדפדפן"),
  os: coarse("Android", "Family of the operating system", "משפחת מערכת ההפעלה"),
  page_language: shared.page_language,
  browser_language: shared.browser_language,
  is_bounce: flag(
    "1 for one page and nothing clicked or reported",
    "1 כשנצפה עמוד אחד בלבד, ללא לחיצה או אירוע",
  ),
  is_bot: shared.is_bot,
} as const;

/** One row for each event of a visit. */
export const eventColumns = {
  day,
  session_id,
  visitor_id,
  occurred_at: timeOf("When it happened", "מועד האירוע"),
  kind: kindOf(
    "page_view",
    "session_start, page_view, click, custom, session_end",
    "סוג האירוע: session_start, page_view, click, custom או session_end",
  ),
  event_type: textOf(
    "signup_started",
    "Name of a custom event; else empty",
    "שם האירוע המותאם; ריק באירועים אחרים",
  ),
  page,
  page_referrer: textOf(
    "/pricing",
    "Own page or other domain that led to a page view",
    "עמוד באתר או דומיין אחר שהובילו לצפייה בעמוד",
  ),
  not_found: flag("1 for a view of a page that does not exist", "1 כשנצפה עמוד שאינו קיים"),
  element: textOf("Join the waitlist", "What was clicked", "מה נלחץ"),
  element_category: textOf("button", "Kind of the clicked element", "סוג הרכיב שנלחץ"),
  event_data: stringOf(
    "content",
    '{"step":2}',
    "JSON of a custom event, scrubbed",
    "נתוני האירוע המותאם כ־JSON, לאחר ניקוי",
  ),
  channel,
  country,
  device_class,
  is_bot: shared.is_bot,
} as const;

/** One row for each view of a page, with the page before it: ways through the site need no window over all events. */
export const pageViewColumns = {
  day,
  visitor_id,
  session_id,
  occurred_at: timeOf("When it happened", "מועד הצפייה"),
  page,
  path: textOf(
    "/ → /pricing",
    "Page before it in the same session and day, and the page; empty where there is no other",
    "העמוד שלפניו באותו סשן ובאותו יום, והעמוד עצמו; ריק כשאין עמוד אחר",
  ),
  is_bot: shared.is_bot,
} as const;

/** Different visitors that are counted in advance: over days they may be added up by the days since they were counted before. */
export const visitorColumns = {
  day,
  property: kindOf(
    "channel",
    "channel, campaign, entry_page or exit_page of visits; page or path of page views",
    "המאפיין: channel, campaign, entry_page או exit_page של ביקורים; page או path של צפיות בעמודים",
  ),
  is_all: flag("1 for all values of the property together", "1 לכל ערכי המאפיין יחד"),
  value: textOf(
    "search",
    "Value of the property; empty for all together",
    "ערך המאפיין; ריק בשורה של כל הערכים יחד",
  ),
  days_since: column(
    "UInt16",
    "operational",
    "7",
    "Days since the same visitors were counted under this value before; 65535 if not within 400 days. Visitors with days_since > dateDiff('day', first_day, day) may be added up over all days from first_day on",
    "הימים שעברו מאז שאותם מבקרים נספרו תחת הערך הזה; 65535 אם לא נספרו ב־400 הימים הקודמים. מבקרים שעבורם days_since > dateDiff('day', first_day, day) אפשר לסכום על פני כל הימים החל מ־first_day",
  ),
  visitors: countOf("Different visitors of the day", "מבקרים שונים ביום", "19"),
  amount: countOf(
    "Their visits, or their page views",
    "הביקורים שלהם, או הצפיות שלהם בעמודים",
    "23",
  ),
} as const;
