import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import type { LinkOpens } from "@pro-talent/schemas/links/mail-events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { Contact } from "../../../contacts.ts";
import { openMailTexts } from "./mail-texts.ts";

/** More are counted, not named. */
export const namedMax = 12;

export type OpenMailInput = {
  readonly accountId: string;
  readonly until: Instant;
  readonly kind: "first-open" | "digest";
  readonly contact: Contact;
  /** In the order in which they were opened; the country is an ISO 3166-1 code, null when unknown. */
  readonly links: readonly (LinkOpens & {
    readonly label: string;
    readonly country: string | null;
  })[];
  readonly origin: string;
  /** Where one click turns the mails off. */
  readonly offUrl: string;
  readonly feedbackId: string;
};

const mailIds = /^opens-(?<account>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-\d+$/u;

/** The account of a mail about opens; undefined for the ids of other mails. */
export const accountOfMail = (mailId: string): string | undefined =>
  mailIds.exec(mailId)?.groups?.["account"];

/** A mail about opens. Its id is the same at every attempt. */
export function openMail(input: OpenMailInput): Mail {
  const { accountId, until, kind, contact, links, origin } = input;
  const { language } = contact;
  const texts = openMailTexts[language];
  const [first] = links;
  const label = links.length === 1 && first !== undefined ? first.label : null;
  const opens = links.reduce((sum, link) => sum + link.opens, 0);
  const { subject, text } =
    kind === "digest" ? texts.digest(opens, links.length) : texts.firstOpen(links.length, label);
  const more = links.length - namedMax;
  const url = label === null ? `${origin}/links` : `${origin}/links/${first?.linkId ?? ""}`;
  const blocks: readonly MailBlock[] = [
    { kind: "paragraph", text },
    { kind: "facts", facts: links.slice(0, namedMax).map((link) => factOf(input, link)) },
    ...(more > 0 ? [{ kind: "paragraph", text: texts.more(more) } as const] : []),
    { kind: "small", text: kind === "digest" ? texts.counted : `${texts.counted} ${texts.known}` },
    { kind: "action", label: texts.see, url },
  ];
  const settings = { label: texts.change, url: `${origin}/account/profile#open-mails` };
  return {
    id: `opens-${accountId}-${Date.parse(until)}`,
    to: { name: contact.fullName, address: contact.email },
    subject,
    language,
    automatic: true,
    unsubscribe: { url: input.offUrl },
    feedbackId: input.feedbackId,
    ...renderMail({
      language,
      title: subject,
      preheader: text,
      blocks,
      footer: [{ kind: "small", text: texts.whyReceived, link: settings }],
    }),
  };
}

/** How often, and when and where first. */
function factOf({ kind, contact }: OpenMailInput, link: OpenMailInput["links"][number]) {
  const { language, timeZone } = contact;
  const texts = openMailTexts[language];
  const at = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone });
  const time = at.format(Date.parse(link.firstAt));
  const value =
    kind === "digest"
      ? texts.times(link.opens, time)
      : [time, ...(link.country === null ? [] : [countryName(link.country, language)])].join(", ");
  return { term: link.label, value };
}

const countryName = (country: string, language: Locale): string =>
  new Intl.DisplayNames(language, { type: "region", fallback: "code" }).of(country) ?? country;
