import type { QuestionName } from "@pro-talent/schemas/analysts/questions";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

type Texts = {
  /** @param title as its author wrote it */
  readonly subject: (title: string) => string;
  readonly about: (from: string, to: string) => string;
  readonly withheld: string;
  readonly cut: (shown: number, all: number) => string;
  readonly empty: string;
  readonly notWithheld: string;
  readonly failed: string;
  readonly missing: string;
  readonly see: string;
  readonly whyReceived: string;
  readonly change: string;
  readonly columns: {
    readonly name: string;
    readonly visitors: string;
    readonly amount: string;
    readonly step: string;
    readonly week: string;
    readonly others: string;
    readonly total: string;
    readonly weekAfter: (weeks: number) => string;
  };
  readonly questions: Readonly<Record<QuestionName, string>>;
  readonly steps: Readonly<Record<string, string>>;
};

export const deliveryTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    subject: (title) => `Analytics: ${title}`,
    about: (from, to) => `Days from ${from} to ${to}, in UTC.`,
    withheld:
      "Counts are rounded down to tens. Groups of fewer than ten visitors are not shown, nor those that would reveal them.",
    cut: (shown, all) => `${shown} of ${all} rows. The others are shown after signing in.`,
    empty: "There is nothing to show for these days.",
    notWithheld:
      "This query names no visitors, so its small groups cannot be withheld: it is not sent.",
    failed: "This query could not be answered.",
    missing: "The query of this part is archived, or was deleted.",
    see: "Sign in to see more",
    whyReceived:
      "You receive this mail because you planned this delivery in the analysts' console.",
    change: "Change or pause deliveries",
    columns: {
      name: "Group",
      visitors: "Visitors",
      amount: "Count",
      step: "Step",
      week: "First week",
      others: "Others together",
      total: "Total",
      weekAfter: (weeks) => `+${weeks} wk`,
    },
    questions: {
      channels: "Channels",
      campaigns: "Campaigns",
      "reading-paths": "Reading paths",
      "entry-pages": "Entry pages",
      "exit-pages": "Exit pages",
      "consent-decisions": "Consent decisions",
      "link-opens": "Opens of links",
      "newsletter-growth": "Newsletter growth",
      funnel: "Funnel",
      retention: "Visitors who came again",
    },
    steps: {
      visit: "Any page",
      pricing: "Prices",
      join: "Registration",
      "checkout-done": "Completed checkout",
    },
  },
  he: {
    subject: (title) => `נתוני שימוש: ${title}`,
    about: (from, to) => `ימים מ־${from} עד ${to}, לפי UTC.`,
    withheld:
      "המספרים מעוגלים כלפי מטה לעשרות. קבוצות של פחות מעשרה מבקרים אינן מוצגות, וגם לא קבוצות שהיו מגלות אותן.",
    cut: (shown, all) => `${shown} מתוך ${all} שורות. השאר מוצגות לאחר כניסה לחשבון.`,
    empty: "אין מה להציג לימים האלה.",
    notWithheld: "השאילתה אינה סופרת מבקרים, ולכן אי אפשר להסתיר בה קבוצות קטנות והיא אינה נשלחת.",
    failed: "לא היה אפשר לענות על השאילתה.",
    missing: "השאילתה של החלק הזה הועברה לארכיון או נמחקה.",
    see: "לכניסה ולצפייה בשאר הנתונים",
    whyReceived: "ההודעה נשלחה כי המשלוח נקבע במסוף האנליסטים.",
    change: "שינוי או השהיה של משלוחים",
    columns: {
      name: "קבוצה",
      visitors: "מבקרים",
      amount: "כמות",
      step: "שלב",
      week: "שבוע ראשון",
      others: "כל השאר יחד",
      total: "סך הכול",
      weekAfter: (weeks) => `אחרי ${weeks} שב׳`,
    },
    questions: {
      channels: "ערוצים",
      campaigns: "קמפיינים",
      "reading-paths": "מסלולי קריאה",
      "entry-pages": "עמודי כניסה",
      "exit-pages": "עמודי יציאה",
      "consent-decisions": "החלטות הסכמה",
      "link-opens": "פתיחות של קישורים",
      "newsletter-growth": "צמיחת הניוזלטר",
      funnel: "משפך",
      retention: "מבקרים שחזרו",
    },
    steps: { visit: "דף כלשהו", pricing: "מחירים", join: "הרשמה", "checkout-done": "תשלום שהושלם" },
  },
};
