import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { ReviewedRequest } from "@pro-talent/schemas/privacy/officer-calls";

import type { LedgerContext } from "../../../kernel/module.ts";
import { needsReview, objectionEnd } from "../form-state.decider.ts";
import { type Held, heldAbout, heldAboutMailbox, type HeldParts } from "../held.ts";
import type { RequestRow } from "../read-models.ts";
import type { KnownRequest } from "../state.decider.ts";
import { mailboxOf, type Sender, senderOf } from "./sender.ts";

/** Of a form, what is found by the address that it names, once it is verified. */
export async function heldIn(
  context: LedgerContext,
  parts: HeldParts,
  { requestId, accountId, relation, identity }: RequestRow,
  at: Instant,
): Promise<Held> {
  if (accountId !== null) return await heldAbout(context, parts, accountId, at);
  const isVerified = relation !== null && identity === "mailed-code";
  const sender = isVerified ? await senderOf(context, requestId) : undefined;
  if (sender === undefined) return { sections: [], missing: [] };
  return await heldAboutMailbox(context, parts, { address: mailboxOf(sender), at });
}

/** What is known of the sender of a form, and what an officer still has to wait for or to check. */
export function proofOf(
  { checks, approvedBy }: RequestRow,
  state: KnownRequest,
  sender: Sender | undefined,
): NonNullable<ReviewedRequest["form"]> {
  return {
    isAccount: state.accountId !== null,
    needsReview: needsReview(state),
    text: sender?.text ?? null,
    checks: checks.map(({ check, officerId, at }) => ({ check, officerId, at })),
    objectionUntil: state.notifiedAt === null ? null : objectionEnd(state.notifiedAt),
    approvedBy,
  };
}
