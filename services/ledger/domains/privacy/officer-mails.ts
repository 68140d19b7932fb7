import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { internalStaffCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { OfficerWarning } from "@pro-talent/schemas/privacy/clocks";

import type { Contact, ContactOf } from "../../contacts.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { warningTexts } from "./officer-mail-texts.ts";
import type { RequestRow } from "./read-models.ts";
import { type Sent, sendTo } from "./send-notice.ts";

/** The accounts of privacy officers. */
export type OfficersOf = () => Promise<readonly string[]>;

/** Asks the accounts service. */
export function officersOver(accounts: ServiceAddress): OfficersOf {
  const call = callService(accounts, internalStaffCalls);
  return async () => (await call("GET /internal/accounts/officers", {})).accountIds;
}

type Warned = { readonly warning: OfficerWarning; readonly request: RequestRow };

/**
 * Warns the officer who last had the request, or all when none had it. From the second time on all are
 * warned, so that another one takes it: what comes on the last day alone may come on a weekend. An officer does not decide about their own request.
 */
export async function warnOfficers(
  { mailer, publicOrigin }: WorkerContext,
  parts: { readonly contactOf: ContactOf; readonly officersOf: OfficersOf },
  warned: Warned,
): Promise<Sent> {
  const { accountId, leaseOfficer, requestId } = warned.request;
  const all = (await parts.officersOf()).filter((id) => id !== accountId);
  const isTheirs = warned.warning === "day-14" && all.some((id) => id === leaseOfficer);
  const results = await Promise.all(
    all
      .filter((id) => !isTheirs || id === leaseOfficer)
      .map(async (id) => {
        const contact = await parts.contactOf(id);
        const mailFor = (known: Contact): Mail => ({
          ...warningMail(warned, known, publicOrigin),
          id: `privacy-${warned.warning}-${requestId}-${id}`,
        });
        return await sendTo(mailer, contact, mailFor);
      }),
  );
  // Without an officer who can be reached it is tried again, as the law runs on.
  return results.includes("sent") && !results.includes("later") ? "sent" : "later";
}

function warningMail({ warning, request }: Warned, contact: Contact, origin: string) {
  const { language, timeZone, email, fullName } = contact;
  const texts = warningTexts[language];
  const { subject, text } = texts.mails[warning];
  const { requestId, type, dueAt, receivedAt } = request;
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  });
  const facts = [
    { term: texts.number, value: requestId.slice(0, 8) },
    { term: texts.type, value: texts.types[type] },
    { term: texts.received, value: format.format(Date.parse(receivedAt)) },
    { term: texts.due, value: format.format(Date.parse(instantPlus(dueAt, -1))) },
  ];
  return {
    to: { name: fullName, address: email },
    subject,
    language,
    automatic: true,
    ...renderMail({
      language,
      title: subject,
      preheader: text,
      blocks: [
        { kind: "paragraph", text },
        { kind: "facts", facts },
        { kind: "action", label: texts.see, url: `${origin}/console/privacy/${requestId}` },
      ],
      footer: [{ kind: "small", text: texts.whyReceived }],
    }),
  };
}
