import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { type HolderNotice, isOfficerWarning } from "@pro-talent/schemas/privacy/events";

import type { Contact, ContactOf } from "../../contacts.ts";
import type { Eraser } from "../../kernel/erasers.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandler } from "../../kernel/timers.ts";
import { formMail } from "./form/form-mails.ts";
import { mailboxOf, senderOf } from "./form/sender.ts";
import { addedTo, certificateUrl, factsOf } from "./mail-facts.ts";
import { type RequestMail, requestMailTexts } from "./mail-texts.ts";
import { type OfficersOf, warnOfficers } from "./officer-mails.ts";
import { findRequest, isOpenDeletion, type RequestRow, requestsOf } from "./read-models.ts";
import { privacyRequests } from "./requests.ts";
import { type Sent, sendTo } from "./send-notice.ts";
import { noticeDue } from "./timers.ts";
import { recordWork } from "./work.ts";

/**
 * Notifies account holders by mail of what a law demands. Each attempt is recorded; one that fails is
 * made again by the timer of the request, until it arrives, is refused, or the account is gone.
 */
export function noticeHandler(
  context: WorkerContext,
  parts: { readonly contactOf: ContactOf; readonly officersOf: OfficersOf },
): TimerHandler {
  return async (id, why) => {
    const { state } = await loadState(context.ledger.sql, privacyRequests, id);
    const request = await findRequest(context.ledger.sql, id);
    if (state.status === "none" || request === undefined) return;
    for (const owed of state.notices.filter((one) => noticeDue(one) <= why.now)) {
      const { notice } = owed;
      const result = await (
        isOfficerWarning(notice)
          ? warnOfficers(context, parts, { warning: notice, request })
          : notifyPerson(context, parts.contactOf, { notice, request })
      ).catch(() => "later" as const);
      await recordWork(context, id, { type: "NoticeTried", data: { notice, result } }, why);
    }
  };
}

function mailOf(notice: HolderNotice, { identity, deniedFields }: RequestRow): RequestMail {
  if (notice === "scheduled" && identity === "inactivity") return "scheduled-unused";
  if (notice === "corrected" && deniedFields.length > 0) return "corrected-in-part";
  return notice;
}

type Due = { readonly notice: HolderNotice; readonly request: RequestRow };

/**
 * Notifies the holder of the account, or the sender of a form in the language of the form. The data
 * subject of a form is notified of it.
 */
async function notifyPerson(
  context: WorkerContext,
  contactOf: ContactOf,
  { notice, request }: Due,
): Promise<Sent> {
  const { requestId, accountId, relation } = request;
  const { mailer, publicOrigin: origin } = context;
  if (accountId !== null && (relation === null || notice === "asked-for-you"))
    return await sendTo(mailer, await contactOf(accountId), (contact) =>
      requestMail(mailOf(notice, request), { request, contact, origin }),
    );
  const sender = relation === null ? undefined : await senderOf(context, requestId);
  const to =
    sender && notice === "asked-for-you" ? { ...sender, email: mailboxOf(sender) } : sender;
  return await sendTo(mailer, to, (known) => formMail(context, notice, { request, sender: known }));
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
  const paragraphs = [...text, ...addedTo(mail, request, language)];
  const { requestId } = request;
  // The account is gone: what is left to see is found by the number of the request.
  const page =
    mail === "begun"
      ? { label: texts.certificate, url: certificateUrl(origin, requestId, language) }
      : { label: texts.see, url: `${origin}/account/privacy` };
  const blocks: readonly MailBlock[] = [
    ...paragraphs.map((paragraph) => ({ kind: "paragraph", text: paragraph }) as const),
    { kind: "facts", facts: factsOf(mail, request, contact) },
    { kind: "action", ...page },
    ...(texts.notYou[mail] === undefined
      ? []
      : [{ kind: "small", text: texts.notYou[mail] } as const]),
  ];
  return {
    id: `privacy-${mail}-${requestId}`,
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
