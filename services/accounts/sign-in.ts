import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { entryCalls } from "@pro-talent/schemas/accounts/calls";
import { accountProblems } from "@pro-talent/schemas/accounts/sign-in";
import type { FastifyRequest } from "fastify";

import { changePassword, findCredentials } from "./accounts.ts";
import {
  type AttemptLimit,
  clearAttempts,
  countAttempt,
  signInLimit,
  takeAttemptBack,
} from "./attempts.ts";
import { openChallenge, secondFactorChallenge } from "./challenges.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { type AccountsContext, requestLimit } from "./context.ts";
import { secondFactorsOf } from "./factors/second-factors.ts";

type SignInCalls = Pick<typeof entryCalls, "POST /api/account/sign-in">;

/** Signing in with address and password; a second factor is asked for where one is set up. */
export function signInHandlers(context: AccountsContext): CallHandlers<SignInCalls> {
  const { sql, clock } = context;
  return {
    "POST /api/account/sign-in": async ({ body }, { request, reply, refuse }) => {
      const accountId = await checkPassword(context, body, request);
      if (accountId === undefined) return refuse("sign_in_refused");
      const methods = await secondFactorsOf(sql, accountId);
      if (methods.length === 0) {
        return completeSignIn(context, request, reply, { accountId, factor: false });
      }
      const begun = { kind: secondFactorChallenge, accountId, nowMs: clock() };
      const challenge = await openChallenge(sql, begun);
      return { status: "factor-required", challenge, methods: [...methods] };
    },
  };
}

/**
 * The open account of an address and a password. A known and an unknown address take the same work: the
 * same statements, and one password hash.
 * @throws ProblemError `sign_in_delayed`
 */
async function checkPassword(
  context: AccountsContext,
  { email, password }: { email: string; password: string },
  request: FastifyRequest,
): Promise<string | undefined> {
  const { sql, keys, passwords } = context;
  const addressHash = keys.addressHash(email);
  const [ofAccount, ofNetwork] = [
    signInLimit(keys, addressHash),
    requestLimit(context, request),
  ] as const;
  await requireAttempt(context, [ofAccount, ofNetwork]);
  const found = await findCredentials(sql, addressHash);
  const isRight = await passwords.verify(password, found?.passwordHash);
  if (found === undefined || !isRight || !found.isOpen) return undefined;
  await clearAttempts(sql, ofAccount);
  await takeAttemptBack(sql, ofNetwork);
  if (passwords.isOutdated(found.passwordHash)) {
    await changePassword(sql, found.accountId, await passwords.hash(password));
  }
  return found.accountId;
}

/** Counts an attempt. @throws ProblemError `sign_in_delayed`, with the seconds to wait */
export async function requireAttempt(
  { sql, clock }: Pick<AccountsContext, "sql" | "clock">,
  limits: readonly AttemptLimit[],
): Promise<void> {
  const retryAfterSeconds = await countAttempt(sql, limits, clock());
  if (retryAfterSeconds !== undefined) {
    throw new ProblemError(accountProblems.sign_in_delayed, { retryAfterSeconds });
  }
}
