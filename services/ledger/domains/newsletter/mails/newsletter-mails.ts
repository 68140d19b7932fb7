import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";

import type { Mailboxes } from "../../../kernel/mailboxes.ts";
import type { MailLinks } from "../mail-tokens.ts";
import { agreedText } from "../request-subscription.ts";
import type { Subscriber } from "../subscribers.ts";
import { newsletterList, senderLine } from "./list.ts";
import { newsletterTexts } from "./newsletter-texts.ts";

/** What every mail has, beside its subscriber. */
export type MailSettings = {
  readonly links: MailLinks;
  readonly mailboxes: Pick<Mailboxes, "hashOf" | "feedbackIdOf">;
  readonly postalAddress: string;
};

/** What the mails differ in. */
type Own = {
  /** A part of the mail's id: another one for every mail that is not a repetition. */
  readonly id: string;
  readonly texts: { readonly subject: string; readonly title: string; readonly preheader: string };
  readonly blocks: readonly MailBlock[];
  readonly footer: MailBlock;
};

/** The frame of the mails that a program writes to one subscriber. */
function mailTo(
  { state, email }: Subscriber,
  { postalAddress, mailboxes }: MailSettings,
  { id, texts, blocks, footer }: Own,
): Mail {
  const { language } = state.asked;
  const { subject, title, preheader } = texts;
  return {
    id: `newsletter-${id}`,
    to: { address: email },
    subject,
    language,
    list: newsletterList,
    feedbackId: mailboxes.feedbackIdOf(email),
    automatic: true,
    ...renderMail({
      language,
      title,
      preheader,
      blocks,
      footer: [footer, ...senderLine(language, postalAddress)],
    }),
  };
}

/** For mails that any visitor can have sent to any address: the link that ends them for good. */
function neverLink({ id, state, email }: Subscriber, { links, mailboxes }: MailSettings) {
  const url = links.never({ subscriberId: id, mailbox: mailboxes.hashOf(email) });
  return { label: newsletterTexts[state.asked.language].never, url };
}

/** Asks the holder of the address to confirm the request. */
export function confirmationMail(subscriber: Subscriber, settings: MailSettings): Mail {
  const { id, state } = subscriber;
  const { language, tags, agreed } = state.asked;
  const texts = newsletterTexts[language];
  const own = tags.includes("waitlist") ? texts.confirmWaitlist : texts.confirmNewsletter;
  return mailTo(subscriber, settings, {
    id: `confirm-${id}-${state.mail}`,
    texts: own,
    blocks: [
      { kind: "paragraph", text: own.asked },
      { kind: "action", label: own.button, url: settings.links.confirm(id, state.mail) },
      { kind: "small", text: texts.expires(newsletterLimits.confirmHours) },
      ...agreement(texts.agreedTo, agreedText(agreed)),
    ],
    footer: {
      kind: "small",
      text: texts.notYou(newsletterLimits.unconfirmedDays),
      link: neverLink(subscriber, settings),
    },
  });
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
export function welcomeMail(subscriber: Subscriber, settings: MailSettings): Mail {
  const { id, state } = subscriber;
  const { links } = settings;
  const { language, tags, frequency } = state.asked;
  const texts = newsletterTexts[language];
  const own = tags.includes("waitlist") ? texts.welcomeWaitlist : texts.welcomeNewsletter;
  const mail = mailTo(subscriber, settings, {
    id: `welcome-${id}-${state.mail}`,
    texts: own,
    blocks: [
      { kind: "paragraph", text: own.opening },
      { kind: "paragraph", text: texts.next },
      { kind: "list", items: own.steps },
      { kind: "paragraph", text: texts.rhythm[frequency] },
    ],
    footer: {
      kind: "small",
      text: texts.whyReceived,
      link: { label: texts.manage, url: links.manage(id) },
    },
  });
  return { ...mail, unsubscribe: { url: links.unsubscribe(id) } };
}

/** A new link to the preferences, for a subscriber whose own does not work. */
export function preferencesLinkMail(
  subscriber: Subscriber,
  settings: MailSettings,
  requestedAt: string,
): Mail {
  const { id, state } = subscriber;
  const { links } = settings;
  const { preferencesLink: own, notYouLink } = newsletterTexts[state.asked.language];
  const mail = mailTo(subscriber, settings, {
    id: `preferences-link-${id}-${requestedAt.replaceAll(":", "-")}`,
    texts: own,
    blocks: [
      { kind: "paragraph", text: own.asked },
      { kind: "action", label: own.button, url: links.manage(id) },
    ],
    footer: { kind: "small", text: notYouLink, link: neverLink(subscriber, settings) },
  });
  return { ...mail, unsubscribe: { url: links.unsubscribe(id) } };
}
