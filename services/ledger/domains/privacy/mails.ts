import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import { type Mail, type Mailer, MailRefused } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import type { Notice } from "@pro-talent/schemas/privacy/events";

import type { Contact, ContactOf } from "../../contacts.ts";
import type { Eraser } from "../../kernel/erasers.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandler } from "../../kernel/timers.ts";
import { formMail } from "./form/form-mails.ts";
import { mailboxOf, senderOf } from "./form/sender.ts";
import type { EventOf } from "./guards.decider.ts";
import { factsOf, reasonOf } from "./mail-facts.ts";
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
  const { ledger, mailer } = context;
  return async (id, why) => {
    const { state } = await loadState(ledger.sql, privacyRequests, id);
    const request = await findRequest(ledger.sql, id);
    if (state.status === "none" || request === undefined) return;
    for (const owed of state.notices.filter((notice) => noticeDue(notice) <= why.now)) {
      const { notice } = owed;
      const result = await mailOf(context, contactOf, { notice, request }).then(
        (mail) => sendTo(mailer, mail),
        () => "later" as const,
      );
      await recordWork(context, id, { type: "NoticeTried", data: { notice, result } }, why);
    }
  };
}

type Result = EventOf<"NoticeTried">["data"]["result"];

type Due = { readonly notice: Notice; readonly request: RequestRow };

/**
 * The mail of a notice: to the holder of the account, or to the sender of a form in the language of the form. Whom
 * a form is about is notified of it.
 * @returns undefined when the address is not known any more
 */
async function mailOf(
  context: WorkerContext,
  contactOf: ContactOf,
  { notice, request }: Due,
): Promise<Mail | undefined> {
  const { requestId, accountId, relation } = request;
  const { publicOrigin: origin } = context;
  if (accountId !== null && (relation === null || notice === "asked-for-you")) {
    const contact = await contactOf(accountId);
    return contact && requestMail(notice, { request, contact, origin });
  }
  const sender = relation === null ? undefined : await senderOf(context, requestId);
  if (sender === undefined) return undefined;
  const to = notice === "asked-for-you" ? { ...sender, email: mailboxOf(sender) } : sender;
  return formMail(context, notice, { request, sender: to });
}

async function sendTo(mailer: Mailer, mail: Mail | undefined): Promise<Result> {
  if (mail === undefined) return "no-account";
  return await mailer.send(mail).then(
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
