import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";

import type { MailLinks } from "../mail-tokens.ts";
import { agreedText } from "../request-subscription.ts";
import type { Subscriber } from "../subscribers.ts";
import { newsletterList, senderLine } from "./list.ts";
import { newsletterTexts } from "./newsletter-texts.ts";

/** What every mail has, beside its subscriber. */
type MailSettings = { readonly links: MailLinks; readonly postalAddress: string };

/** Asks the holder of the address to confirm the request. */
export function confirmationMail(
  { id, state, email }: Subscriber,
  { links, postalAddress }: MailSettings,
): Mail {
  const { language, tags, agreed } = state.asked;
  const texts = newsletterTexts[language];
  const own = tags.includes("waitlist") ? texts.confirmWaitlist : texts.confirmNewsletter;
  return {
    id: `newsletter-confirm-${id}-${state.mail}`,
    to: { address: email },
    subject: own.subject,
    language,
    list: newsletterList,
    automatic: true,
    ...renderMail({
      language,
      title: own.title,
      preheader: own.preheader,
      blocks: [
        { kind: "paragraph", text: own.asked },
        { kind: "action", label: own.button, url: links.confirm(id, state.mail) },
        { kind: "small", text: texts.expires(newsletterLimits.confirmHours) },
        ...agreement(texts.agreedTo, agreedText(agreed)),
      ],
      footer: [
        { kind: "small", text: texts.notYou(newsletterLimits.unconfirmedDays) },
        ...senderLine(language, postalAddress),
      ],
    }),
  };
}

/**
 * Any visitor can enter any address: only the product's own texts are repeated, or the form would
 * carry a visitor's text to strangers.
 */
function agreement(agreedTo: string, text: string | undefined): readonly MailBlock[] {
  if (text === undefined) return [];
  return [
    { kind: "paragraph", text: agreedTo },
    { kind: "quote", text },
  ];
}

/** Greets a subscriber who has just confirmed: what comes next, and how to leave. */
export function welcomeMail(
  { id, state, email }: Subscriber,
  { links, postalAddress }: MailSettings,
): Mail {
  const { language, tags, frequency } = state.asked;
  const texts = newsletterTexts[language];
  const own = tags.includes("waitlist") ? texts.welcomeWaitlist : texts.welcomeNewsletter;
  return {
    id: `newsletter-welcome-${id}-${state.mail}`,
    to: { address: email },
    subject: own.subject,
    language,
    list: newsletterList,
    automatic: true,
    unsubscribe: { url: links.unsubscribe(id) },
    ...renderMail({
      language,
      title: own.title,
      preheader: own.preheader,
      blocks: [
        { kind: "paragraph", text: own.opening },
        { kind: "paragraph", text: texts.next },
        { kind: "list", items: own.steps },
        { kind: "paragraph", text: texts.rhythm[frequency] },
      ],
      footer: [
        {
          kind: "small",
          text: texts.whyReceived,
          link: { label: texts.manage, url: links.manage(id) },
        },
        ...senderLine(language, postalAddress),
      ],
    }),
  };
}

/** A new link to the preferences, for a subscriber whose own does not work. */
export function preferencesLinkMail(
  { id, state, email }: Subscriber,
  { links, postalAddress }: MailSettings,
  requestedAt: string,
): Mail {
  const { language } = state.asked;
  const { preferencesLink: own, notYouLink } = newsletterTexts[language];
  return {
    id: `newsletter-preferences-link-${id}-${requestedAt.replaceAll(":", "-")}`,
    to: { address: email },
    subject: own.subject,
    language,
    list: newsletterList,
    automatic: true,
    unsubscribe: { url: links.unsubscribe(id) },
    ...renderMail({
      language,
      title: own.title,
      preheader: own.preheader,
      blocks: [
        { kind: "paragraph", text: own.asked },
        { kind: "action", label: own.button, url: links.manage(id) },
      ],
      footer: [{ kind: "small", text: notYouLink }, ...senderLine(language, postalAddress)],
    }),
  };
}
