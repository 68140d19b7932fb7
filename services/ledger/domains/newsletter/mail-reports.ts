import { readMailReport } from "@pro-talent/platform/mail/read-report";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { v5 as uuidV5 } from "uuid";

import type { CommandContext } from "../../kernel/commands.ts";
import type { HttpContext, LedgerContext } from "../../kernel/module.ts";
import type { NewsletterCommand } from "./decider.ts";
import { commandSubscriber, readAddress, type SubscriberResult } from "./subscribers.ts";

type Stores = Pick<LedgerContext, "ledger" | "subjects" | "mailboxes">;
/** With the mails of other domains. */
type AllMails = Stores & Pick<HttpContext, "recordReturn">;

/** What became of a subscriber's mail after the mail server had accepted it. */
export type Feedback = {
  readonly subscriberId: string;
  readonly kind: "hard" | "soft" | "complaint";
};

const mailIds =
  /^newsletter-(?:confirm|welcome|preferences-link|issue-[0-9a-f-]{36})-(?<id>[0-9a-f-]{36})(?:-|$)/;

/** The subscriber whose mail has this id. */
export function subscriberOfMail(mailId: string): string | undefined {
  const id = Uuid.safeParse(mailIds.exec(mailId)?.groups?.["id"]);
  return id.success ? id.data : undefined;
}

/**
 * Records a bounce or a complaint. A mailbox that complains is put on the do-not-mail list first: the
 * address is erased soon afterwards.
 */
export async function recordFeedback(
  stores: Stores,
  { subscriberId, kind }: Feedback,
  context: CommandContext,
): Promise<SubscriberResult> {
  const { ledger, mailboxes } = stores;
  const email = kind === "complaint" ? await readAddress(stores, subscriberId) : undefined;
  if (email !== undefined) await mailboxes.block(mailboxes.hashOf(email), "complaint");
  const command: NewsletterCommand =
    kind === "complaint" ? { type: "RecordComplaint" } : { type: "RecordBounce", kind };
  return await commandSubscriber(ledger, subscriberId, command, context);
}

/**
 * Records what a report says (RFC 3464, RFC 5965), once. Only what our mail had in its own headers
 * identifies it; addresses in a report are not read. One about a mail of another domain is that domain's.
 * `ignored`: it is no report, of no mail of ours, or nothing follows from it.
 */
export async function recordMailReport(
  stores: AllMails,
  raw: Uint8Array,
  context: CommandContext,
): Promise<"recorded" | "ignored"> {
  const report = await readMailReport(raw);
  if (report === undefined) return "ignored";
  const { kind, mailId = "", feedbackId = "" } = report;
  const mailbox = stores.mailboxes.ofFeedbackId(feedbackId);
  const complains = kind === "complaint" && mailbox !== undefined;
  if (complains) await stores.mailboxes.block(mailbox, "complaint");
  const subscriberId = subscriberOfMail(mailId);
  if (subscriberId === undefined) {
    const isRecorded = await stores.recordReturn({ mailId, kind }, context);
    return isRecorded || complains ? "recorded" : "ignored";
  }
  const commandId = uuidV5(`${kind} ${mailId}`, subscriberId);
  const result = await recordFeedback(stores, { subscriberId, kind }, { ...context, commandId });
  if (result.kind === "refusal") throw new Error(`The report is not recorded: ${result.code}`);
  return result.status === "none" && !complains ? "ignored" : "recorded";
}
