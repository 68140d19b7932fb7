import type { AccountEvent } from "@pro-talent/schemas/accounts/events";
import type { LegalChange } from "@pro-talent/schemas/legal-changes/events";
import { dayIn } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { legalDocuments } from "@pro-talent/schemas/site/legal-documents";
import { v5 as uuidV5 } from "uuid";

import type { ContactOf } from "../../contacts.ts";
import { type CommandContext, type Ledger, runCommand } from "../../kernel/commands.ts";
import type { EventFamily } from "../../kernel/events.ts";
import type { MailReturnHandler, WorkerContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandler } from "../../kernel/timers.ts";
import type { Cause } from "../../kernel/types.ts";
import { deliverNotice } from "../../notice-delivery.ts";
import { changes, changesAnnounced, notices } from "./changes.ts";
import { effectiveFor, nextAttempt, type NoticeCommand, zone } from "./decider.ts";
import { holdersWithoutNotice, isClosed, noticesWithoutHolder } from "./holders.ts";
import { changeMail, noticeOfMail } from "./mails.ts";

/** Namespaces of ids of changes and of notices, drawn at random once. */
const changeNamespace = "6b1f7a4e-2c0d-4a5b-9d3e-8f1c5b7a9e20";
const noticeNamespace = "c4a90f7d-51be-4d6c-8a27-0e9b3d5f1a64";
const perStep = 500;

/** @returns why the change was not announced, if it was not */
export async function announceChange(
  ledger: Ledger,
  change: LegalChange,
  why: CommandContext,
): Promise<"announced" | "known" | { readonly refused: string }> {
  const id = uuidV5(`${change.document} ${change.version}`, changeNamespace);
  const current = legalDocuments[change.document].version;
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

export type Notifying = {
  readonly context: WorkerContext;
  readonly contactOf: ContactOf;
  readonly accountEvents: EventFamily<AccountEvent>;
};

/**
 * Requires the notices that are missing, of accounts that were opened before or after the announcement,
 * and ends those of closed accounts. May be repeated.
 */
export async function requireNotices(
  { context, accountEvents }: Notifying,
  cause: () => Cause,
): Promise<void> {
  const { ledger, stopping } = context;
  const why = () => ({ now: instantFromMs(context.clock()), cause: cause() });
  for (const change of await changesAnnounced(ledger.sql)) {
    const { changeId, effectiveOn } = change;
    for (let more = true; more && !stopping.aborted;) {
      const accountIds = await holdersWithoutNotice(ledger.sql, change, perStep);
      for (const accountId of accountIds) {
        const id = uuidV5(`${changeId} ${accountId}`, noticeNamespace);
        const command = { type: "RequireNotice", changeId, accountId, effectiveOn } as const;
        // The list of holders follows: an account that has just been closed had its notice ended.
        if (!(await issue(ledger, id, command, why()))) more = false;
      }
      more &&= accountIds.length === perStep;
    }
  }
  for (const { noticeId, accountId } of await noticesWithoutHolder(ledger.sql))
    if (await isClosed(ledger.sql, accountEvents, accountId))
      await issue(ledger, noticeId, { type: "EndNotice" }, why());
}

/** Mails the notice that is due. */
export function noticeHandler({ context, contactOf }: Notifying): TimerHandler {
  return async (noticeId, why) => {
    const { ledger, mailer, publicOrigin: origin } = context;
    const { state } = await loadState(ledger.sql, notices, noticeId);
    if (state.status !== "required") return;
    const due = nextAttempt(state);
    if (due === null || due > why.now) return;
    const contact = await contactOf(state.accountId);
    if (contact === undefined) {
      await issue(ledger, noticeId, { type: "EndNotice" }, why);
      return;
    }
    const { announced } = (await loadState(ledger.sql, changes, state.changeId)).state;
    if (announced === null) throw new Error("A notice is of no announced change");
    const deliveredOn = dayIn(why.now, zone);
    const effectiveOn = effectiveFor({ ...state, deliveredOn }) ?? state.effectiveOn;
    const mail = changeMail(announced, { noticeId, contact, effectiveOn, origin });
    const result = await deliverNotice(mailer, mail);
    await issue(ledger, noticeId, { type: "RecordAttempt", result }, why);
  };
}

/** A notice that came back was not delivered. A complaint changes nothing: the mail was read. */
export const recordNoticeReturn: MailReturnHandler = async (ledger, { mailId, kind }, why) => {
  const noticeId = kind === "complaint" ? undefined : noticeOfMail(mailId);
  if (noticeId === undefined) return false;
  const { state } = await loadState(ledger.sql, notices, noticeId);
  if (state.status !== "required") return false;
  return await issue(ledger, noticeId, { type: "RecordReturn" }, why);
};
