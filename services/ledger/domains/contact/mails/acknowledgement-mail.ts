import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";

import type { ReceivedMessage } from "../contact-messages.ts";
import { contactTexts } from "./contact-texts.ts";

/**
 * Acknowledges a contact message. Any visitor can enter any address, so nothing of what was entered is
 * repeated: the form must not carry a stranger's text to a mailbox.
 */
export function acknowledgementMail(
  { messageId, fact, details }: ReceivedMessage,
  from: {
    readonly supportAddress: string;
    readonly origin: string;
    /** Comes back with a complaint. */
    readonly feedbackId?: string;
  },
): Mail {
  const { language, reference, category } = fact;
  const { acknowledgement: words, facts, categories } = contactTexts[language];
  return {
    id: `contact-acknowledgement-${messageId}`,
    to: { address: details.email },
    replyTo: { address: from.supportAddress },
    subject: words.subject(reference),
    language,
    ...(from.feedbackId === undefined ? {} : { feedbackId: from.feedbackId }),
    automatic: true,
    ...renderMail({
      language,
      title: words.title,
      preheader: words.preheader,
      blocks: [
        { kind: "paragraph", text: words.promise },
        {
          kind: "facts",
          facts: [
            { term: facts.reference, value: reference },
            { term: facts.category, value: categories[category] },
          ],
        },
        { kind: "paragraph", text: words.quoting },
      ],
      footer: [
        {
          kind: "small",
          text: `${words.reason} ${words.notYou}`,
          link: { label: words.site, url: from.origin },
        },
      ],
    }),
  };
}
