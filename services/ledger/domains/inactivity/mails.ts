import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { type Day, dayPlus } from "@pro-talent/schemas/primitives/calendar";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { InactivityNotice } from "@pro-talent/schemas/privacy/inactivity";
import { privacyLimits } from "@pro-talent/schemas/privacy/limits";

import type { Contact } from "../../contacts.ts";

type Texts = {
  readonly subject: Readonly<Record<InactivityNotice, string>>;
  readonly text: readonly string[];
  readonly lastUse: string;
  readonly requested: string;
  readonly erased: string;
  readonly keep: string;
  readonly whyReceived: string;
};

const mailTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    subject: {
      first: "Your account has not been used for almost three years",
      second: "Your account will soon be deleted",
    },
    text: [
      "There has been no sign-in to your Pro Talent account for a long time. We do not keep data that is not used: under our terms, an account may be deleted after three years without use.",
      "To keep it, sign in once. Nothing else is needed, and nothing is deleted then. To let it go, you need not do anything.",
    ],
    lastUse: "Last used",
    requested: "Deletion begins",
    erased: "Everything is erased",
    keep: "Sign in and keep the account",
    whyReceived: "You receive this because you have an account at Pro Talent.",
  },
  he: {
    subject: {
      first: "לא נעשה שימוש בחשבון שלך כמעט שלוש שנים",
      second: "החשבון שלך יימחק בקרוב",
    },
    text: [
      "כבר זמן רב לא הייתה כניסה לחשבון שלך ב־Pro Talent. מידע שאינו בשימוש לא נשמר אצלנו: לפי תנאי השימוש, אפשר למחוק חשבון אחרי שלוש שנים ללא שימוש.",
      "כדי לשמור על החשבון די בכניסה אחת. אין צורך בשום דבר נוסף, ואז דבר לא נמחק. כדי לוותר עליו אין צורך לעשות דבר.",
    ],
    lastUse: "שימוש אחרון",
    requested: "תחילת המחיקה",
    erased: "הכול נמחק",
    keep: "כניסה ושמירה על החשבון",
    whyReceived: "ההודעה נשלחה אליך כי יש לך חשבון ב־Pro Talent.",
  },
};

type About = {
  readonly accountId: string;
  readonly contact: Contact;
  readonly activeOn: Day;
  /** If this notice and the next one arrive. */
  readonly plannedOn: Day;
  readonly origin: string;
};

/** The notice that an account will be deleted unless it is used. Its id is the same at every attempt. */
export function inactivityMail(notice: InactivityNotice, about: About): Mail {
  const { accountId, contact, activeOn, plannedOn, origin } = about;
  const { language, fullName, email } = contact;
  const texts = mailTexts[language];
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  const fact = (term: string, day: Day) => ({ term, value: format.format(Date.parse(day)) });
  const subject = texts.subject[notice];
  return {
    id: `inactivity-${notice}-${accountId}`,
    to: { name: fullName, address: email },
    subject,
    language,
    automatic: true,
    ...renderMail({
      language,
      title: subject,
      preheader: texts.text[1] ?? subject,
      blocks: [
        ...texts.text.map((text) => ({ kind: "paragraph", text }) as const),
        {
          kind: "facts",
          facts: [
            fact(texts.lastUse, activeOn),
            fact(texts.requested, plannedOn),
            fact(texts.erased, dayPlus(plannedOn, privacyLimits.graceDays)),
          ],
        },
        { kind: "action", label: texts.keep, url: `${origin}/login` },
      ],
      footer: [{ kind: "small", text: texts.whyReceived }],
    }),
  };
}

const pattern = /^inactivity-([a-z]+)-([0-9a-f-]{36})$/u;

/** The notice of a mail's id, and the account that it was sent to. */
export function noticeOfMail(
  mailId: string,
): { readonly notice: InactivityNotice; readonly accountId: string } | undefined {
  const [, notice, accountId = ""] = pattern.exec(mailId) ?? [];
  const parsed = InactivityNotice.safeParse(notice);
  return parsed.success ? { notice: parsed.data, accountId } : undefined;
}
