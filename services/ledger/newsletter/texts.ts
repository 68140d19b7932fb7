import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { PlatformProblemCode } from "@pro-talent/schemas/primitives/problem";

/** What a form shows its visitor when the call is refused; `email` is a slip in the address. */
type RefusalTexts = Readonly<
  Record<
    | "already_subscribed"
    | "email"
    | "invalid_body"
    | "rate_limited"
    | "link_unknown"
    | "link_used"
    | "link_expired"
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
    link_unknown: "This link is not known. Please use the link in our newest email.",
    link_used: "This link was used before.",
    link_expired: "This link has expired. We can send you a new one.",
    ledger_unavailable: "We could not save this just now. Please try again in a moment.",
    other: "Something went wrong. Please try again.",
  },
  he: {
    already_subscribed: "הכתובת הזאת כבר רשומה לניוזלטר.",
    email: "נא להזין כתובת דוא״ל תקינה",
    invalid_body: "חסר משהו בטופס. נא לבדוק ולנסות שוב.",
    rate_limited: "היו יותר מדי ניסיונות בזמן קצר. נא לנסות שוב מאוחר יותר.",
    link_unknown: "הקישור הזה אינו מוכר. נא להשתמש בקישור שבהודעה האחרונה שלנו.",
    link_used: "כבר נעשה שימוש בקישור הזה.",
    link_expired: "תוקף הקישור פג. אפשר לבקש קישור חדש.",
    ledger_unavailable: "לא הצלחנו לשמור את זה כרגע. נא לנסות שוב בעוד רגע.",
    other: "משהו השתבש. נא לנסות שוב.",
  },
};

/** Codes with a text of their own; every other refusal is one that a visitor cannot mend. */
const speaking = [
  "already_subscribed",
  "invalid_body",
  "rate_limited",
  "link_unknown",
  "link_used",
  "link_expired",
  "ledger_unavailable",
] as const satisfies readonly PlatformProblemCode[];

/** The text for a visitor; `pointers` name the fields that were refused. */
export function refusalText(
  language: Locale,
  code: string,
  pointers: readonly string[] = [],
): string {
  if (code === "invalid_body" && pointers.includes("/email")) return texts[language].email;
  return texts[language][speaking.find((known) => known === code) ?? "other"];
}
