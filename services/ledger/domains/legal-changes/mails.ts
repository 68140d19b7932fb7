import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import type { ChangeRecipient, LegalChange } from "@pro-talent/schemas/legal-changes/events";
import type { Day } from "@pro-talent/schemas/primitives/calendar";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { versionPath } from "@pro-talent/schemas/site/legal-history";

import type { Contact, SubscriberContact } from "../../contacts.ts";

type PerDocument = Readonly<Record<LegalChange["document"], string>>;
type PerRecipient = Readonly<Record<ChangeRecipient, string>>;
type Texts = {
  readonly subject: PerDocument;
  readonly intro: PerDocument;
  readonly effective: string;
  readonly version: string;
  readonly choice: PerRecipient;
  readonly read: string;
  readonly whyReceived: PerRecipient;
  readonly manage: string;
};

const mailTexts: Readonly<Record<Locale, Texts>> = {
  en: {
    subject: {
      terms: "Our terms of service are changing",
      privacy: "Our privacy policy is changing",
    },
    intro: {
      terms: "We are changing our terms of service. What changes:",
      privacy: "We are changing our privacy policy. What changes:",
    },
    effective: "Takes effect for you on",
    version: "New version",
    choice: {
      account:
        "Until then, the version that you know applies. If you do not agree, you can cancel your plan or delete your account before that day. If you agree, you need not do anything.",
      subscriber:
        "Until then, the version that you know applies. If you do not agree, you can unsubscribe before that day. If you agree, you need not do anything.",
    },
    read: "Read the new version",
    whyReceived: {
      account: "You receive this because you have an account at Pro Talent.",
      subscriber: "You receive this because you confirmed this address on the Pro Talent site.",
    },
    manage: "Change what you receive, or unsubscribe",
  },
  he: {
    subject: {
      terms: "תנאי השימוש שלנו משתנים",
      privacy: "מדיניות הפרטיות שלנו משתנה",
    },
    intro: {
      terms: "אנחנו משנים את תנאי השימוש. מה משתנה:",
      privacy: "אנחנו משנים את מדיניות הפרטיות. מה משתנה:",
    },
    effective: "נכנס לתוקף עבורך ביום",
    version: "גרסה חדשה",
    choice: {
      account:
        "עד אז חלה הגרסה המוכרת לך. אם השינוי אינו מקובל עליך, אפשר לבטל את המסלול או למחוק את החשבון לפני היום הזה. אם הוא מקובל עליך, אין צורך לעשות דבר.",
      subscriber:
        "עד אז חלה הגרסה המוכרת לך. אם השינוי אינו מקובל עליך, אפשר לבטל את ההרשמה לפני היום הזה. אם הוא מקובל עליך, אין צורך לעשות דבר.",
    },
    read: "לקריאת הגרסה החדשה",
    whyReceived: {
      account: "ההודעה נשלחה אליך כי יש לך חשבון ב־Pro Talent.",
      subscriber: "ההודעה נשלחה משום שהכתובת הזאת אושרה באתר Pro Talent.",
    },
    manage: "שינוי ההעדפות או הסרה מהרשימה",
  },
};

/** A holder of an account, or a subscriber. */
export type Addressee =
  | ({ readonly recipient: "account" } & Pick<Contact, "email" | "fullName" | "language">)
  | ({ readonly recipient: "subscriber" } & SubscriberContact);

type About = {
  readonly noticeId: string;
  readonly addressee: Addressee;
  /** If this mail arrives today. */
  readonly effectiveOn: Day;
  readonly origin: string;
};

/** The notice of a change, in the language of the recipient. Its id is the same at every attempt. */
export function changeMail(change: LegalChange, about: About): Mail {
  const { noticeId, addressee, effectiveOn, origin } = about;
  const { language, email } = addressee;
  const { document, version, summary } = change;
  const texts = mailTexts[language];
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  const fact = (term: string, day: Day) => ({ term, value: format.format(Date.parse(day)) });
  const subject = texts.subject[document];
  return {
    id: `changenotice-${noticeId}`,
    to:
      addressee.recipient === "account"
        ? { name: addressee.fullName, address: email }
        : { address: email },
    subject,
    language,
    automatic: true,
    ...(addressee.recipient === "subscriber" && { feedbackId: addressee.feedbackId }),
    ...renderMail({
      language,
      title: subject,
      preheader: summary[language],
      blocks: [
        { kind: "paragraph", text: texts.intro[document] },
        { kind: "paragraph", text: summary[language] },
        {
          kind: "facts",
          facts: [fact(texts.effective, effectiveOn), fact(texts.version, version)],
        },
        { kind: "paragraph", text: texts.choice[addressee.recipient] },
        { kind: "action", label: texts.read, url: `${origin}${versionPath(document, version)}` },
      ],
      footer: [
        {
          kind: "small",
          text: texts.whyReceived[addressee.recipient],
          ...(addressee.recipient === "subscriber" && {
            link: { label: texts.manage, url: addressee.manageUrl },
          }),
        },
      ],
    }),
  };
}

/** The notice of a mail's id; undefined for other mails. */
export function noticeOfMail(mailId: string): string | undefined {
  const [, id] = /^changenotice-(.+)$/u.exec(mailId) ?? [];
  return Uuid.safeParse(id).data;
}
