import type { Locale } from "../primitives/locale.ts";

/** What is agreed to at checkout, each on its own. */
export const checkoutDocuments = ["auto-renewal", "terms", "privacy"] as const;
export type CheckoutDocument = (typeof checkoutDocuments)[number];

/** Raised with every change of the texts. */
export const checkoutTextsVersion = "2026-11-22";

/** The sentences beside the three boxes; their hash is recorded as proof. */
export const checkoutTexts: Readonly<Record<Locale, Readonly<Record<CheckoutDocument, string>>>> = {
  en: {
    "auto-renewal":
      "I agree that the subscription begins now and renews automatically at the price and interval shown, until I cancel. I receive a reminder 7 days before each renewal.",
    terms: "I accept the Terms of Service.",
    privacy: "I have read and accept the Privacy Policy.",
  },
  he: {
    "auto-renewal":
      "ידוע לי ומקובל עליי שהמינוי יתחיל כעת ויתחדש אוטומטית במחיר ובתדירות המוצגים, עד לביטולו. תזכורת תישלח אליי 7 ימים לפני כל חידוש.",
    terms: "תנאי השימוש מקובלים עליי.",
    privacy: "קראתי את מדיניות הפרטיות והיא מקובלת עליי.",
  },
};
