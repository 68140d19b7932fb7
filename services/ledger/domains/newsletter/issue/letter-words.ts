import type { Locale } from "@pro-talent/schemas/primitives/locale";

/** What stands under every letter, beside the links that the law and good manners ask for. */
type LetterWords = {
  readonly why: string;
  readonly preferences: string;
  readonly preferencesLink: string;
  readonly unsubscribe: string;
  readonly unsubscribeLink: string;
};

export const letterWords: Readonly<Record<Locale, LetterWords>> = {
  en: {
    why: "You receive this letter because you subscribed to the Pro Talent newsletter and confirmed your address. We do not measure whether it is opened or what you follow.",
    preferences: "Other topics, another language, or less often:",
    preferencesLink: "Change your preferences",
    unsubscribe: "No longer interested?",
    unsubscribeLink: "Unsubscribe",
  },
  he: {
    why: "המכתב הזה נשלח אליך כי נרשמת לניוזלטר של Pro Talent ואישרת את הכתובת. איננו מודדים אם הוא נפתח או באילו קישורים נעשה שימוש.",
    preferences: "נושאים אחרים, שפה אחרת, או לעיתים רחוקות יותר:",
    preferencesLink: "שינוי ההעדפות",
    unsubscribe: "כבר לא מעניין אותך?",
    unsubscribeLink: "ביטול ההרשמה",
  },
};
