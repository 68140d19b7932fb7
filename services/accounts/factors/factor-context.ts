import type { Queryable } from "@pro-talent/platform/postgres/pool";

import { readHolder } from "../accounts.ts";
import type { AccountsContext } from "../context.ts";
import { type factorChanges, requestMail } from "../requested-mails.ts";
import { type RelyingParty, relyingPartyOf } from "./passkey-ceremonies.ts";
import { Passkeys } from "./passkeys.ts";

/** What the calls about second factors work with. */
export type FactorContext = AccountsContext & {
  readonly party: RelyingParty;
  readonly passkeys: Passkeys;
};

export function factorContext(context: AccountsContext): FactorContext {
  const { keys, publicOrigin } = context;
  return { ...context, party: relyingPartyOf(publicOrigin), passkeys: new Passkeys(keys) };
}

/** Notifies the holder, at the account's address; in the transaction of what it reports. */
export async function notifyHolder(
  { keys, clock }: AccountsContext,
  tx: Queryable,
  accountId: string,
  change: (typeof factorChanges)[number],
): Promise<void> {
  const holder = await readHolder(tx, keys, accountId);
  if (holder === undefined) return;
  const { email, profile } = holder;
  const mail = { kind: "factor", email, language: profile.language, accountId, change } as const;
  await requestMail(tx, keys, mail, { nowMs: clock() });
}
