import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { newsletterList, senderLine } from "../mails/list.ts";
import { readContent } from "./issue-content.ts";
import type { Edition, Issue } from "./issue.ts";
import { contentHtml, contentText } from "./render-content.ts";

/** The footer of every issue mail, with the links that the law asks for. */
const footerTexts = {
  en: {
    why: "You receive this mail because you subscribed to the Pro Talent newsletter and confirmed your address. We do not measure whether it is opened or what you follow.",
    preferences: "Other topics, another language, or less often:",
    preferencesLink: "Change your preferences",
    unsubscribe: "No longer interested?",
    unsubscribeLink: "Unsubscribe",
  },
  he: {
    why: "ההודעה הזאת נשלחה אליך כי נרשמת לניוזלטר של Pro Talent ואישרת את הכתובת. איננו מודדים אם היא נפתחת או באילו קישורים נעשה שימוש.",
    preferences: "נושאים אחרים, שפה אחרת, או לעיתים רחוקות יותר:",
    preferencesLink: "שינוי ההעדפות",
    unsubscribe: "כבר לא מעניין אותך?",
    unsubscribeLink: "ביטול ההרשמה",
  },
} satisfies Record<Locale, object>;

/** A subscriber as an issue mail addresses one, with personal links. */
export type Recipient = {
  readonly email: string;
  readonly language: Locale;
  /** The page for changing preferences. */
  readonly manageUrl: string;
  /** What mail programs post to for unsubscribing with one click. */
  readonly unsubscribeUrl: string;
  /** Comes back with a complaint. */
  readonly feedbackId?: string;
};

type Body = { html: string; text: string };

/**
 * Composes an issue's mails. The content is rendered once; mails differ by language and links only.
 * Nothing in them reports that they were opened, and their links are those of the content.
 * @param from `origin` of the site, as in `https://example.com`; the postal address may be empty
 */
export function createComposer(
  issue: Issue,
  from: { readonly origin: string; readonly postalAddress: string },
): (id: string, recipient: Recipient) => Mail {
  const bodies: Readonly<Record<Locale, Body>> = {
    en: bodyOf(issue.editions.en, from.origin),
    he: bodyOf(issue.editions.he, from.origin),
  };
  return (id, recipient) => {
    const { language, email, manageUrl, unsubscribeUrl, feedbackId } = recipient;
    const { subject, preheader } = issue.editions[language];
    const texts = footerTexts[language];
    const { html, text } = renderMail({
      language,
      title: subject,
      preheader,
      blocks: [{ kind: "html", ...bodies[language] }],
      footer: [
        { kind: "small", text: texts.why },
        {
          kind: "small",
          text: texts.preferences,
          link: { label: texts.preferencesLink, url: manageUrl },
        },
        {
          kind: "small",
          text: texts.unsubscribe,
          link: { label: texts.unsubscribeLink, url: unsubscribeUrl },
        },
        ...senderLine(language, from.postalAddress),
      ],
    });
    return {
      id,
      to: { address: email },
      subject,
      html,
      text,
      language,
      list: newsletterList,
      unsubscribe: { url: unsubscribeUrl },
      ...(feedbackId === undefined ? {} : { feedbackId }),
    };
  };
}

/** A mail's id follows from issue and subscriber: a repeated attempt is the same mail. */
export function issueMailId(issueId: string, subscriberId: string): string {
  return `newsletter-issue-${issueId}-${subscriberId}`;
}

function bodyOf({ markdown }: Edition, origin: string): Body {
  const nodes = readContent(markdown, origin);
  return { html: contentHtml(nodes), text: contentText(nodes) };
}
