import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { factorCalls } from "@pro-talent/schemas/accounts/factor-calls";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";

import { passwordHashOf } from "../accounts.ts";
import { refuseRecovery } from "../recoveries.ts";
import { replaceToken } from "../sessions.ts";
import type { FactorContext } from "./factor-context.ts";
import { isRightCode, limited } from "./factor-sign-in.ts";
import { beginPasskeyProof, takePasskeyProof } from "./passkey-proof.ts";
import { factorsOf, hasFactor } from "./second-factors.ts";

type StepUpCalls = Pick<
  typeof factorCalls,
  | "POST /api/account/step-up/password"
  | "POST /api/account/step-up/code"
  | "POST /api/account/step-up/passkey/options"
  | "POST /api/account/step-up/passkey"
>;

/** Before a dangerous act the holder proves again who they are; the session goes on under a new token. */
export function stepUpHandlers(context: FactorContext): CallHandlers<StepUpCalls> {
  return {
    "POST /api/account/step-up/password": async ({ body }, { account, refuse }) => {
      // Who has learnt the password alone must not reach what the factor protects.
      if (hasFactor(await factorsOf(context.sql, account.accountId))) {
        throw new ProblemError("factor_required");
      }
      if (!(await isRightPassword(context, account.accountId, body.password))) {
        refuse("sign_in_refused");
      }
      return renew(context, account, false);
    },
    "POST /api/account/step-up/code": async ({ body }, { account, refuse }) => {
      const given = { accountId: account.accountId, method: "totp", code: body.code } as const;
      if (!(await isRightCode(context, given))) refuse("code_wrong");
      return renew(context, account, true);
    },
    "POST /api/account/step-up/passkey/options": async (_input, { account }) =>
      beginPasskeyProof(context, "passkey-step-up", account.accountId),
    "POST /api/account/step-up/passkey": async ({ body }, { account, refuse }) => {
      const proof = await takePasskeyProof(context, "passkey-step-up", body);
      if (typeof proof === "string") return refuse(proof);
      if (proof.accountId !== account.accountId) refuse("passkey_refused");
      return renew(context, account, true);
    },
  };
}

function isRightPassword(context: FactorContext, accountId: string, password: string) {
  const { sql, passwords } = context;
  return limited(context, accountId, async () =>
    passwords.verify(password, await passwordHashOf(sql, accountId)),
  );
}

async function renew(context: FactorContext, { accountId, sessionId }: SignedIn, factor: boolean) {
  const { sql, clock } = context;
  const token = await sql.begin(async (tx) => {
    // What was used is not lost.
    if (factor) await refuseRecovery(context, tx, accountId, "factor_used");
    return replaceToken(tx, sessionId, { authenticatedMs: clock(), factor });
  });
  // It was ended meanwhile.
  if (token === undefined) throw new ProblemError("unauthorized");
  return { status: "signed-in" as const, token };
}
