import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { type HeldTexts, heldTexts } from "./held-texts.ts";
import { type WithheldTexts, withheldTexts } from "./withheld-texts.ts";

type Texts = HeldTexts & {
  readonly title: string;
  readonly made: string;
  readonly about: readonly string[];
  readonly files: string;
  readonly processing: string;
  readonly use: string;
  readonly purpose: string;
  readonly basis: string;
  readonly recipients: string;
  /** How the package is verified, for `VERIFY.txt`. */
  readonly verify: readonly string[];
  readonly bases: Readonly<Record<Activity["basis"], string>>;
  readonly receivers: Readonly<Record<Activity["recipients"][number], string>>;
  readonly empty: string;
  readonly unreadable: string;
  readonly withheld: WithheldTexts;
};

/** The words of the readable page of a package. */
export const packageTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    title: "Your data at Pro Talent",
    made: "As it was held on {{date}}",
    about: [
      "This page shows everything that is stored about you, in readable form. The folder beside it holds the same as JSON and CSV for programs, and your files.",
      "The file manifest.json names every file with its SHA-256, and is signed: how it is verified without us is described in VERIFY.txt.",
      "Visits to the public site are not tied to your account: they are shown and erased under “Cookie settings” there.",
    ],
    files: "Files",
    processing: "What your data is used for",
    use: "Use",
    purpose: "Purpose",
    basis: "Legal basis",
    recipients: "Recipients",
    verify: [
      "manifest.json holds two members: entry and signature. The signature (Ed25519, RFC 8032, in hexadecimal) covers the line “pro-talent data package”, a line feed, and the bytes of entry as they stand in the file.",
      "The public key is named by keyId. Compare it with the keys at /api/privacy/keys of the site.",
      "With Node.js and this folder: node verify.mjs manifest.json <public key>. The program names every file that was changed, is missing, or was added.",
    ],
    bases: {
      consent: "Consent (GDPR, article 6 (1) (a))",
      contract: "Contract (GDPR, article 6 (1) (b))",
      "legal-obligation": "Legal obligation (GDPR, article 6 (1) (c))",
      "legitimate-interest": "Legitimate interest (GDPR, article 6 (1) (f))",
    },
    receivers: {
      "mail-provider": "Mail provider",
      "payment-provider": "Payment provider",
      "tax-authority": "Tax authority",
      "link-owner": "Owner of the link",
      public: "The public",
    },
    empty: "Not stated",
    unreadable: "Stored so that it cannot be read",
    withheld: withheldTexts.en,
    ...heldTexts.en,
  },
  he: {
    title: "הנתונים שלך ב־Pro Talent",
    made: "כפי שנשמרו ב־{{date}}",
    about: [
      "העמוד הזה מציג את כל מה ששמור עליך, בצורה קריאה. בתיקייה שלצידו נמצא אותו מידע כ־JSON וכ־CSV לתוכנות, וגם הקבצים שלך.",
      "הקובץ manifest.json מונה כל קובץ עם ה־SHA-256 שלו, והוא חתום: בקובץ VERIFY.txt מתואר איך לאמת אותו בלעדינו.",
      "ביקורים באתר הציבורי אינם קשורים לחשבון שלך: הם מוצגים ונמחקים שם, תחת „הגדרות עוגיות”.",
    ],
    files: "קבצים",
    processing: "שימושים בנתונים שלך",
    use: "שימוש",
    purpose: "מטרה",
    basis: "בסיס חוקי",
    recipients: "נמענים",
    verify: [
      "בקובץ manifest.json יש שני חלקים: entry ו־signature. החתימה (Ed25519, RFC 8032, בהקסדצימלי) חלה על השורה „pro-talent data package”, תו ירידת שורה, והבתים של entry כפי שהם בקובץ.",
      "המפתח הציבורי מופיע ב־keyId. אפשר להשוות אותו למפתחות שבכתובת /api/privacy/keys של האתר.",
      "עם Node.js ועם התיקייה הזאת: node verify.mjs manifest.json <public key>. התוכנה מציינת כל קובץ ששונה, חסר או נוסף.",
    ],
    bases: {
      consent: "הסכמה לפי סעיף 6(1)(א) ל־GDPR",
      contract: "חוזה לפי סעיף 6(1)(ב) ל־GDPR",
      "legal-obligation": "חובה חוקית לפי סעיף 6(1)(ג) ל־GDPR",
      "legitimate-interest": "אינטרס לגיטימי לפי סעיף 6(1)(ו) ל־GDPR",
    },
    receivers: {
      "mail-provider": "ספק הדואר",
      "payment-provider": "ספק התשלומים",
      "tax-authority": "רשות המסים",
      "link-owner": "בעל הקישור",
      public: "הציבור",
    },
    empty: "לא נמסר",
    unreadable: "שמור בצורה שאי אפשר לקרוא",
    withheld: withheldTexts.he,
    ...heldTexts.he,
  },
};
