import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Transaction } from "@pro-talent/platform/postgres/pool";
import type { factorCalls } from "@pro-talent/schemas/accounts/factor-calls";
import { isStaff, type SignedIn } from "@pro-talent/schemas/primitives/access";

import { readHolder } from "../accounts.ts";
import { openChallenge, takeChallenge } from "../challenges.ts";
import { endSessions, replaceToken } from "../sessions.ts";
import { beginAuthenticator, confirmAuthenticator, removeAuthenticator } from "./authenticators.ts";
import { type FactorContext, notifyHolder } from "./factor-context.ts";
import { registrationOptions, verifyRegistration } from "./passkey-ceremonies.ts";
import { removeRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes.ts";
import { type Factors, factorsOf, hasFactor } from "./second-factors.ts";
import { totpSecretText, totpUri } from "./totp.ts";

type SetUpCalls = Omit<typeof factorCalls, `POST /api/account/step-up/${string}`>;

const addingPasskey = "passkey-add";
const done = { status: "done" } as const;

/** What an account holder does about the second factors of the account. */
export function setUpHandlers(context: FactorContext): CallHandlers<SetUpCalls> {
  return { ...overview(context), ...authenticatorHandlers(context), ...passkeyHandlers(context) };
}

type Handlers<Name extends keyof SetUpCalls> = CallHandlers<Pick<SetUpCalls, Name>>;

function overview({ sql, passkeys }: FactorContext): Handlers<"GET /api/account/factors"> {
  return {
    "GET /api/account/factors": async (_input, { account }) => {
      const { accountId } = account;
      const { totp, recoveryCodesLeft } = await factorsOf(sql, accountId);
      const own = await passkeys.ofAccount(sql, accountId);
      return {
        totp,
        recoveryCodesLeft,
        passkeys: own.map(({ passkeyId, name, synced, createdAt, lastUsedAt }) => ({
          passkeyId,
          name,
          synced,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
        })),
        required: isStaff(account),
      };
    },
  };
}

function authenticatorHandlers(
  context: FactorContext,
): Handlers<
  | "POST /api/account/factors/totp"
  | "POST /api/account/factors/totp/confirm"
  | "DELETE /api/account/factors/totp"
  | "POST /api/account/factors/recovery-codes"
> {
  const { clock, keys, party } = context;
  return {
    "POST /api/account/factors/totp": async (_input, { account, refuse }) => {
      const { accountId } = account;
      const { email } = await personOf(context, accountId);
      return changing(context, account, async (tx) => {
        const begun = await beginAuthenticator(tx, { accountId, keys, nowMs: clock() });
        const secret = begun ?? refuse("factor_exists");
        return {
          secret: totpSecretText(secret),
          uri: totpUri(secret, { issuer: party.name, email }),
        };
      });
    },
    "POST /api/account/factors/totp/confirm": async ({ body }, { account, refuse }) => {
      const { accountId } = account;
      const typed = { accountId, code: body.code, keys, nowMs: clock() };
      return changing(context, account, async (tx, before) => {
        const result = await confirmAuthenticator(tx, typed);
        if (result !== "confirmed") refuse(result === "wrong" ? "code_wrong" : "challenge_ended");
        const codes = await replaceRecoveryCodes(tx, accountId);
        await notifyHolder(context, tx, accountId, "authenticator-added");
        return { codes, token: await protect(tx, account, before, clock()) };
      });
    },
    "DELETE /api/account/factors/totp": async (_input, { account, refuse }) =>
      changing(context, account, async (tx, before) => {
        const { accountId } = account;
        if (!before.totp) return done;
        if (isStaff(account) && before.passkeys === 0) refuse("last_factor");
        await removeAuthenticator(tx, accountId);
        await removeRecoveryCodes(tx, accountId);
        await notifyHolder(context, tx, accountId, "authenticator-removed");
        return done;
      }),
    "POST /api/account/factors/recovery-codes": async (_input, { account, refuse }) =>
      changing(context, account, async (tx, before) => {
        if (!hasFactor(before)) refuse("factor_missing");
        const codes = await replaceRecoveryCodes(tx, account.accountId);
        await notifyHolder(context, tx, account.accountId, "recovery-codes-replaced");
        return { codes };
      }),
  };
}

function passkeyHandlers(
  context: FactorContext,
): Handlers<
  | "POST /api/account/factors/passkeys/options"
  | "POST /api/account/factors/passkeys"
  | "PATCH /api/account/factors/passkeys/:passkeyId"
  | "DELETE /api/account/factors/passkeys/:passkeyId"
> {
  const { sql, clock, party, passkeys } = context;
  return {
    "POST /api/account/factors/passkeys/options": async (_input, { account: { accountId } }) => {
      const kind = addingPasskey;
      const challenge = await openChallenge(sql, { kind, accountId, nowMs: clock() });
      const existing = await passkeys.ofAccount(sql, accountId);
      const person = { accountId, ...(await personOf(context, accountId)) };
      const options = await registrationOptions(party, { challenge, existing, ...person });
      return { ceremony: challenge, options };
    },
    "POST /api/account/factors/passkeys": async ({ body }, { account, refuse }) => {
      const { accountId } = account;
      const { ceremony, response, name } = body;
      const begun = await takeChallenge(sql, addingPasskey, ceremony, clock());
      if (begun?.accountId !== accountId) refuse("challenge_ended");
      const verified = await verifyRegistration(party, { challenge: ceremony, response });
      const made = verified ?? refuse("passkey_refused");
      return changing(context, account, async (tx, before) => {
        const passkey = { ...made, accountId, name, nowMs: clock() };
        const passkeyId = (await passkeys.add(tx, passkey)) ?? refuse("passkey_refused");
        await notifyHolder(context, tx, accountId, "passkey-added");
        return { passkeyId, token: await protect(tx, account, before, clock()) };
      });
    },
    "PATCH /api/account/factors/passkeys/:passkeyId": async ({ params, body }, { account }) => {
      const named = { accountId: account.accountId, ...params, ...body };
      if (!(await passkeys.rename(sql, named))) throw new ProblemError("not_found");
      return done;
    },
    "DELETE /api/account/factors/passkeys/:passkeyId": async ({ params }, { account, refuse }) =>
      changing(context, account, async (tx, before) => {
        const { accountId } = account;
        const isRemoved = await passkeys.remove(tx, accountId, params.passkeyId);
        if (!isRemoved) throw new ProblemError("not_found");
        const isLast = !before.totp && before.passkeys === 1;
        if (isLast && isStaff(account)) refuse("last_factor");
        if (isLast) await removeRecoveryCodes(tx, accountId);
        await notifyHolder(context, tx, accountId, "passkey-removed");
        return done;
      }),
  };
}

/**
 * Changes the factors of an account, one change at a time. A session that began without a factor changes
 * nothing once the account has one: it may be another person's who knows the password.
 */
function changing<Result>(
  { sql }: FactorContext,
  { accountId, factor }: SignedIn,
  change: (tx: Transaction, before: Factors) => Promise<Result>,
): Promise<Result> {
  return sql.begin(async (tx) => {
    await tx`select from accounts.account where account_id = ${accountId} for update`;
    const before = await factorsOf(tx, accountId);
    if (hasFactor(before) && !factor) throw new ProblemError("factor_required");
    return change(tx, before);
  });
}

/**
 * The session has a factor from now on, under a new token. With the first factor of the account all other
 * sessions end: they began without one.
 */
async function protect(
  tx: Transaction,
  { accountId, sessionId }: SignedIn,
  before: Factors,
  authenticatedMs: number,
): Promise<string> {
  if (!hasFactor(before)) await endSessions(tx, accountId, { except: sessionId });
  const token = await replaceToken(tx, sessionId, { authenticatedMs, factor: true });
  // It was ended meanwhile.
  if (token === undefined) throw new ProblemError("unauthorized");
  return token;
}

/** How the account is named in authenticators. */
async function personOf({ sql, keys }: FactorContext, accountId: string) {
  const holder = await readHolder(sql, keys, accountId);
  // It was closed meanwhile.
  if (holder === undefined) throw new ProblemError("unauthorized");
  return { email: holder.email, fullName: holder.profile.fullName };
}
