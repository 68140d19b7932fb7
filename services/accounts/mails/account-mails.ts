import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { RequestedMail } from "../requested-mails.ts";
import { accountTexts } from "./account-texts.ts";

/** A mail that asks for one step: which texts, and where its button leads. */
export type LinkMailKind =
  | "registration"
  | "accountExists"
  | "invitation"
  | "launch"
  | "reset"
  | "newAddress";

type Addressed = {
  /** Of the request: the same for every attempt. */
  readonly mailId: string;
  readonly email: string;
  readonly language: Locale;
};

/**
 * A mail with one link. The address that it goes to may be that of a stranger: it says so.
 * @param link.discountPercent what the first invoice is reduced by; 0 for nothing
 */
export function linkMail(
  to: Addressed,
  kind: LinkMailKind,
  { url, discountPercent = 0 }: { url: string; discountPercent?: number },
): Mail {
  const { ignore, discount, [kind]: texts } = accountTexts[to.language];
  return mailOf(to, texts, [
    { kind: "paragraph", text: texts.opening },
    ...(discountPercent === 0
      ? []
      : [{ kind: "paragraph", text: discount(discountPercent) } as const]),
    { kind: "action", label: texts.button, url },
    { kind: "small", text: texts.valid },
    { kind: "small", text: ignore },
  ]);
}

/**
 * The launch, to someone on the waitlist who has an account already.
 * @param discountPercent what the account was granted; 0 for nothing
 */
export function launchNotice(to: Addressed, discountPercent: number, publicOrigin: string): Mail {
  const { holderDiscount, launchNotice: texts } = accountTexts[to.language];
  return mailOf(to, texts, [
    { kind: "paragraph", text: texts.opening },
    ...(discountPercent === 0
      ? []
      : [{ kind: "paragraph", text: holderDiscount(discountPercent) } as const]),
    { kind: "action", label: texts.button, url: `${publicOrigin}/pricing` },
  ]);
}

/** What the holder is notified of; none of it carries a token. */
export type Notice = Extract<RequestedMail, { kind: keyof typeof noticeTexts }>;
const noticeTexts = {
  "password-changed": "passwordChanged",
  "new-device": "newDevice",
  "address-changed": "addressChanged",
  factor: "factor",
  "recovery-done": "recoveryDone",
  "recovery-refused": "recoveryRefused",
} as const;

/**
 * Reports a change to the holder, and what to do when it was not theirs.
 * @param publicOrigin of the site, where its button leads
 */
export function noticeMail(to: Addressed, notice: Notice, publicOrigin: string): Mail {
  const texts = accountTexts[to.language][noticeTexts[notice.kind]];
  const page = notice.kind === "address-changed" ? "/contact" : "/login/forgotten";
  return mailOf(to, texts, [
    ...reportOf(notice),
    { kind: "paragraph", text: texts.notYou },
    { kind: "action", label: texts.button, url: publicOrigin + page },
  ]);
}

function reportOf(notice: Notice): readonly MailBlock[] {
  const texts = accountTexts[notice.language];
  switch (notice.kind) {
    case "password-changed":
      return [{ kind: "paragraph", text: texts.passwordChanged.opening }];
    case "address-changed":
      return [{ kind: "paragraph", text: texts.addressChanged.opening }];
    case "recovery-done":
      return [{ kind: "paragraph", text: texts.recoveryDone.opening }];
    case "recovery-refused":
      return [{ kind: "paragraph", text: texts.recoveryRefused.opening }];
    case "factor":
      return [{ kind: "paragraph", text: texts.factor.changes[notice.change] }];
    case "new-device":
      return [
        { kind: "paragraph", text: texts.newDevice.opening },
        {
          kind: "facts",
          facts: [
            { term: texts.browser, value: notice.browser ?? texts.unknown },
            { term: texts.system, value: notice.system ?? texts.unknown },
            { term: texts.time, value: hourOf(notice) },
          ],
        },
      ];
  }
}

/**
 * Reports that the second factors are to be removed, and how to refuse it.
 * @param url of the link that refuses it
 */
export function recoveryMail(
  to: Addressed,
  { timeZone, atMs }: Extract<RequestedMail, { kind: "recovery" }>,
  url: string,
): Mail {
  const texts = accountTexts[to.language].recovery;
  const form = { dateStyle: "long", timeStyle: "short", timeZone } as const;
  const due = new Intl.DateTimeFormat(to.language, form).format(atMs);
  return mailOf(to, texts, [
    { kind: "paragraph", text: texts.opening(due) },
    { kind: "paragraph", text: texts.notYou },
    { kind: "action", label: texts.button, url },
    { kind: "small", text: texts.yours },
  ]);
}

/** To the hour, in the holder's zone: enough to recognise one's own sign-in. */
function hourOf(notice: Extract<Notice, { kind: "new-device" }>): string {
  const { language, timeZone, atMs } = notice;
  const form = { dateStyle: "long", timeStyle: "short", timeZone } as const;
  const hourMs = 60 * 60 * 1000;
  return new Intl.DateTimeFormat(language, form).format(Math.floor(atMs / hourMs) * hourMs);
}

type MailTexts = {
  readonly subject: string;
  readonly title: string;
  readonly preheader: string;
  /** Why it is received, where that is not the security of the account. */
  readonly why?: string;
};

function mailOf(
  { mailId, email, language }: Addressed,
  { subject, title, preheader, why }: MailTexts,
  blocks: readonly MailBlock[],
): Mail {
  const footer: MailBlock = { kind: "small", text: why ?? accountTexts[language].whyReceived };
  return {
    id: `account-${mailId}`,
    to: { address: email },
    subject,
    language,
    automatic: true,
    ...renderMail({ language, title, preheader, blocks, footer: [footer] }),
  };
}
