import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { entryCalls } from "@pro-talent/schemas/accounts/calls";
import { accountProblems } from "@pro-talent/schemas/accounts/sign-in";

import { clearAttempts, confirmationLimit, countAttempt } from "../attempts.ts";
import { attemptChallenge, secondFactorChallenge, takeChallenge } from "../challenges.ts";
import { completeSignIn } from "../complete-sign-in.ts";
import { useTotpCode } from "./authenticators.ts";
import { type FactorContext, notifyHolder } from "./factor-context.ts";
import { beginPasskeyProof, takePasskeyProof } from "./passkey-proof.ts";
import { useRecoveryCode } from "./recovery-codes.ts";

type SignInCalls = Pick<
  typeof entryCalls,
  | "POST /api/account/sign-in/code"
  | "POST /api/account/sign-in/passkey/options"
  | "POST /api/account/sign-in/passkey"
>;

/** The second half of a sign-in, and a sign-in with a passkey alone, which is both halves. */
export function factorSignInHandlers(context: FactorContext): CallHandlers<SignInCalls> {
  const { sql, clock } = context;
  return {
    "POST /api/account/sign-in/code": async ({ body }, { request, reply, refuse }) => {
      const { challenge, method, code } = body;
      const begun = await attemptChallenge(sql, secondFactorChallenge, challenge, clock());
      const accountId = begun?.accountId ?? refuse("challenge_ended");
      if (!(await isRightCode(context, { accountId, method, code }))) refuse("code_wrong");
      const taken = await takeChallenge(sql, secondFactorChallenge, challenge, clock());
      if (taken === undefined) refuse("challenge_ended");
      return completeSignIn(context, request, reply, { accountId, factor: true });
    },
    "POST /api/account/sign-in/passkey/options": async ({ body }, { refuse }) => {
      const { challenge } = body;
      if (challenge === undefined) return beginPasskeyProof(context, "passkey-sign-in", null);
      const begun = await attemptChallenge(sql, secondFactorChallenge, challenge, clock());
      const accountId = begun?.accountId ?? refuse("challenge_ended");
      return beginPasskeyProof(context, "passkey-sign-in", accountId);
    },
    "POST /api/account/sign-in/passkey": async ({ body }, { request, reply, refuse }) => {
      const proof = await takePasskeyProof(context, "passkey-sign-in", body);
      if (typeof proof === "string") return refuse(proof);
      return completeSignIn(context, request, reply, { ...proof, factor: true });
    },
  };
}

/**
 * Whether a code that an account was asked for is right; it is used up by that.
 * @throws ProblemError `sign_in_delayed`
 */
export function isRightCode(
  context: FactorContext,
  given: {
    readonly accountId: string;
    readonly method: "totp" | "recovery";
    readonly code: string;
  },
): Promise<boolean> {
  const { sql, clock, keys } = context;
  const { accountId, method } = given;
  const typed = { ...given, keys, nowMs: clock() };
  return limited(context, accountId, () => {
    if (method === "totp") return useTotpCode(sql, typed);
    return sql.begin(async (tx) => {
      const isUsed = await useRecoveryCode(tx, typed);
      if (isUsed) await notifyHolder(context, tx, accountId, "recovery-code-used");
      return isUsed;
    });
  });
}

/**
 * Asks whether what a holder gave is right. Wrong ones delay the account's further ones, whichever sign-in
 * they belong to.
 * @throws ProblemError `sign_in_delayed`
 */
export async function limited(
  { sql, clock, keys }: FactorContext,
  accountId: string,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const limit = confirmationLimit(keys, accountId);
  const retryAfterSeconds = await countAttempt(sql, [limit], clock());
  if (retryAfterSeconds !== undefined) {
    throw new ProblemError(accountProblems.sign_in_delayed, { retryAfterSeconds });
  }
  if (!(await isRight())) return false;
  await clearAttempts(sql, limit);
  return true;
}
