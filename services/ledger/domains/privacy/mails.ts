import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import { type Mail, type Mailer, MailRefused } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { Notice } from "@pro-talent/schemas/privacy/events";
import { privacyLimits } from "@pro-talent/schemas/privacy/limits";

import type { Contact, ContactOf } from "../../contacts.ts";
import type { Eraser } from "../../kernel/erasers.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandler } from "../../kernel/timers.ts";
import type { EventOf } from "./guards.decider.ts";
import { type RequestMail, requestMailTexts } from "./mail-texts.ts";
import { findRequest, isOpenDeletion, type RequestRow, requestsOf } from "./read-models.ts";
import { privacyRequests } from "./requests.ts";
import { noticeDue } from "./timers.ts";
import { recordWork } from "./work.ts";

/**
 * Notifies account holders by mail of what a law demands. Each attempt is recorded; one that fails is
 * made again by the timer of the request, until it arrives, is refused, or the account is gone.
 */
export function noticeHandler(context: WorkerContext, contactOf: ContactOf): TimerHandler {
  const { ledger, mailer, publicOrigin: origin } = context;
  return async (id, why) => {
    const { state } = await loadState(ledger.sql, privacyRequests, id);
    const request = await findRequest(ledger.sql, id);
    if (state.status === "none" || state.accountId === null || request === undefined) return;
    for (const owed of state.notices.filter((notice) => noticeDue(notice) <= why.now)) {
      const { notice } = owed;
      const result = await contactOf(state.accountId).then(
        (contact) =>
          sendTo(mailer, contact, (known) =>
            requestMail(mailOf(notice, request), { request, contact: known, origin }),
          ),
        () => "later" as const,
      );
      await recordWork(context, id, { type: "NoticeTried", data: { notice, result } }, why);
    }
  };
}

const mailOf = (notice: Notice, { identity }: RequestRow): RequestMail =>
  notice === "scheduled" && identity === "inactivity" ? "scheduled-unused" : notice;

type Result = EventOf<"NoticeTried">["data"]["result"];

async function sendTo(
  mailer: Mailer,
  contact: Contact | undefined,
  mailFor: (contact: Contact) => Mail,
): Promise<Result> {
  if (contact === undefined) return "no-account";
  return await mailer.send(mailFor(contact)).then(
    () => "sent" as const,
    // The address accepts no mail: its holder sees the state of the request on the privacy page.
    (error: unknown) => (error instanceof MailRefused ? "refused" : "later"),
  );
}

/**
 * The first step of an erasure: its holder learns of it while their address is still known. A mail that
 * cannot be sent now stops no erasure.
 */
export function lastMail(contactOf: ContactOf): Eraser {
  return {
    step: "notice",
    erase: async (context, { accountId }) => {
      const { ledger, mailer, publicOrigin: origin } = context;
      const contact = await contactOf(accountId);
      const request = (await requestsOf(ledger.sql, accountId)).find(isOpenDeletion);
      if (contact === undefined || request === undefined) return { found: 0, left: 0 };
      const mail = requestMail("begun", { request, contact, origin });
      const sent = await mailer.send(mail).then(
        () => 1,
        () => 0,
      );
      return { found: sent, left: 0 };
    },
  };
}

type About = { readonly request: RequestRow; readonly contact: Contact; readonly origin: string };

/** A mail about a request. Its id is the same at every attempt. */
export function requestMail(mail: RequestMail, { request, contact, origin }: About): Mail {
  const { language } = contact;
  const texts = requestMailTexts[language];
  const { subject, text } = texts.mails[mail];
  const paragraphs = mail === "denied" ? [...text, reasonOf(request, language)] : text;
  const privacyPage = { label: texts.see, url: `${origin}/account/privacy` };
  const blocks: readonly MailBlock[] = [
    ...paragraphs.map((paragraph) => ({ kind: "paragraph", text: paragraph }) as const),
    { kind: "facts", facts: factsOf(mail, request, contact) },
    ...(mail === "begun" ? [] : [{ kind: "action", ...privacyPage } as const]),
    ...(texts.notYou[mail] === undefined
      ? []
      : [{ kind: "small", text: texts.notYou[mail] } as const]),
  ];
  return {
    id: `privacy-${mail}-${request.requestId}`,
    to: { name: contact.fullName, address: contact.email },
    subject,
    language,
    automatic: true,
    ...renderMail({
      language,
      title: subject,
      preheader: text[0] ?? subject,
      blocks,
      footer: [{ kind: "small", text: texts.whyReceived }],
    }),
  };
}

const reasonOf = ({ denialReason }: RequestRow, language: Locale): string =>
  requestMailTexts[language].reasons[denialReason ?? "other"];

const dayMs = 24 * 60 * 60_000;

/** What was asked for, and the dates, in the zone of the account's holder. */
function factsOf(mail: RequestMail, request: RequestRow, { language, timeZone }: Contact) {
  const { type, receivedAt, dueAt, eraseAt, packageExpiresAt } = request;
  const texts = requestMailTexts[language];
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  });
  const fact = (term: string, at: Instant | null) =>
    at === null ? [] : [{ term, value: format.format(Date.parse(at)) }];
  const asked = [
    { term: texts.request, value: texts.types[type] },
    ...fact(texts.requested, receivedAt),
  ];
  const backups = fact(texts.backups, instantPlus(receivedAt, privacyLimits.backupDays * dayMs));
  switch (mail) {
    case "received":
    case "extended":
      // The due date binds although an extension would be permitted.
      return [...asked, ...fact(texts.due, instantPlus(dueAt, -1))];
    case "ready":
      return [...asked, ...fact(texts.until, packageExpiresAt)];
    case "scheduled":
    case "scheduled-unused":
    case "hold-released":
      return [...asked, ...fact(texts.erased, eraseAt), ...backups];
    case "begun":
      return [...asked, ...backups];
    default:
      return asked;
  }
}
