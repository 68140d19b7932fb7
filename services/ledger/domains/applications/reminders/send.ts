import { randomUUID } from "node:crypto";

import { MailRefused } from "@pro-talent/platform/mail/mailer";
import { reminderMailsOffPath } from "@pro-talent/schemas/applications/mail-calls";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { ContactOf } from "../../../contacts.ts";
import type { CommandContext } from "../../../kernel/commands.ts";
import type { LedgerContext, MailReturnHandler, WorkerContext } from "../../../kernel/module.ts";
import type { MessageHandlers } from "../../../kernel/outbox.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { TimerHandlers } from "../../../kernel/timers.ts";
import { offAddress } from "../../../off-tokens.ts";
import { isRestricted } from "../../../restriction.ts";
import { applications, commandApplication, reminderMessage, remindTimer } from "../applications.ts";
import { remindersOf } from "../read-models.ts";
import { detailsOf } from "../views.ts";
import { applicationOfMail, type DueReminder, reminderMail } from "./mail.ts";

const Payload = z.object({ applicationId: Uuid, reminderId: Uuid, time: z.int() });

/** How one click turns mails of reminders off. */
export const reminderMailsOff = {
  label: "turning off mails of reminders",
  path: reminderMailsOffPath,
};

export type ReminderParts = { readonly context: WorkerContext; readonly contactOf: ContactOf };

/**
 * Records reminders that are due. One that is not due by today's rules of its zone stays, and so does one
 * of an account whose deletion is scheduled.
 */
export function reminderTimers({ ledger }: Pick<WorkerContext, "ledger">): TimerHandlers {
  return {
    [remindTimer]: async (applicationId, issued) => {
      const { state } = await loadState(ledger.sql, applications, applicationId);
      if (state.status !== "held") return undefined;
      if (await isRestricted(ledger.sql, state.accountId)) return "not-yet";
      const result = await commandApplication(
        { ledger },
        applicationId,
        { type: "RecordDue" },
        issued,
      );
      if (result.kind === "refusal") throw new Error(`A reminder is refused: ${result.code}`);
      return result.how === "unchanged" ? "not-yet" : undefined;
    },
  };
}

/** Mails each reminder that came due, unless it is done, put off or deleted meanwhile. */
export function reminderMessages(parts: ReminderParts): MessageHandlers {
  return {
    [reminderMessage]: async (payload) => await sendReminder(parts, Payload.parse(payload)),
  };
}

async function sendReminder(
  { context, contactOf }: ReminderParts,
  due: DueReminder,
): Promise<void> {
  const { applicationId, reminderId, time } = due;
  const { sql } = context.ledger;
  const { state } = await loadState(sql, applications, applicationId);
  const planned = state.status === "held" ? state.reminders.get(reminderId) : undefined;
  if (state.status !== "held" || planned === undefined) return;
  if (!planned.due || planned.done || planned.times !== time || !planned.byMail) return;
  const { accountId } = state;
  if (await isRestricted(sql, accountId)) return;
  const [details, contact] = await Promise.all([
    detailsOf(context, accountId, [applicationId]),
    contactOf(accountId),
  ]);
  const words = details.get(applicationId);
  if (words === undefined || contact === undefined) return;
  if ((await context.mailboxes.admit(contact.email, undefined)) !== "admitted") return;
  const { company, role } = words;
  const mail = reminderMail({
    ...due,
    planned,
    company,
    role,
    contact,
    origin: context.publicOrigin,
    offUrl: offAddress(context, reminderMailsOff, accountId),
    feedbackId: context.mailboxes.feedbackIdOf(contact.email),
  });
  try {
    await context.mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    await turnMailsOff(context, accountId, serviceContext(context));
  }
}

function serviceContext({ clock }: Pick<LedgerContext, "clock">): CommandContext {
  const id = randomUUID();
  const cause = { actor: "service:reminders", causationId: id, correlationId: id };
  return { now: instantFromMs(clock()), cause };
}

/** No mails about reminders that are planned; those are shown on the site. @returns whether there were any */
export async function turnMailsOff(
  { ledger }: Pick<LedgerContext, "ledger">,
  accountId: string,
  issued: CommandContext,
): Promise<boolean> {
  const mailed = (await remindersOf(ledger.sql, accountId)).filter(
    ({ byMail, due, done }) => byMail && !due && !done,
  );
  const ids = new Set(mailed.map(({ applicationId }) => applicationId));
  for (const id of ids) {
    const result = await commandApplication({ ledger }, id, { type: "TurnMailsOff" }, issued);
    if (result.kind === "refusal") throw new Error(`Mails are not turned off: ${result.code}`);
  }
  return ids.size > 0;
}

/** A mailbox that is gone, or whose holder complains, gets no more of these mails. */
export const reminderReturns: MailReturnHandler = async (ledger, { mailId, kind }, issued) => {
  const applicationId = kind === "soft" ? undefined : applicationOfMail(mailId);
  if (applicationId === undefined) return false;
  const { state } = await loadState(ledger.sql, applications, applicationId);
  if (state.status !== "held") return false;
  const { now, cause } = issued;
  return await turnMailsOff({ ledger }, state.accountId, { now, cause });
};
