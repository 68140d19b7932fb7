import type { Locale } from "@pro-talent/schemas/primitives/locale";

type Texts = {
  /** @param of company and role, as the applicant wrote them */
  readonly subject: (of: string) => string;
  readonly text: string;
  readonly time: string;
  readonly note: string;
  readonly see: string;
  readonly whyReceived: string;
  readonly change: string;
};

export const reminderTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    subject: (of) => `Reminder: ${of}`,
    text: "A reminder that you planned for this application is due.",
    time: "Planned for",
    note: "What you noted is shown with the application only, not in mails.",
    see: "Open the application",
    whyReceived: "You receive this mail because you asked for it when you planned the reminder.",
    change: "Change this reminder, or show reminders on the site only",
  },
  he: {
    subject: (of) => `תזכורת: ${of}`,
    text: "הגיע המועד של תזכורת שנקבעה למועמדות הזאת.",
    time: "נקבעה ל־",
    note: "תוכן התזכורת מוצג רק לצד המועמדות, ולא בדואר.",
    see: "לפתיחת המועמדות",
    whyReceived: "ההודעה נשלחה כי כך נבחר כשנקבעה התזכורת.",
    change: "שינוי התזכורת, או הצגת תזכורות באתר בלבד",
  },
};
