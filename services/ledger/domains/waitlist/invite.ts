import { callService } from "@pro-talent/platform/http/service-client";
import { internalAccountCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { SubscriberAddress } from "@pro-talent/schemas/newsletter/events";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import type { Invitation } from "@pro-talent/schemas/waitlist/events";

import type { CommandContext, Ledger } from "../../kernel/commands.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { loadState, readSealed } from "../../kernel/streams.ts";
import type { TimerHandlers } from "../../kernel/timers.ts";
import { commandPlace, inviteTimer, places } from "./places.ts";

type Reached = { readonly email: string; readonly language: Locale };

/** How the subscriber of a place is reached; undefined once the address is erased. */
async function reach(
  { ledger, subjects }: Pick<WorkerContext, "ledger" | "subjects">,
  subscriberId: string,
): Promise<Reached | undefined> {
  const [row] = await ledger.sql<{ language: string }[]>`
    select language from ledger.newsletter_subscriber where subscriber_id = ${subscriberId}`;
  const stream = `newsletter-${subscriberId}`;
  const sealed = await readSealed(ledger.sql, stream, "SubscriptionRequested");
  const subject = await subjects.find(subscriberId);
  if (row === undefined || sealed === undefined || subject === undefined) return undefined;
  const { email } = subject.open(sealed.bytes, SubscriberAddress);
  return { email, language: Locale.parse(row.language) };
}

/**
 * Passes an invitation on to the accounts service, which mails it once however often it is passed on: to
 * the holder of an account the notice of the launch alone, and the account gets the discount. A place whose subscriber has left meanwhile waits for its release.
 */
export function waitlistTimerHandlers(context: WorkerContext): TimerHandlers {
  const accounts = callService(context.accounts, internalAccountCalls);
  return {
    [inviteTimer]: async (subscriberId, issued) => {
      const { state } = await loadState(context.ledger.sql, places, subscriberId);
      const [invitation] = state.waiting;
      if (invitation === undefined) return;
      const reached = await reach(context, subscriberId);
      if (reached === undefined) throw new Error("The address of an invitation is gone");
      const { invitedAt: _, ...passedOn } = invitation;
      const answer = await accounts("POST /internal/accounts/invitations", {
        body: { ...passedOn, ...reached },
      });
      const accountId = answer.status === "has-account" ? answer.accountId : null;
      const { invitationId } = invitation;
      const command = { type: "RecordPassedOn", invitationId, accountId } as const;
      await commandPlace(context.ledger, subscriberId, command, issued);
    },
  };
}

/**
 * The confirmed places that were not invited on this occasion, in the order of their requests.
 * @param max null for all
 */
export async function waitingPlaces(
  { sql }: Pick<Ledger, "sql">,
  occasion: Invitation["occasion"],
  max: number | null,
): Promise<string[]> {
  const rows = await sql<{ subscriber_id: string }[]>`
    select subscriber_id from ledger.waitlist_place
     where confirmed and not ${occasion} = any (invited)
     order by requested_at, subscriber_id limit ${max}`;
  return rows.map(({ subscriber_id: id }) => id);
}

/**
 * Invites a place; on one occasion once.
 * @returns whether there is a new invitation
 */
export async function invitePlace(
  ledger: Ledger,
  subscriberId: string,
  invitation: Invitation,
  context: CommandContext,
): Promise<"invited" | "unchanged" | "not confirmed"> {
  const command = { type: "InvitePlace", invitation } as const;
  const result = await commandPlace(ledger, subscriberId, command, context);
  if (result.kind === "answer") return result.how === "recorded" ? "invited" : "unchanged";
  if (result.code === "place_not_confirmed") return "not confirmed";
  throw new Error(`The place is not invited: ${result.code}`);
}
