import type { Ceremony, CeremonyResponse } from "@pro-talent/schemas/accounts/sign-in";
import type { z } from "zod";

import { openChallenge, takeChallenge } from "../challenges.ts";
import type { FactorContext } from "./factor-context.ts";
import {
  authenticationOptions,
  statedCredential,
  verifyAuthentication,
} from "./passkey-ceremonies.ts";

/** What a passkey is asked for; a response to one does not count for the other. */
type Purpose = "passkey-sign-in" | "passkey-step-up";

/**
 * Begins to prove an account with a passkey. The token of the ceremony is its challenge too: stored as a
 * hash alone, and used up by the response.
 * @param accountId null where the passkey is to state the account
 */
export async function beginPasskeyProof(
  { sql, clock, party, passkeys }: FactorContext,
  purpose: Purpose,
  accountId: string | null,
): Promise<z.infer<typeof Ceremony>> {
  const challenge = await openChallenge(sql, { kind: purpose, accountId, nowMs: clock() });
  const allowed = accountId === null ? [] : await passkeys.ofAccount(sql, accountId);
  return {
    ceremony: challenge,
    options: await authenticationOptions(party, { challenge, allowed }),
  };
}

/**
 * Takes the response of a passkey. Whatever it proves, the ceremony is over.
 * @returns the account that it proves
 */
export async function takePasskeyProof(
  { sql, clock, party, passkeys }: FactorContext,
  purpose: Purpose,
  { ceremony, response }: z.infer<typeof CeremonyResponse>,
): Promise<{ readonly accountId: string } | "challenge_ended" | "passkey_refused"> {
  const nowMs = clock();
  const begun = await takeChallenge(sql, purpose, ceremony, nowMs);
  if (begun === undefined) return "challenge_ended";
  const credentialId = statedCredential(response);
  const passkey = credentialId && (await passkeys.withCredential(sql, credentialId));
  if (!passkey) return "passkey_refused";
  const { accountId, passkeyId } = passkey;
  if (begun.accountId !== null && begun.accountId !== accountId) return "passkey_refused";
  const proof = { challenge: ceremony, response, accountId, passkey };
  const used = await verifyAuthentication(party, proof);
  if (used === undefined) return "passkey_refused";
  return (await passkeys.use(sql, passkeyId, { ...used, nowMs }))
    ? { accountId }
    : "passkey_refused";
}
