import type { Locale } from "../primitives/locale.ts";
import type { Launch } from "../site/launch.ts";

/** A text that subscribers agree to, word for word as the forms show it. */
export type NewsletterConsentText = {
  readonly version: string;
  readonly text: Readonly<Record<Locale, string>>;
};

/** Every text that the forms ever showed, the newest first. Texts are added, never changed. */
export const newsletterConsentTexts: readonly NewsletterConsentText[] = [
  {
    version: "2025-10-17",
    text: {
      en: "I agree to receive newsletter updates and accept the Privacy Policy and Terms of Service.",
      he: "ברצוני לקבל עדכונים בניוזלטר, ומדיניות הפרטיות ותנאי השימוש מקובלים עליי.",
    },
  },
];

/** How often subscribers are written to, and about what: word for word in forms, pages and mails. */
export const newsletterPromises: Readonly<
  Record<Launch["state"], Readonly<Record<Locale, string>>>
> = {
  waitlist: {
    en: "At most one email a week: product news, advice for your job search, and the launch.",
    he: "לכל היותר מכתב אחד בשבוע: חדשות המוצר, עצות לחיפוש עבודה וההשקה.",
  },
  open: {
    en: "At most one email a week: product news and advice for your job search.",
    he: "לכל היותר מכתב אחד בשבוע: חדשות המוצר ועצות לחיפוש עבודה.",
  },
};
