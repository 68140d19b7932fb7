import { oneMailbox } from "@pro-talent/platform/mail/address";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";

import type { ReceivedMessage } from "../contact-messages.ts";
import { showHidden, showHiddenInLines } from "../show-hidden.ts";
import { contactTexts } from "./contact-texts.ts";

/**
 * Forwards a contact message to support. A reply to it goes to the sender, unless mail programs do not
 * accept the address; support is notified of such a message too.
 */
export function notificationMail(received: ReceivedMessage, supportAddress: string): Mail {
  const { messageId, fact, details } = received;
  const { language, reference } = fact;
  const words = contactTexts[language].support;
  const about = topicOf(received);
  const sender = oneMailbox(details.email);
  return {
    id: `contact-support-${messageId}`,
    to: { address: supportAddress },
    ...(sender === undefined
      ? {}
      : { replyTo: { name: showHidden(details.name), address: sender } }),
    subject: `[${reference}] ${about}`,
    language,
    automatic: true,
    ...renderMail({
      language,
      title: words.title,
      preheader: about,
      blocks: [
        { kind: "facts", facts: factsOf(received) },
        { kind: "quote", text: showHiddenInLines(details.message) },
      ],
      footer: [
        { kind: "small", text: fact.acknowledged ? words.acknowledged : words.notAcknowledged },
        { kind: "small", text: sender === undefined ? words.noReply : words.reply },
      ],
    }),
  };
}

/** The category, and the sender's own subject where there is one. */
function topicOf({ fact, details }: ReceivedMessage): string {
  const category = contactTexts[fact.language].categories[fact.category];
  const own = details.subject === fact.category ? category : `${category}: ${details.subject}`;
  return showHidden(own);
}

function factsOf({
  fact,
  details,
  receivedAt,
}: ReceivedMessage): { term: string; value: string }[] {
  const { facts, categories, suspected } = contactTexts[fact.language];
  return [
    { term: facts.reference, value: fact.reference },
    { term: facts.category, value: categories[fact.category] },
    { term: facts.subject, value: showHidden(details.subject) },
    { term: facts.name, value: showHidden(details.name) },
    { term: facts.address, value: showHidden(details.email) },
    { term: facts.received, value: receivedAt },
    ...(fact.suspected ? [{ term: facts.note, value: suspected }] : []),
  ];
}
