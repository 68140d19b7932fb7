import { connectMailer, type Mailer } from "@pro-talent/platform/mail/mailer";
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import type { Reminder } from "@pro-talent/schemas/applications/application";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { applicationPartCalls } from "@pro-talent/schemas/applications/part-calls";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import { localTimeIn } from "@pro-talent/schemas/primitives/local-time";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { deliverMessage } from "../../../kernel/outbox.ts";
import { addOne, whole } from "./applicant-calls.ts";
import { type Applicant, openTrackerService, type TrackerService } from "./tracker-service.ts";

const zone = "Asia/Jerusalem";
const Open = applicationCalls["GET /api/applications/reminders"].answer;
const Planned = applicationPartCalls["POST /api/applications/:applicationId/reminders"].answer;

/** A tracker whose mails a server of the tests receives. */
export async function openReminded() {
  const [service, smtp] = await Promise.all([openTrackerService(), startScriptedSmtp()]);
  const from = { name: "Pro Talent", address: "hello@talent.example" };
  const mailer = connectMailer({ smtpUrl: smtp.url, from });
  const parts = { service, smtp, mailer };
  return {
    ...parts,
    newApplicant: (language?: Locale) => newApplicant(parts, language),
    /** Does what is due, and delivers what is in the outbox, as a worker does. */
    sweepAndDeliver: async () => {
      await service.sweep();
      await deliver(parts);
    },
    /** Ends what a test has left to be done. */
    settle: async () => {
      smtp.forget();
      await service.setAhead(0);
      const { owner } = service.ledger;
      await owner`delete from ledger.due_timer`;
      await owner`update ledger.outbox set given_up_at = now() where done_at is null`;
    },
    close: async () => {
      await Promise.all([mailer.close(), service.close()]);
      await smtp.stop();
    },
  };
}

export type Reminded = Awaited<ReturnType<typeof openReminded>>;

type Parts = {
  readonly service: TrackerService;
  readonly smtp: ScriptedSmtp;
  readonly mailer: Mailer;
};

type RemindedApplicant = Applicant & {
  readonly applicationId: string;
  /** The time that clocks of the zone show so much later. */
  readonly timeIn: (ms: number) => ReturnType<typeof localTimeIn>;
  readonly plan: (inMs: number) => Promise<Reminder>;
  readonly change: (reminderId: string, change: object) => ReturnType<Applicant["send"]>;
  readonly mails: () => ReturnType<ReturnType<ScriptedSmtp["accepted"]>[number]["read"]>[];
  readonly whole: () => ReturnType<typeof whole>;
};

/** An applicant with an application. */
async function newApplicant(
  { service, smtp }: Parts,
  language: Locale = "en",
): Promise<RemindedApplicant> {
  const applicant = await service.applicant("premium", language);
  const applicationId = await addOne(applicant);
  const path = `/api/applications/${applicationId}/reminders`;
  const timeIn = (ms: number) => localTimeIn(instantPlus(service.now(), ms), zone);
  return {
    ...applicant,
    applicationId,
    timeIn,
    plan: async (inMs) => {
      const reminder = { at: timeIn(inMs), zone, text: "להתקשר לדנה", byMail: true };
      return Planned.parse((await applicant.send("POST", path, reminder)).json()).reminder;
    },
    change: (reminderId, change) => applicant.send("PATCH", `${path}/${reminderId}`, change),
    mails: () =>
      smtp.accepted().flatMap(({ to, read }) => (to === applicant.email ? [read()] : [])),
    whole: () => whole(applicant, applicationId),
  };
}

/** The reminders of an applicant that are not done. */
export async function openReminders({ send }: Applicant) {
  const query = `until=2040-01-01&zone=${zone}`;
  return Open.parse((await send("GET", `/api/applications/reminders?${query}`)).json()).reminders;
}

async function deliver({ service, mailer }: Parts): Promise<void> {
  const handlers = service.module.messages({ ...service.worker, mailer }, {});
  const messages = await service.ledger.sql<{ id: number }[]>`
    select id from ledger.outbox where done_at is null and given_up_at is null order by id`;
  for (const { id } of messages) await deliverMessage(service.ledger.sql, handlers, id);
}
