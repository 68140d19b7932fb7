import {
  MailDelayed,
  type Mailer,
  MailRefused,
  MailRejected,
  MailUncertain,
} from "@pro-talent/platform/mail/mailer";

import type { ContactOf } from "../../contacts.ts";
import type { CommandContext } from "../../kernel/commands.ts";
import type { MailReturn } from "../../kernel/module.ts";
import type { BillingCommand } from "./decider.ts";
import { noticeMail, noticeOfMail } from "./mails/billing-mails.ts";
import { forgetCustomer, type PaymentProvider } from "./payments/port.ts";
import { type DueNotice, owedNotice, renewalNotices } from "./renewal.decider.ts";
import type { BillingStore } from "./subscriptions.ts";

/** What the work on mails uses. */
export type NoticesWork = {
  readonly store: BillingStore;
  readonly contactOf: ContactOf;
  readonly mailer: Pick<Mailer, "send">;
  readonly payments: Pick<PaymentProvider, "forget" | "findCard">;
  readonly origin: string;
  readonly seller: string;
};

/** Sends the mails that are owed, the oldest first, until one fails. */
export async function sendOwedNotices(
  work: NoticesWork,
  accountId: string,
  context: CommandContext,
): Promise<void> {
  let last: DueNotice | undefined;
  for (;;) {
    const due = owedNotice(await work.store.read(accountId));
    if (due === undefined || due.dueAt > context.now) return;
    if (due.notice === last?.notice && due.about === last.about) return;
    last = due;
    await sendNotice(work, accountId, due, context);
  }
}

/** Sends a notice of the renewal if it is due and still counts. */
export async function sendRenewalNotice(
  work: NoticesWork,
  accountId: string,
  notice: DueNotice["notice"],
  context: CommandContext,
): Promise<void> {
  const all = renewalNotices(await work.store.read(accountId));
  const due = all.find((one) => one.notice === notice);
  if (due === undefined || due.dueAt > context.now) return;
  if (due.until !== null && context.now >= due.until) return;
  await sendNotice(work, accountId, due, context);
}

/** Sends one mail and records what became of it. An account that is gone is closed. */
async function sendNotice(
  work: NoticesWork,
  accountId: string,
  due: DueNotice,
  context: CommandContext,
): Promise<void> {
  const { store, contactOf, origin, seller } = work;
  const { now, cause } = context;
  const issue = async (command: BillingCommand) => {
    const result = await store.issue(accountId, command, { now, cause });
    if (result.kind === "refusal") throw new Error(`${command.type} is refused: ${result.code}`);
  };
  const contact = await contactOf(accountId);
  if (contact === undefined) {
    await forgetCustomer(work.payments, accountId);
    return await issue({ type: "CloseAccount" });
  }
  const state = await store.read(accountId);
  const mail = noticeMail({ accountId, state, notice: due, contact, now, origin, seller });
  const result = await resultOf(work.mailer.send(mail));
  await issue({ type: "RecordNotice", notice: due.notice, about: due.about, result });
}

/**
 * Records that a mail came back: a notice that was returned is no evidence, whether its mailbox is gone or
 * full. A complaint changes nothing here: the mail was read.
 * @returns whether the report is about a mail that counted as delivered
 */
export async function recordReturn(
  store: BillingStore,
  { mailId, kind }: MailReturn,
  { now, cause }: CommandContext,
): Promise<boolean> {
  const returned = kind === "complaint" ? undefined : noticeOfMail(mailId);
  if (returned === undefined) return false;
  const { accountId, ...notice } = returned;
  const command = { type: "RecordNotice", ...notice, result: "bounced" } as const;
  const result = await store.issue(accountId, command, { now, cause });
  if (result.kind === "refusal") throw new Error(`The report is not recorded: ${result.code}`);
  return result.how === "recorded";
}

type NoticeResult = Extract<BillingCommand, { type: "RecordNotice" }>["result"];

/** That the mail server accepted it is the evidence; an answer that was lost is none. */
async function resultOf(sending: Promise<void>): Promise<NoticeResult> {
  try {
    await sending;
    return "delivered";
  } catch (error) {
    if (error instanceof MailRefused) return "refused";
    if (error instanceof MailUncertain) return "uncertain";
    if (error instanceof MailDelayed || error instanceof MailRejected) return "delayed";
    throw error;
  }
}
