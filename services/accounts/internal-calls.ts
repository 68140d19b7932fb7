import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { tokenHash } from "@pro-talent/platform/http/sign-in-sessions";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type {
  internalAccountCalls,
  internalLookupCalls,
  internalOwnerCalls,
} from "@pro-talent/schemas/accounts/internal-calls";
import type { z } from "zod";

import { findCredentials, type Holder, readHolder } from "./accounts.ts";
import type { AccountsContext } from "./context.ts";
import type { AccountKeys } from "./keys.ts";
import { mailTokenOf, storeMailToken } from "./mail-tokens.ts";
import { requestMail } from "./requested-mails.ts";

/** Whose browser it is that follows a share link. */
export function ownerHandlers({ sql }: AccountsContext): CallHandlers<typeof internalOwnerCalls> {
  return {
    "POST /internal/accounts/owner": async ({ body: { cookie } }) => {
      const rows = await sql<{ accountId: string }[]>`
        select account_id as "accountId" from accounts.sign_in_session
         where owner_hash = ${tokenHash(cookie)} limit 1`;
      return { accountId: rows[0]?.accountId ?? null };
    },
  };
}

/** Which account a verified address has. */
export function lookupHandlers({
  sql,
  keys,
}: AccountsContext): CallHandlers<typeof internalLookupCalls> {
  return {
    "POST /internal/accounts/lookup": async ({ body: { email } }) => {
      const known = await findCredentials(sql, keys.addressHash(email));
      return { accountId: known?.accountId ?? null };
    },
  };
}

/** What the other services ask for. */
export function internalHandlers(
  context: AccountsContext,
): CallHandlers<typeof internalAccountCalls> {
  const { sql, keys } = context;
  return {
    "POST /internal/accounts/invitations": ({ body }) =>
      sql.begin((tx) => passOn(context, tx, body)),
    "GET /internal/accounts/:accountId/contact": async ({ params: { accountId } }) =>
      contactIn(await readHolder(sql, keys, accountId)),
  };
}

/** @throws ProblemError when there is no such account */
export function contactIn(holder: Holder | undefined) {
  if (holder === undefined) throw new ProblemError("not_found");
  const { email, profile } = holder;
  const { fullName, address, language, timeZone } = profile;
  return { email, fullName, address, language, timeZone };
}

type InvitationCall = (typeof internalAccountCalls)["POST /internal/accounts/invitations"];
type Invited = z.output<InvitationCall["body"]>;
type Answer = z.output<InvitationCall["answer"]>;

/** Mails an invitation once, or the notice of the launch where the address has an account. */
async function passOn(
  { keys, clock }: AccountsContext,
  tx: Queryable,
  invited: Invited,
): Promise<Answer> {
  const { invitationId, email } = invited;
  const [mailed] = await tx`
    select from accounts.mail_token where invitation_id = ${invitationId}`;
  if (mailed !== undefined) return { status: "mailed" };
  const nowMs = clock();
  const known = await findCredentials(tx, keys.addressHash(email));
  if (known === undefined) {
    await requestInvitation(tx, keys, invited, nowMs);
    return { status: "mailed" };
  }
  const { accountId, isOpen } = known;
  if (isOpen && invited.occasion === "launch") {
    await requestNotice(tx, keys, { ...invited, accountId }, nowMs);
  }
  return { status: "has-account", accountId };
}

/** The id of the invitation is that of the mail, so that its link is the same at every attempt. */
async function requestInvitation(
  tx: Queryable,
  keys: AccountKeys,
  { invitationId, email, language, occasion, discountPercent }: Invited,
  nowMs: number,
): Promise<void> {
  const token = mailTokenOf(keys, "invitation", invitationId);
  const to = { email, language, discountPercent };
  const link = { purpose: "invitation", accountId: null, invitationId, ...to } as const;
  await storeMailToken(tx, keys, token, { ...link, nowMs });
  const mail = { kind: "invitation", occasion, ...to } as const;
  await requestMail(tx, keys, mail, { nowMs, mailId: invitationId });
}

/** Once for an invitation, also when it is passed on again after the mail was sent. */
async function requestNotice(
  tx: Queryable,
  keys: AccountKeys,
  { invitationId, accountId, email, language, discountPercent }: Invited & { accountId: string },
  nowMs: number,
): Promise<void> {
  const [first] = await tx`
    insert into accounts.launch_notice (invitation_id, account_id)
    values (${invitationId}, ${accountId}) on conflict do nothing returning invitation_id`;
  if (first === undefined) return;
  const mail = { kind: "launch-notice", email, language, accountId, discountPercent } as const;
  await requestMail(tx, keys, mail, { nowMs, mailId: invitationId });
}
