import { pause, type Throttle } from "@pro-talent/platform/runtime/wait";
import {
  type ChangeRecipient,
  changeRecipients,
  type KnownChangeNotice,
  LegalChange,
} from "@pro-talent/schemas/legal-changes/events";
import { Day, dayIn } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { legalDocuments } from "@pro-talent/schemas/site/legal-documents";
import { comingVersions } from "@pro-talent/schemas/site/legal-history";
import { v5 as uuidV5 } from "uuid";
import type { z } from "zod";

import type { AccountOf, ContactOf, SubscriberContacts } from "../../contacts.ts";
import {
  type CommandContext,
  type CommandResult,
  type Ledger,
  runCommand,
} from "../../kernel/commands.ts";
import type { MailReturnHandler, WorkerContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandler } from "../../kernel/timers.ts";
import type { Cause } from "../../kernel/types.ts";
import { deliverNotice } from "../../notice-delivery.ts";
import { isRestricted } from "../../restriction.ts";
import {
  type AnnouncedChange,
  changes,
  changesAnnounced,
  notices,
  noticesBehind,
} from "./changes.ts";
import {
  effectiveFor,
  type EndReason,
  nextAttempt,
  type NoticeCommand,
  type NoticeRefusal,
  zone,
} from "./decider.ts";
import { type Addressee, changeMail, noticeOfMail } from "./mails.ts";
import {
  isGone,
  noticesWithoutRecipient,
  type RecipientEvents,
  recipientsWithoutNotice,
} from "./recipients.ts";

/** Namespaces of ids of changes and of notices, drawn at random once. */
const changeNamespace = "6b1f7a4e-2c0d-4a5b-9d3e-8f1c5b7a9e20";
const noticeNamespace = "c4a90f7d-51be-4d6c-8a27-0e9b3d5f1a64";
const noticeIdOf = (changeId: string, recipientId: string): string =>
  uuidV5(`${changeId} ${recipientId}`, noticeNamespace);

/** Recipients that are read at once. */
const perStep = 100;
/** Beyond so many notices that wait for the mail server, no further ones are required. */
const behindMost = 200;
const behindMs = 1000;
/**
 * What waits at most: the list is read on while fewer than {@link behindMost} wait.
 * @internal used by tests and by the drill of changed terms
 */
export const noticesWaitingMost = behindMost - 1 + perStep;

/** What an operator states of a change; its version is the coming one of the release. */
export const Announcement = LegalChange.omit({ version: true });
export type Announcement = z.infer<typeof Announcement>;

/**
 * Announces the coming version of a document.
 * @param coming versions that can be read on the site
 * @returns why it was not announced, if it was not
 */
export async function announceChange(
  ledger: Ledger,
  { document, summary }: Announcement,
  why: CommandContext,
  coming: typeof comingVersions = comingVersions,
): Promise<"announced" | "known" | { readonly refused: string }> {
  const version = coming[document];
  if (version === null) return { refused: "no-coming-version" };
  const change = { document, version: Day.parse(version), summary };
  const id = uuidV5(`${document} ${version}`, changeNamespace);
  const current = legalDocuments[document].version;
  const command = { type: "AnnounceChange", change, current } as const;
  const result = await runCommand(ledger, changes, { ...why, id, command, body: change });
  if (result.kind === "refusal") return { refused: result.code };
  return result.how === "unchanged" ? "known" : "announced";
}

async function issue(
  ledger: Ledger,
  id: string,
  command: NoticeCommand,
  why: CommandContext,
): Promise<boolean> {
  const result = await runCommand(ledger, notices, { ...why, id, command, body: command });
  if (result.kind === "refusal") throw new Error(`${command.type} is refused: ${result.code}`);
  return result.how === "recorded";
}

/** Records that the holder of an account has read about a change. */
export async function acknowledge(
  ledger: Ledger,
  { changeId, accountId }: { readonly changeId: string; readonly accountId: string },
  why: CommandContext,
): Promise<CommandResult<NoticeRefusal>> {
  const id = noticeIdOf(changeId, accountId);
  const command = { type: "Acknowledge" } as const;
  return await runCommand(ledger, notices, { ...why, id, command, body: command });
}

export type Notifying = {
  readonly context: WorkerContext;
  readonly contactOf: ContactOf;
  readonly accountOf: AccountOf;
  readonly subscribers: SubscriberContacts;
  readonly events: RecipientEvents;
  /** Of the notices that this process requires, and so of their mails. */
  readonly throttle: Throttle;
};

/**
 * Requires the notices that are missing, also of accounts and subscribers that came after the announcement,
 * and ends those of recipients that are gone. Evenly, so that neither the mail server nor other mails and
 * timers suffer. May be repeated.
 */
export async function requireNotices(notifying: Notifying, cause: () => Cause): Promise<void> {
  const { context, events } = notifying;
  const { ledger } = context;
  for (const change of await changesAnnounced(ledger.sql))
    for (const recipient of changeRecipients)
      await requireOf(notifying, change, { recipient, cause });
  for (const unlisted of await noticesWithoutRecipient(ledger.sql))
    if (await isGone(ledger.sql, events, unlisted)) {
      const why = { now: instantFromMs(context.clock()), cause: cause() };
      await issue(ledger, unlisted.noticeId, { type: "EndNotice", reason: "gone" }, why);
    }
}

type Of = { readonly recipient: ChangeRecipient; readonly cause: () => Cause };

async function requireOf(
  { context, throttle }: Notifying,
  change: AnnouncedChange,
  { recipient, cause }: Of,
): Promise<void> {
  const { ledger, stopping } = context;
  const { changeId, version: effectiveOn } = change;
  for (let after: string | null = null; ;) {
    while (!stopping.aborted && (await noticesBehind(ledger.sql)) >= behindMost)
      await pause(behindMs, stopping);
    const page: readonly string[] = await recipientsWithoutNotice(ledger.sql, recipient, change, {
      after,
      most: perStep,
    });
    for (const recipientId of page) {
      await throttle.turn(stopping);
      if (stopping.aborted) return;
      const id = noticeIdOf(changeId, recipientId);
      const why = { now: instantFromMs(context.clock()), cause: cause() };
      const required = { changeId, recipient, recipientId, effectiveOn };
      await issue(ledger, id, { type: "RequireNotice", ...required }, why);
    }
    if (page.length < perStep) return;
    after = page.at(-1) ?? null;
  }
}

/** Mails the notice that is due. */
export function noticeHandler(notifying: Notifying): TimerHandler {
  return async (noticeId, why) => {
    const { context, subscribers } = notifying;
    const { ledger, mailer, publicOrigin: origin } = context;
    const { state } = await loadState(ledger.sql, notices, noticeId);
    const due = state.status === "required" ? nextAttempt(state) : null;
    if (state.status !== "required" || due === null || due > why.now) return undefined;
    const addressee = await addresseeOf(notifying, state);
    if (addressee === "restricted") return "not-yet";
    const record = (command: NoticeCommand) => issue(ledger, noticeId, command, why);
    if (addressee === "unreachable") await record({ type: "RecordAttempt", result: "refused" });
    else if (typeof addressee === "string") await record({ type: "EndNotice", reason: addressee });
    else {
      const { announced } = (await loadState(ledger.sql, changes, state.changeId)).state;
      if (announced === null) throw new Error("A notice is of no announced change");
      const deliveredOn = dayIn(why.now, zone);
      const effectiveOn = effectiveFor({ ...state, deliveredOn }) ?? state.effectiveOn;
      const mail = changeMail(announced, { noticeId, addressee, effectiveOn, origin });
      const result = await deliverNotice(mailer, mail);
      if (result === "refused" && state.recipient === "subscriber")
        await subscribers.recordRefusal(state.recipientId, why.cause);
      await record({ type: "RecordAttempt", result });
    }
    return undefined;
  };
}

/** The holder of an account with the same address gets the notice of the account. */
async function addresseeOf(
  { context, contactOf, accountOf, subscribers }: Notifying,
  { recipient, recipientId }: KnownChangeNotice,
): Promise<Addressee | EndReason | "restricted" | "unreachable"> {
  if (recipient === "account") {
    if (await isRestricted(context.ledger.sql, recipientId)) return "restricted";
    const contact = await contactOf(recipientId);
    return contact === undefined ? "gone" : { recipient, ...contact };
  }
  const contact = await subscribers.contactOf(recipientId);
  if (typeof contact === "string") return contact;
  return (await accountOf(contact.email)) === null ? { recipient, ...contact } : "has-account";
}

/** A notice that came back was not delivered. A complaint changes nothing: the mail was read. */
export const recordNoticeReturn: MailReturnHandler = async (ledger, { mailId, kind }, why) => {
  const noticeId = kind === "complaint" ? undefined : noticeOfMail(mailId);
  if (noticeId === undefined) return false;
  const { state } = await loadState(ledger.sql, notices, noticeId);
  if (state.status !== "required") return false;
  return await issue(ledger, noticeId, { type: "RecordReturn" }, why);
};
