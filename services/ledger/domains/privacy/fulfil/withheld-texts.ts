import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { RedactionReason } from "@pro-talent/schemas/privacy/redaction";

export type WithheldTexts = {
  /** In the place of a passage. */
  readonly mark: string;
  readonly title: string;
  /** On the readable page of a package. */
  readonly about: readonly string[];
  /** In the mail that the package is ready. */
  readonly mail: string;
  readonly reasons: Readonly<Record<RedactionReason, string>>;
  readonly laws: Readonly<Record<RedactionReason, string>>;
};

/** What is said of passages about other people that a copy does not contain. */
export const withheldTexts: Readonly<Record<Locale, WithheldTexts>> = {
  en: {
    mark: "[withheld: {{reason}}]",
    title: "Passages about other people that are left out",
    about: [
      "Some passages are about other people, or were written by them, and handing them out would harm their rights. Two privacy officers looked at each of them and left it out; in its place stands why. Everything else is complete.",
      "You can object: write to us by the contact form and name the number of your request, and it is looked at again. You can also complain to the authority for the protection of privacy where you live, or go to court.",
    ],
    mail: "Some passages about other people were left out. The package says where and why. If you object, write to us by the contact form with the number of your request; you can also complain to the authority for the protection of privacy where you live, or go to court. The reasons:",
    reasons: {
      "other-person": "another person's data",
      "special-category": "another person's health or other sensitive data",
      confidence: "said in confidence by another person",
      "trade-secret": "a trade secret, or security",
      reporter: "who reported something",
    },
    laws: {
      "other-person":
        "GDPR, article 15 (4); Protection of Privacy Law (Israel), section 13 (a): access to data about oneself",
      "special-category":
        "GDPR, articles 9 and 15 (4); Protection of Privacy Law (Israel), sections 2 (11) and 13 (a)",
      confidence:
        "GDPR, article 15 (4); Protection of Privacy Law (Israel), sections 2 (7), 2 (8) and 13 (c1)",
      "trade-secret":
        "GDPR, article 15 (4) and recital 63; Protection of Privacy Law (Israel), section 13 (a); Commercial Torts Law (Israel), section 6",
      reporter:
        "GDPR, article 15 (4); Directive (EU) 2019/1937, article 16; Protection of Privacy Law (Israel), sections 2 (8) and 13 (a)",
    },
  },
  he: {
    mark: "[הושמט: {{reason}}]",
    title: "קטעים על אנשים אחרים שהושמטו",
    about: [
      "כמה קטעים עוסקים באנשים אחרים או נכתבו על ידם, ומסירתם הייתה פוגעת בזכויותיהם. כל קטע כזה נבדק בידי שני ממונים על פרטיות והושמט, ובמקומו מצוינת הסיבה. כל השאר מלא.",
      "אפשר להתנגד: יש לכתוב אלינו בטופס יצירת הקשר ולציין את מספר הבקשה, והעניין ייבדק שוב. אפשר גם להתלונן בפני הרשות להגנת הפרטיות במקום המגורים, או לפנות לבית המשפט.",
    ],
    mail: "כמה קטעים על אנשים אחרים הושמטו. בחבילה מצוין היכן ומדוע. כדי להתנגד יש לכתוב אלינו בטופס יצירת הקשר ולציין את מספר הבקשה; אפשר גם להתלונן בפני הרשות להגנת הפרטיות במקום המגורים, או לפנות לבית המשפט. הסיבות:",
    reasons: {
      "other-person": "מידע על אדם אחר",
      "special-category": "מידע על בריאותו של אדם אחר, או מידע רגיש אחר עליו",
      confidence: "נמסר בסוד על ידי אדם אחר",
      "trade-secret": "סוד מסחרי או אבטחה",
      reporter: "זהות מי שדיווח",
    },
    laws: {
      "other-person": "סעיף 15(4) ל־GDPR; סעיף 13(א) לחוק הגנת הפרטיות: עיון של אדם במידע שעליו",
      "special-category": "סעיפים 9 ו־15(4) ל־GDPR; סעיפים 2(11) ו־13(א) לחוק הגנת הפרטיות",
      confidence: "סעיף 15(4) ל־GDPR; סעיפים 2(7), 2(8) ו־13(ג1) לחוק הגנת הפרטיות",
      "trade-secret":
        "סעיף 15(4) ופסקה 63 למבוא של ה־GDPR; סעיף 13(א) לחוק הגנת הפרטיות; סעיף 6 לחוק עוולות מסחריות",
      reporter:
        "סעיף 15(4) ל־GDPR; סעיף 16 לדירקטיבה (EU) 2019/1937; סעיפים 2(8) ו־13(א) לחוק הגנת הפרטיות",
    },
  },
};
