import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";

import { knownWords } from "../agreed-text.ts";
import type { NewsletterLinks } from "../links.ts";
import type { Subscriber } from "../read-subscriber.ts";
import { newsletterWords } from "./newsletter-words.ts";

/** Asks the holder of the address whether the wish was theirs. */
export function confirmationMail({ id, state, email }: Subscriber, links: NewsletterLinks): Mail {
  const { language, tags, agreed } = state.asked;
  const spoken = newsletterWords[language];
  const words = tags.includes("waitlist") ? spoken.confirmWaitlist : spoken.confirmNewsletter;
  return {
    id: `newsletter-confirm-${id}-${state.mail}`,
    to: { address: email },
    subject: words.subject,
    language,
    automatic: true,
    ...renderMail({
      language,
      title: words.title,
      preheader: words.preheader,
      blocks: [
        { kind: "paragraph", text: words.asked },
        { kind: "action", label: words.button, url: links.confirm(id, state.mail) },
        { kind: "small", text: words.lapses(newsletterLimits.confirmHours) },
        ...agreement(spoken.agreedTo, knownWords(agreed)),
      ],
      footer: [{ kind: "small", text: spoken.notYou(newsletterLimits.unconfirmedDays) }],
    }),
  };
}

/**
 * Anybody can enter anybody's address: only the product's own words are repeated, or the form would
 * carry other people's messages to strangers.
 */
function agreement(agreedTo: string, words: string | undefined): readonly MailBlock[] {
  if (words === undefined) return [];
  return [
    { kind: "paragraph", text: agreedTo },
    { kind: "quote", text: words },
  ];
}
