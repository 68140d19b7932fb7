import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import { type Mail, MailRefused } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { z } from "zod";

import type { WorkerContext } from "../../../kernel/module.ts";
import type { MessageHandlers } from "../../../kernel/outbox.ts";
import { loadState } from "../../../kernel/streams.ts";
import { certificateUrl, factsOf, addedTo } from "../mail-facts.ts";
import type { FormRequestMail } from "../mail-texts.ts";
import { findRequest, type RequestRow } from "../read-models.ts";
import { codeMessage, privacyRequests } from "../requests.ts";
import type { KnownRequest } from "../state.decider.ts";
import { type FormMail, formMailTexts } from "./form-texts.ts";
import { codeOf, statusLink } from "./proofs.ts";
import { type Sender, senderOf } from "./sender.ts";

const Payload = z.object({ requestId: Uuid, number: z.int().positive() });

/**
 * Mails the code of a form. It is the same for every address, known or not, and counts among the mails that
 * anyone can have sent to a mailbox; one that is to receive nothing gets none.
 */
export function codeHandler(context: WorkerContext): MessageHandlers {
  return {
    [codeMessage]: async (payload) => {
      const { requestId, number } = Payload.parse(payload);
      const { state } = await loadState(context.ledger.sql, privacyRequests, requestId);
      // A newer one was asked for, or none is needed any more.
      if (state.status === "none" || state.codes.number !== number || state.codes.used) return;
      const kind = kindOf(state.status);
      const [sender, request] = [
        await senderOf(context, requestId),
        await findRequest(context.ledger.sql, requestId),
      ];
      if (sender === undefined || request === undefined) return;
      const mail = codeMail(context, kind, { request, sender, number });
      if ((await context.mailboxes.admit(sender.email, mail.id)) !== "admitted") return;
      await context.mailer.send(mail).catch((error: unknown) => {
        if (!(error instanceof MailRefused)) throw error;
      });
    },
  };
}

function kindOf(status: KnownRequest["status"]): "code" | "package-code" | "link" {
  if (status === "received") return "code";
  return status === "ready" ? "package-code" : "link";
}

type About = { readonly request: RequestRow; readonly sender: Sender };

function codeMail(
  context: WorkerContext,
  kind: "code" | "package-code" | "link",
  { request, sender, number }: About & { readonly number: number },
): Mail {
  const texts = formMailTexts[sender.language];
  const code = codeOf(context, request.requestId, number);
  const blocks: readonly MailBlock[] = [
    ...texts.mails[kind].text.map((text) => ({ kind: "paragraph", text }) as const),
    ...(kind === "link"
      ? []
      : [{ kind: "facts", facts: [{ term: texts.code, value: code }] } as const]),
    {
      kind: "action",
      label: kind === "link" ? texts.see : texts.enter,
      url: statusLink(context, request.requestId),
    },
    { kind: "small", text: texts.notYou },
  ];
  return {
    ...mailOf(kind, sender, blocks),
    id: `privacy-${kind}-${request.requestId}-${number}`,
    feedbackId: context.mailboxes.feedbackIdOf(sender.email),
  };
}

/** A mail about a form. Its id is the same at every attempt. */
export function formMail(
  context: Pick<WorkerContext, "publicOrigin" | "deriveKey">,
  mail: FormRequestMail,
  { request, sender }: About,
): Mail {
  const { language } = sender;
  const texts = formMailTexts[language];
  const { text } = texts.mails[mail];
  const paragraphs = [...text, ...addedTo(mail, request, language)];
  const label =
    { "asked-for-you": texts.link, begun: texts.certificate }[String(mail)] ?? texts.see;
  const types: Readonly<Record<string, string>> = texts.types;
  // Dates in Israel, where the due date is counted: no form says in which zone its sender is.
  const facts = factsOf(mail, request, { language, timeZone: "Asia/Jerusalem" }).map(
    (fact, index) => (index === 0 ? { ...fact, value: types[request.type] ?? fact.value } : fact),
  );
  const blocks: readonly MailBlock[] = [
    ...paragraphs.map((paragraph) => ({ kind: "paragraph", text: paragraph }) as const),
    { kind: "facts", facts },
    {
      kind: "action",
      label,
      // Of the erasure itself only the certificate is left to be seen.
      url:
        mail === "begun"
          ? certificateUrl(context.publicOrigin, request.requestId, language)
          : statusLink(context, request.requestId),
    },
  ];
  return { ...mailOf(mail, sender, blocks), id: `privacy-${mail}-${request.requestId}` };
}

function mailOf(
  mail: FormMail,
  { email, language }: Sender,
  blocks: readonly MailBlock[],
): Omit<Mail, "id"> {
  const texts = formMailTexts[language];
  const { subject, text } = texts.mails[mail];
  return {
    to: { address: email },
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
