import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { invoicesPagePath } from "@pro-talent/schemas/invoices/calls";
import type { DocumentKind, IssuedDocument } from "@pro-talent/schemas/invoices/document";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { Contact } from "../../../contacts.ts";
import { documentView } from "../documents/document-view.ts";

type MailTexts = {
  readonly subject: Readonly<Record<DocumentKind, (label: string) => string>>;
  readonly title: Readonly<Record<DocumentKind, string>>;
  readonly intro: Readonly<Record<DocumentKind, string>>;
  readonly number: string;
  readonly total: string;
  readonly open: string;
  readonly reason: string;
  readonly site: string;
};

const texts: Readonly<Record<Locale, MailTexts>> = {
  en: {
    subject: {
      invoice: (label) => `Your invoice ${label}`,
      "credit-note": (label) => `Your credit note ${label}`,
    },
    title: { invoice: "Your invoice", "credit-note": "Your credit note" },
    intro: {
      invoice: "Thank you for your payment. The invoice is attached as a PDF.",
      "credit-note": "A payment was returned to you. The credit note is attached as a PDF.",
    },
    number: "Number",
    total: "Total",
    open: "All invoices",
    reason:
      "You get this mail because the law requires a document for each payment and each return.",
    site: "Pro Talent",
  },
  he: {
    subject: {
      invoice: (label) => `החשבונית שלך ${label}`,
      "credit-note": (label) => `הודעת זיכוי ${label}`,
    },
    title: { invoice: "החשבונית שלך", "credit-note": "הודעת זיכוי" },
    intro: {
      invoice: "תודה על התשלום. החשבונית מצורפת כקובץ PDF.",
      "credit-note": "התשלום הוחזר אליך. הודעת הזיכוי מצורפת כקובץ PDF.",
    },
    number: "מספר",
    total: "סכום",
    open: "כל החשבוניות",
    reason: "ההודעה הזאת נשלחת כי החוק מחייב להפיק מסמך על כל תשלום ועל כל החזר.",
    site: "Pro Talent",
  },
};

/** The mail of a document, in the language of its issue, with the PDF. */
export function invoiceMail(
  issued: IssuedDocument,
  contact: Contact,
  sent: { readonly origin: string; readonly pdf: Buffer },
): Mail {
  const { language, kind, label } = issued;
  const words = texts[language];
  const { total } = documentView({ issued, buyer: null });
  return {
    id: `invoice-${issued.document}`,
    to: { address: contact.email },
    subject: words.subject[kind](label),
    language,
    automatic: true,
    attachments: [{ name: `${label}.pdf`, type: "application/pdf", bytes: sent.pdf }],
    ...renderMail({
      language,
      title: words.title[kind],
      preheader: words.intro[kind],
      blocks: [
        { kind: "paragraph", text: words.intro[kind] },
        {
          kind: "facts",
          facts: [
            { term: words.number, value: label },
            { term: words.total, value: total.amount },
          ],
        },
        { kind: "action", label: words.open, url: sent.origin + invoicesPagePath },
      ],
      footer: [
        { kind: "small", text: words.reason, link: { label: words.site, url: sent.origin } },
      ],
    }),
  };
}
