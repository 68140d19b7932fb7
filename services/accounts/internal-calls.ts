import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { internalAccountCalls } from "@pro-talent/schemas/accounts/calls";
import type { z } from "zod";

import { findCredentials, readHolder } from "./accounts.ts";
import type { AccountsContext } from "./context.ts";
import { mailTokenOf, storeMailToken } from "./mail-tokens.ts";
import { requestMail } from "./requested-mails.ts";

/** What the other services ask for. */
export function internalHandlers(
  context: AccountsContext,
): CallHandlers<typeof internalAccountCalls> {
  const { sql, keys } = context;
  return {
    "POST /internal/accounts/invitations": async ({ body }) => {
      const known = await findCredentials(sql, keys.addressHash(body.email));
      if (known !== undefined) return { status: "has-account" as const };
      await invite(context, body);
      return { status: "mailed" as const };
    },
    "GET /internal/accounts/:accountId/contact": async ({ params: { accountId } }) => {
      const holder = await readHolder(sql, keys, accountId);
      if (holder === undefined) throw new ProblemError("not_found");
      const { email, profile } = holder;
      const { fullName, address, language, timeZone } = profile;
      return { email, fullName, address, language, timeZone };
    },
  };
}

type Invited = z.output<
  (typeof internalAccountCalls)["POST /internal/accounts/invitations"]["body"]
>;

/**
 * Requests the mail of an invitation, once: the id of the invitation is that of the mail, so that its
 * link is the same however often it is requested.
 */
async function invite(
  { sql, keys, clock }: AccountsContext,
  { invitationId, email, language, occasion, discountPercent }: Invited,
): Promise<void> {
  const nowMs = clock();
  await sql.begin(async (tx) => {
    const [known] = await tx`
      select from accounts.mail_token where invitation_id = ${invitationId}`;
    if (known !== undefined) return;
    const token = mailTokenOf(keys, "invitation", invitationId);
    const link = { purpose: "invitation", accountId: null, invitationId, email, language } as const;
    await storeMailToken(tx, keys, token, { ...link, nowMs });
    const mail = { kind: "invitation", email, language, occasion, discountPercent } as const;
    await requestMail(tx, keys, mail, { nowMs, mailId: invitationId });
  });
}
