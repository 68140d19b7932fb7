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

type Warned<Request = Pick<RequestRow, "accountId" | "leaseOfficer">> = {
  readonly warning: OfficerWarning;
  readonly request: Request;
};

/**
 * The officer who last had the request, or all when none had it. From the second time on all are warned, so
 * that another one takes it: what comes on the last day alone may come on a weekend. An officer does not
 * decide about their own request.
 */
export function warnedOfficers(
  officers: readonly string[],
  { warning, request: { accountId, leaseOfficer } }: Warned,
): readonly string[] {
  const all = officers.filter((id) => id !== accountId);
  const isTheirs = warning === "day-14" && all.some((id) => id === leaseOfficer);
  return isTheirs ? all.filter((id) => id === leaseOfficer) : all;
}

/** Warns them by mail. Without an officer who can be reached it is tried again, as the law runs on. */
export async function warnOfficers(
  { mailer, publicOrigin }: WorkerContext,
  parts: { readonly contactOf: ContactOf; readonly officersOf: OfficersOf },
  warned: Warned<RequestRow>,
): Promise<Sent> {
  const { warning, request } = warned;
  const recipients = warnedOfficers(await parts.officersOf(), warned);
  const results = await Promise.all(
    recipients.map(async (id) => {
      const mailFor = (contact: Contact): Mail => ({
        ...warningMail(warning, request, { contact, origin: publicOrigin }),
        id: `privacy-${warning}-${request.requestId}-${id}`,
      });
      return await sendTo(mailer, await parts.contactOf(id), mailFor);
    }),
  );
  return results.includes("sent") && !results.includes("later") ? "sent" : "later";
}

function warningMail(
  warning: OfficerWarning,
  request: RequestRow,
  { contact, origin }: { readonly contact: Contact; readonly origin: string },
) {
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
