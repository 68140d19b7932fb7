import { oneMailbox } from "@pro-talent/platform/mail/address";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";

import { showHidden, showHiddenInLines } from "../show-hidden.ts";
import { contactWords } from "./contact-words.ts";
import type { ReceivedMessage } from "./received-message.ts";

/**
 * Tells the people of support what was written. Answering it answers the writer, unless the address
 * is none that mail programs take: such a message is told of all the same.
 */
export function notificationMail(received: ReceivedMessage, supportAddress: string): Mail {
  const { messageId, fact, letter } = received;
  const { language, reference } = fact;
  const words = contactWords[language].support;
  const about = topicOf(received);
  const writer = oneMailbox(letter.email);
  return {
    id: `contact-support-${messageId}`,
    to: { address: supportAddress },
    ...(writer === undefined
      ? {}
      : { replyTo: { name: showHidden(letter.name), address: writer } }),
    subject: `[${reference}] ${about}`,
    language,
    automatic: true,
    ...renderMail({
      language,
      title: words.title,
      preheader: about,
      blocks: [
        { kind: "facts", facts: factsOf(received) },
        { kind: "quote", text: showHiddenInLines(letter.message) },
      ],
      footer: [
        { kind: "small", text: fact.acknowledged ? words.acknowledged : words.notAcknowledged },
        { kind: "small", text: writer === undefined ? words.noReply : words.reply },
      ],
    }),
  };
}

/** The category, and the writer's own words for it where there are some. */
function topicOf({ fact, letter }: ReceivedMessage): string {
  const category = contactWords[fact.language].categories[fact.category];
  const own = letter.subject === fact.category ? category : `${category}: ${letter.subject}`;
  return showHidden(own);
}

function factsOf({ fact, letter, receivedAt }: ReceivedMessage): { term: string; value: string }[] {
  const { facts, categories, suspected } = contactWords[fact.language];
  return [
    { term: facts.reference, value: fact.reference },
    { term: facts.category, value: categories[fact.category] },
    { term: facts.subject, value: showHidden(letter.subject) },
    { term: facts.name, value: showHidden(letter.name) },
    { term: facts.address, value: showHidden(letter.email) },
    { term: facts.received, value: receivedAt },
    ...(fact.suspected ? [{ term: facts.note, value: suspected }] : []),
  ];
}
