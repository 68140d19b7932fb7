import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";

import { contactWords } from "./contact-words.ts";
import type { ReceivedMessage } from "./received-message.ts";

/**
 * Tells the writer that the message arrived. Anybody can enter anybody's address, so nothing of what
 * was entered is repeated: the form must not carry a stranger's words to somebody's mailbox.
 */
export function acknowledgementMail(
  { messageId, fact, letter }: ReceivedMessage,
  from: { readonly supportAddress: string; readonly origin: string },
): Mail {
  const { language, reference, category } = fact;
  const { acknowledgement: words, facts, categories } = contactWords[language];
  return {
    id: `contact-acknowledgement-${messageId}`,
    to: { address: letter.email },
    replyTo: { address: from.supportAddress },
    subject: words.subject(reference),
    language,
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
