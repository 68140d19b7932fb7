import { oneMailbox } from "@pro-talent/platform/mail/address";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { visibleLine, visibleText } from "@pro-talent/platform/mail/text-safety";
import type { ReaderMessage } from "@pro-talent/schemas/portfolios/events";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { Contact } from "../../../contacts.ts";

type Texts = {
  readonly subject: (name: string) => string;
  readonly preheader: string;
  readonly name: string;
  readonly address: string;
  readonly reply: string;
  readonly noReply: string;
  readonly care: string;
  readonly change: string;
};

const texts: Readonly<Record<Locale, Texts>> = {
  en: {
    subject: (name) => `${name} wrote to you through your portfolio`,
    preheader: "A message from a reader of your portfolio",
    name: "Name",
    address: "Address",
    reply: "Your answer to this mail goes to the address that the reader entered.",
    noReply: "Mail programs do not accept the address that the reader entered.",
    care: "Anyone can enter any name and address. The reader does not know your address until you answer.",
    change: "Turn the form off",
  },
  he: {
    subject: (name) => `הודעה מאת ${name} דרך תיק העבודות`,
    preheader: "הודעה מאחד הקוראים של תיק העבודות",
    name: "שם",
    address: "כתובת",
    reply: "תשובה להודעה זו תישלח לכתובת שהוזנה בטופס.",
    noReply: "תוכנות דואר אינן מקבלות את הכתובת שהוזנה בטופס.",
    care: "אפשר להזין בטופס כל שם וכל כתובת. כתובתכם תיוודע לכותבים רק אם תשיבו להם.",
    change: "כיבוי הטופס",
  },
};

export type ReaderMail = {
  readonly messageId: string;
  readonly contact: Contact;
  readonly words: ReaderMessage;
  readonly origin: string;
  readonly feedbackId: string;
};

/** What a reader wrote, for the owner of the portfolio. The same id at every attempt. */
export function readerMessageMail(input: ReaderMail): Mail {
  const { messageId, contact, words, origin, feedbackId } = input;
  const { language } = contact;
  const t = texts[language];
  const name = visibleLine(words.name);
  const sender = oneMailbox(words.email);
  const subject = t.subject(name);
  return {
    id: `reader-message-${messageId}`,
    to: { name: contact.fullName, address: contact.email },
    ...(sender !== undefined && { replyTo: { name, address: sender } }),
    subject,
    language,
    automatic: true,
    feedbackId,
    ...renderMail({
      language,
      title: subject,
      preheader: t.preheader,
      blocks: [
        {
          kind: "facts",
          facts: [
            { term: t.name, value: name },
            { term: t.address, value: visibleLine(words.email) },
          ],
        },
        { kind: "quote", text: visibleText(words.message) },
      ],
      footer: [
        { kind: "small", text: sender === undefined ? t.noReply : t.reply },
        { kind: "small", text: t.care, link: { label: t.change, url: `${origin}/portfolio` } },
      ],
    }),
  };
}
