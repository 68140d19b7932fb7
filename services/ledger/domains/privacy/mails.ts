import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import { type Mail, type Mailer, MailRefused } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { privacyLimits } from "@pro-talent/schemas/privacy/limits";

import type { Contact, ContactOf } from "../../contacts.ts";
import type { Eraser } from "../../kernel/erasers.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import type { MessageHandlers } from "../../kernel/outbox.ts";
import { type DeletionMail, deletionMailTexts } from "./mail-texts.ts";
import { findRequest, isOpenDeletion, type RequestRow, requestsOf } from "./read-models.ts";
import { deletionMailMessage, DeletionMailPayload } from "./requests.ts";

/** Sends the mails about deletions. None is sent about a state that is over meanwhile. */
export function deletionMailHandlers(
  { ledger, mailer, publicOrigin: origin }: WorkerContext,
  contactOf: ContactOf,
): MessageHandlers {
  return {
    [deletionMailMessage]: async (payload) => {
      const { requestId, mail } = DeletionMailPayload.parse(payload);
      const request = await findRequest(ledger.sql, requestId);
      const holds = mail === "scheduled" ? request?.status : request?.outcome;
      const accountId = request?.accountId ?? null;
      if (request === undefined || accountId === null || holds !== mail) return;
      const contact = await contactOf(accountId);
      if (contact === undefined) return;
      await sendUnlessRefused(mailer, deletionMail(mail, { request, contact, origin }));
    },
  };
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
      const mail = deletionMail("begun", { request, contact, origin });
      const sent = await mailer.send(mail).then(
        () => 1,
        () => 0,
      );
      return { found: sent, left: 0 };
    },
  };
}

/** The address accepts no mail: its holder sees the state of the request on the privacy page. */
async function sendUnlessRefused(mailer: Mailer, mail: Mail): Promise<void> {
  await mailer.send(mail).catch((error: unknown) => {
    if (!(error instanceof MailRefused)) throw error;
  });
}

type About = { readonly request: RequestRow; readonly contact: Contact; readonly origin: string };

/** A mail about the deletion of an account. Its id is the same at every attempt. */
export function deletionMail(mail: DeletionMail, { request, contact, origin }: About): Mail {
  const { language } = contact;
  const texts = deletionMailTexts[language];
  const { subject, text } = texts.mails[mail];
  const privacyPage = { label: texts.see, url: `${origin}/account/privacy` };
  const blocks: readonly MailBlock[] = [
    ...text.map((paragraph) => ({ kind: "paragraph", text: paragraph }) as const),
    { kind: "facts", facts: factsOf(mail, request, contact) },
    ...(mail === "begun" ? [] : [{ kind: "action", ...privacyPage } as const]),
    ...(mail === "scheduled" ? [{ kind: "small", text: texts.notYou } as const] : []),
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

const dayMs = 24 * 60 * 60_000;

/** The dates, in the zone of the account's holder. */
function factsOf(
  mail: DeletionMail,
  { receivedAt, eraseAt }: RequestRow,
  { language, timeZone }: Contact,
) {
  const texts = deletionMailTexts[language];
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  });
  const fact = (term: string, at: Instant) => ({ term, value: format.format(Date.parse(at)) });
  const requested = fact(texts.requested, receivedAt);
  const backups = fact(texts.backups, instantPlus(receivedAt, privacyLimits.backupDays * dayMs));
  if (mail === "cancelled") return [requested];
  return eraseAt === null || mail === "begun"
    ? [requested, backups]
    : [requested, fact(texts.erased, eraseAt), backups];
}
