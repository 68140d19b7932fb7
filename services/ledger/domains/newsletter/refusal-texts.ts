import type { Locale } from "@pro-talent/schemas/primitives/locale";

/** What a form shows when the call is refused, by problem code; `email` is a mistyped address. */
type RefusalTexts = Readonly<
  Record<
    | "already_subscribed"
    | "email"
    | "invalid_body"
    | "rate_limited"
    | "token_unknown"
    | "token_used"
    | "token_expired"
    | "ledger_unavailable"
    | "other",
    string
  >
>;

const texts: Readonly<Record<Locale, RefusalTexts>> = {
  en: {
    already_subscribed: "This email is already subscribed.",
    email: "Please enter a valid email address",
    invalid_body: "Something is missing in the form. Please check it and try again.",
    rate_limited: "That was often in a short time. Please try again later.",
    token_unknown: "This link is not known. Please use the link in our newest email.",
    token_used: "This link was used before.",
    token_expired: "This link has expired. We can send you a new one.",
    ledger_unavailable: "We could not save this just now. Please try again in a moment.",
    other: "Something went wrong. Please try again.",
  },
  he: {
    already_subscribed: "הכתובת הזאת כבר רשומה לניוזלטר.",
    email: "נא להזין כתובת דוא״ל תקינה",
    invalid_body: "חסר משהו בטופס. נא לבדוק ולנסות שוב.",
    rate_limited: "היו יותר מדי ניסיונות בזמן קצר. נא לנסות שוב מאוחר יותר.",
    token_unknown: "הקישור הזה אינו מוכר. נא להשתמש בקישור שבהודעה האחרונה שלנו.",
    token_used: "כבר נעשה שימוש בקישור הזה.",
    token_expired: "תוקף הקישור פג. אפשר לבקש קישור חדש.",
    ledger_unavailable: "לא הצלחנו לשמור את זה כרגע. נא לנסות שוב בעוד רגע.",
    other: "משהו השתבש. נא לנסות שוב.",
  },
};

/** The text for a visitor; `pointers` name the fields that were refused. */
export function refusalText(
  language: Locale,
  code: string,
  pointers: readonly string[] = [],
): string {
  const own: Readonly<Record<string, string>> = texts[language];
  if (code === "invalid_body" && pointers.includes("/email")) return texts[language].email;
  return (code === "email" ? undefined : own[code]) ?? texts[language].other;
}
