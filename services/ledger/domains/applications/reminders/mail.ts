import type { MailBlock } from "@pro-talent/platform/mail/blocks";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";

import type { Contact } from "../../../contacts.ts";
import { dueAtOf, type ReminderTime } from "./decider.ts";
import { reminderTexts } from "./mail-texts.ts";

/** A reminder that came due. `time`: how often it did, put off between. */
export type DueReminder = {
  readonly applicationId: string;
  readonly reminderId: string;
  readonly time: number;
};

type ReminderMailInput = DueReminder & {
  readonly planned: ReminderTime;
  readonly company: string;
  readonly role: string;
  readonly contact: Contact;
  readonly origin: string;
  /** Where one click turns the mails off. */
  readonly offUrl: string;
  readonly feedbackId: string;
};

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const mailIds = new RegExp(`^reminder-(?<application>${uuid})-${uuid}-\\d+$`, "u");

/** The application of a mail of a reminder; undefined for the ids of other mails. */
export const applicationOfMail = (mailId: string): string | undefined =>
  mailIds.exec(mailId)?.groups?.["application"];

/** A mail of a reminder that came due; its id is the same at every attempt. */
export function reminderMail(input: ReminderMailInput): Mail {
  const { applicationId, reminderId, time, company, role, contact, origin } = input;
  const { language } = contact;
  const texts = reminderTexts[language];
  const subject = texts.subject(role === "" ? company : `${company}, ${role}`);
  const url = `${origin}/applications/${applicationId}`;
  const blocks: readonly MailBlock[] = [
    { kind: "paragraph", text: texts.text },
    { kind: "facts", facts: [{ term: texts.time, value: plannedText(input) }] },
    { kind: "action", label: texts.see, url },
    { kind: "small", text: texts.note },
  ];
  return {
    id: `reminder-${applicationId}-${reminderId}-${time}`,
    to: { name: contact.fullName, address: contact.email },
    subject,
    language,
    automatic: true,
    unsubscribe: { url: input.offUrl },
    feedbackId: input.feedbackId,
    ...renderMail({
      language,
      title: subject,
      preheader: texts.text,
      blocks,
      footer: [{ kind: "small", text: texts.whyReceived, link: { label: texts.change, url } }],
    }),
  };
}

/** The time by the clocks of the reminder's zone, as it was planned. */
function plannedText({ planned, contact }: ReminderMailInput): string {
  const format = new Intl.DateTimeFormat(contact.language, {
    dateStyle: "full",
    timeStyle: "short",
    timeZone: planned.zone,
  });
  return format.format(Date.parse(dueAtOf(planned)));
}
