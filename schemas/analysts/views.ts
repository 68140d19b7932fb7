import {
  type Column,
  countOf,
  type Described,
  described,
  eventColumns,
  kindOf,
  noSum,
  pageViewColumns,
  secondsOf,
  sessionColumns,
  shared,
  stringOf,
  textOf,
  visitorColumns,
} from "./view-columns.ts";

/** What analysts ask, by its name in their queries. */
export type AnalystView = {
  readonly summary: Described;
  /** Rows are about single visitors, whose pseudonyms are made anew for each analyst. */
  readonly isKeyed: boolean;
  readonly columns: Readonly<Record<string, Column>>;
};

const { day, page, is_bot, channel, country, device_class, sessions, visitors, page_views } =
  shared;
const { referrer_domain, utm_source, utm_medium, utm_campaign } = shared;
const { page_language, browser_language } = shared;

/** All of them, in the order in which they are shown. */
export const analystViews = {
  sessions: {
    summary: described(
      "Visits: activity without a pause of 30 minutes",
      "ביקורים: פעילות ללא הפסקה של 30 דקות",
    ),
    isKeyed: true,
    columns: sessionColumns,
  },
  events: {
    summary: described("Single events of visits", "האירועים הבודדים של הביקורים"),
    isKeyed: true,
    columns: eventColumns,
  },
  page_views: {
    summary: described(
      "Views of pages, each with the page before it",
      "צפיות בעמודים, כל אחת עם העמוד שלפניה",
    ),
    isKeyed: true,
    columns: pageViewColumns,
  },
  visitors_daily: {
    summary: described(
      "Different visitors of days that are over, counted in advance",
      "מבקרים שונים בימים שהסתיימו, ספורים מראש",
    ),
    isKeyed: false,
    columns: visitorColumns,
  },
  page_views_daily: {
    summary: described("Views of a page on a day", "צפיות בעמוד ביום"),
    isKeyed: false,
    columns: { day, page, is_bot, page_views, sessions, visitors },
  },
  referrers_daily: {
    summary: described("Sessions from a source on a day", "סשנים ממקור הגעה ביום"),
    isKeyed: false,
    columns: {
      day,
      channel,
      referrer_domain,
      utm_source,
      utm_medium,
      utm_campaign,
      is_bot,
      sessions,
      visitors,
      page_views,
    },
  },
  audience_daily: {
    summary: described("Sessions by country and device on a day", "סשנים לפי מדינה ומכשיר ביום"),
    isKeyed: false,
    columns: { day, country, device_class, is_bot, sessions, visitors, page_views },
  },
  languages_daily: {
    summary: described(
      "Sessions by language of page and browser on a day",
      "סשנים לפי שפת העמוד ושפת הדפדפן ביום",
    ),
    isKeyed: false,
    columns: { day, page_language, browser_language, is_bot, sessions, visitors, page_views },
  },
  page_engagement_daily: {
    summary: described(
      "How long a page was in use on a day, and how far it was read",
      "כמה זמן היה עמוד בשימוש ביום, ועד כמה נקרא",
    ),
    isKeyed: false,
    columns: {
      day,
      page,
      is_bot,
      page_views,
      engaged_seconds: secondsOf(
        "5210",
        "Time in use, of all page views",
        "זמן השימוש בכל הצפיות יחד",
      ),
      median_engaged_seconds: secondsOf(
        "41",
        "Time in use of the median page view",
        "זמן השימוש בצפייה החציונית",
      ),
      scroll_depth: secondsOf(
        "63.2",
        "Mean of the greatest parts seen, in percent",
        "ממוצע החלקים הגדולים ביותר שנראו, באחוזים",
      ),
    },
  },
  web_vitals_daily: {
    summary: described("Speed and stability of a page on a day", "מהירות ויציבות של עמוד ביום"),
    isKeyed: false,
    columns: {
      day,
      page,
      device_class,
      is_bot,
      metric: stringOf(
        "operational",
        "LCP",
        "LCP, CLS, INP, FCP or TTFB",
        "המדד: LCP, CLS, INP, FCP או TTFB",
      ),
      page_loads: countOf("Page loads that measured it", "טעינות עמוד שבהן נמדד", "210"),
      p75: secondsOf(
        "1840",
        "Milliseconds of the third quartile; of CLS a number without unit",
        "הרבעון השלישי באלפיות שנייה; ב־CLS מספר ללא יחידה",
      ),
      good: countOf("Page loads rated good", "טעינות עמוד בדירוג טוב", "180"),
      needs_improvement: countOf(
        "Page loads that need improvement",
        "טעינות עמוד שדורשות שיפור",
        "20",
      ),
      poor: countOf("Page loads rated poor", "טעינות עמוד בדירוג חלש", "10"),
    },
  },
  links_daily: {
    summary: described(
      "Links to elsewhere and files that were followed on a day",
      "קישורים החוצה וקבצים שנפתחו ביום",
    ),
    isKeyed: false,
    columns: {
      day,
      link: kindOf(
        "outbound_link",
        "outbound_link, file_download, contact_link",
        "סוג הקישור: outbound_link, file_download או contact_link",
      ),
      target: stringOf(
        "content",
        "github.com",
        "Domain, path of a file, or kind",
        "דומיין, נתיב של קובץ או סוג",
      ),
      page,
      is_bot,
      clicks: countOf("Clicks", "לחיצות", "12"),
      sessions,
    },
  },
  not_found_daily: {
    summary: described(
      "Views of pages that do not exist on a day",
      "צפיות ביום בעמודים שאינם קיימים",
    ),
    isKeyed: false,
    columns: {
      day,
      page,
      page_referrer: textOf(
        "example.com",
        "Own page or other domain with the link",
        "עמוד באתר או דומיין אחר שבו הקישור",
      ),
      is_bot,
      page_views,
      sessions,
    },
  },
  consent_daily: {
    summary: described("Decisions about analytics on a day", "החלטות על איסוף נתוני שימוש ביום"),
    isKeyed: false,
    columns: {
      day,
      decision: kindOf(
        "granted",
        "granted, withdrawn, rejected, dnt or gpc",
        "ההחלטה: granted, withdrawn, rejected, dnt או gpc",
      ),
      method: kindOf(
        "accept_all",
        "How it was made; empty for none",
        "כיצד התקבלה; ריק כשלא התקבלה",
      ),
      decisions: countOf("Decisions", "החלטות", "31"),
    },
  },
  visits_without_consent_daily: {
    summary: described("Numbers of a day without consent", "מספרי היום של ביקורים ללא הסכמה"),
    isKeyed: false,
    columns: {
      day,
      page,
      reason: kindOf("no_consent", "no_consent, dnt or gpc", "הסיבה: no_consent, dnt או gpc"),
      sessions,
      page_views,
      clicks: countOf("Clicks", "לחיצות", "12"),
      custom_events: countOf("Custom events", "אירועים מותאמים", "3"),
    },
  },
  link_opens_daily: {
    summary: described(
      "Opens of all share links on a day; no link and no owner is named",
      "פתיחות של כל קישורי השיתוף ביום; ללא ציון קישור או בעלים",
    ),
    isKeyed: false,
    columns: {
      day,
      leads_to: kindOf(
        "file",
        "file, profile or external",
        "לאן מוביל הקישור: file, profile או external",
      ),
      exclusion: kindOf(
        "",
        "Why it counts as none; empty for an open",
        "מדוע אינה נספרת; ריק כשזו פתיחה",
      ),
      channel,
      country,
      device_class,
      requests: countOf("Requests", "בקשות", "19"),
      visitors: countOf(
        `Different visitors of a link; ${noSum.en}`,
        `מבקרים שונים של קישור; ${noSum.he}`,
        "15",
      ),
    },
  },
  server_events_daily: {
    summary: described(
      "Events that servers report of no visit, on a day",
      "אירועים ביום שמדווחים השרתים ואינם שייכים לביקור",
    ),
    isKeyed: false,
    columns: {
      day,
      event_type: textOf("signup_completed", "Type of the event", "סוג האירוע"),
      events: countOf("Events", "אירועים", "7"),
    },
  },
} as const satisfies Readonly<Record<string, AnalystView>>;

/** A view that a query may read. */
export type ViewName = keyof typeof analystViews;
/** Their names. */
export const isViewName = (name: string): name is ViewName => Object.hasOwn(analystViews, name);
