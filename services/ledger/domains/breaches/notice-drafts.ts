import type { Breach } from "@pro-talent/schemas/breaches/calls";
import type { BreachFacts, BreachText } from "@pro-talent/schemas/breaches/events";
import type { dataCategories, peopleCategories } from "@pro-talent/schemas/breaches/kinds";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

type Words = {
  readonly authority: string;
  readonly subjects: string;
  readonly discovered: string;
  readonly nature: string;
  readonly people: string;
  readonly records: string;
  readonly data: string;
  readonly whose: string;
  readonly stores: string;
  readonly consequences: string;
  readonly measures: string;
  readonly contact: string;
  readonly unknown: string;
  readonly toSubjects: string;
  readonly advice: string;
  readonly dataOf: Readonly<Record<(typeof dataCategories)[number], string>>;
  readonly peopleOf: Readonly<Record<(typeof peopleCategories)[number], string>>;
};

const address = "privacy@protalent.example";

/** The words of both notices: GDPR, articles 33 (3) and 34 (2); Regulations (Data Security), Israel, 11 (d). */
const words: Readonly<Record<Locale, Words>> = {
  en: {
    authority: "Notification of a personal data breach",
    subjects: "A security incident that concerns your data",
    discovered: "Discovered",
    nature: "What happened",
    people: "People concerned (approximately)",
    records: "Records concerned (approximately)",
    data: "Kinds of data",
    whose: "Kinds of people",
    stores: "Stores touched",
    consequences: "Likely consequences",
    measures: "Measures taken and proposed",
    contact: "Contact",
    unknown: "Not known yet; it follows as soon as it is known.",
    toSubjects:
      "We write to you because data about you was concerned by a security incident. This is what we know, and what we have done.",
    advice:
      "Change your password if you used it elsewhere, and be careful with messages that ask for data. Answer this mail or write to us with any question.",
    dataOf: {
      contact: "contact details",
      credentials: "sign-in data",
      profile: "profile data",
      payments: "payment data",
      documents: "files and documents",
      visits: "visits",
      messages: "messages",
    },
    peopleOf: {
      "account-holders": "account holders",
      visitors: "visitors of the site",
      "link-visitors": "visitors of links",
      correspondents: "people who wrote to us",
      subscribers: "newsletter subscribers",
      staff: "staff",
    },
  },
  he: {
    authority: "הודעה על אירוע אבטחה במידע אישי",
    subjects: "אירוע אבטחה הנוגע לנתונים שלך",
    discovered: "מועד הגילוי",
    nature: "מה קרה",
    people: "מספר האנשים (בקירוב)",
    records: "מספר הרשומות (בקירוב)",
    data: "סוגי הנתונים",
    whose: "סוגי האנשים",
    stores: "המאגרים שנפגעו",
    consequences: "ההשלכות האפשריות",
    measures: "הצעדים שננקטו ושיינקטו",
    contact: "פנייה אלינו",
    unknown: "עדיין לא ידוע; יימסר מיד כשייוודע.",
    toSubjects: "אנו פונים אליך כי נתונים עליך היו חלק מאירוע אבטחה. זה מה שידוע לנו, ומה שעשינו.",
    advice:
      "אם הסיסמה שלך משמשת גם במקום אחר, מומלץ להחליף אותה. כדאי להיזהר מהודעות שמבקשות נתונים. בכל שאלה אפשר להשיב להודעה זו או לכתוב לנו.",
    dataOf: {
      contact: "פרטי קשר",
      credentials: "נתוני התחברות",
      profile: "נתוני פרופיל",
      payments: "נתוני תשלום",
      documents: "קבצים ומסמכים",
      visits: "ביקורים",
      messages: "פניות",
    },
    peopleOf: {
      "account-holders": "בעלי חשבון",
      visitors: "מבקרים באתר",
      "link-visitors": "מבקרים בקישורים",
      correspondents: "מי שכתבו לנו",
      subscribers: "מנויי הניוזלטר",
      staff: "עובדים",
    },
  },
};

type Known = { readonly facts: BreachFacts; readonly text: BreachText };

/** Drafts of the notices to the authority and to the people concerned, in both languages. */
export const noticeDrafts = (known: Known): Breach["drafts"] => ({
  authority: { en: toAuthority(known, "en"), he: toAuthority(known, "he") },
  subjects: { en: toSubjects(known, "en"), he: toSubjects(known, "he") },
});

function partsOf({ facts, text }: Known, language: Locale) {
  const say = words[language];
  const number = new Intl.NumberFormat(language);
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "Asia/Jerusalem",
  });
  const list = (of: readonly string[]): string => (of.length === 0 ? say.unknown : of.join(", "));
  const written = (part: string): string => (part === "" ? say.unknown : part);
  return {
    say,
    lines: (pairs: readonly (readonly [string, string])[]): string =>
      pairs.map(([term, value]) => `${term}: ${value}`).join("\n"),
    discovered: time.format(Date.parse(facts.discoveredAt)),
    people: number.format(facts.people),
    records: number.format(facts.records),
    data: list(facts.dataCategories.map((one) => say.dataOf[one])),
    whose: list(facts.peopleCategories.map((one) => say.peopleOf[one])),
    stores: list(facts.stores),
    nature: written(text.nature),
    consequences: written(text.consequences),
    measures: written(text.measures),
  };
}

function toAuthority(known: Known, language: Locale) {
  const { say, lines, ...part } = partsOf(known, language);
  const body = lines([
    [say.discovered, part.discovered],
    [say.nature, part.nature],
    [say.whose, part.whose],
    [say.people, part.people],
    [say.data, part.data],
    [say.records, part.records],
    [say.stores, part.stores],
    [say.consequences, part.consequences],
    [say.measures, part.measures],
    [say.contact, address],
  ]);
  return { title: say.authority, body };
}

function toSubjects(known: Known, language: Locale) {
  const { say, lines, ...part } = partsOf(known, language);
  const facts = lines([
    [say.discovered, part.discovered],
    [say.nature, part.nature],
    [say.data, part.data],
    [say.consequences, part.consequences],
    [say.measures, part.measures],
    [say.contact, address],
  ]);
  return { title: say.subjects, body: [say.toSubjects, facts, say.advice].join("\n\n") };
}
