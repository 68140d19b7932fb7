import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { accountCalls, entryCalls } from "@pro-talent/schemas/accounts/calls";

import { revokeTokens } from "./access-tokens.ts";
import {
  changeAddress,
  changePassword,
  type Holder,
  isTaken,
  passwordHashOf,
  readHolder,
} from "./accounts.ts";
import { clearAttempts, confirmationLimit, signInLimit } from "./attempts.ts";
import type { AccountsContext } from "./context.ts";
import {
  endMailTokens,
  findMailToken,
  type MailTokenPurpose,
  type MailTokenRefusal,
} from "./mail-tokens.ts";
import { type RequestedMail, requestMail } from "./requested-mails.ts";
import { endSessions, replaceToken } from "./sessions.ts";
import { requireAttempt } from "./sign-in.ts";

type LinkCalls = Pick<
  typeof entryCalls,
  | "POST /api/account/password/forgotten"
  | "POST /api/account/password/reset"
  | "POST /api/account/email/confirm"
>;
type HolderCalls = Pick<
  typeof accountCalls,
  "POST /api/account/password" | "POST /api/account/email"
>;

/** What mailed links change. None of them signs in: a reset asks for the second factor afterwards. */
export function mailedLinkHandlers(context: AccountsContext): CallHandlers<LinkCalls> {
  const { sql, keys, clock, passwords, weakPasswords } = context;
  return {
    "POST /api/account/password/forgotten": async ({ body }) => {
      await requestMail(sql, keys, { kind: "reset", ...body }, { nowMs: clock() });
      return { status: "mailed" as const };
    },
    "POST /api/account/password/reset": async ({ body: { token, password } }, { refuse }) => {
      const wanted = { token, purposes: ["reset"], nowMs: clock() } as const;
      const link = await findMailToken(sql, keys, wanted);
      if (typeof link === "string") return refuse(link);
      if (weakPasswords.includes(password, link.email)) refuse("password_weak");
      const passwordHash = await passwords.hash(password);
      const refusal = await followLink(context, token, "reset", async (tx, holder) => {
        await changePassword(tx, holder.accountId, passwordHash);
        await endSessions(tx, holder.accountId);
        // So do the access tokens: who resets a password may not have made them.
        await revokeTokens(tx, holder.accountId);
        // The owner is known to be there: counting begins anew.
        await clearAttempts(tx, signInLimit(keys, keys.addressHash(holder.email)));
        await mailHolder(context, tx, holder, "password-changed");
      });
      return refusal === undefined ? { status: "done" as const } : refuse(refusal);
    },
    "POST /api/account/email/confirm": async ({ body: { token } }, { refuse }) => {
      const refusal = await followLink(context, token, "email", async (tx, holder, email) => {
        await changeAddress(tx, keys, holder.accountId, email);
        await mailHolder(context, tx, holder, "address-changed");
      });
      return refusal === undefined ? { status: "done" as const } : refuse(refusal);
    },
  };
}

/** What a signed-in holder changes. */
export function credentialHandlers(context: AccountsContext): CallHandlers<HolderCalls> {
  const { sql, keys, clock, passwords, weakPasswords } = context;
  return {
    "POST /api/account/password": async ({ body }, { account, refuse }) => {
      const { accountId, sessionId } = account;
      const limit = confirmationLimit(keys, accountId);
      await requireAttempt(context, [limit]);
      const known = await passwordHashOf(sql, accountId);
      if (!(await passwords.verify(body.current, known))) refuse("sign_in_refused");
      await clearAttempts(sql, limit);
      const holder = await requireHolder(context, accountId);
      if (weakPasswords.includes(body.password, holder.email)) refuse("password_weak");
      const passwordHash = await passwords.hash(body.password);
      const token = await sql.begin(async (tx) => {
        await changePassword(tx, accountId, passwordHash);
        await endSessions(tx, accountId, { except: sessionId });
        await endMailTokens(tx, accountId, clock());
        await mailHolder(context, tx, holder, "password-changed");
        return replaceToken(tx, sessionId, { authenticatedMs: clock() });
      });
      if (token === undefined) throw new ProblemError("unauthorized");
      return { status: "signed-in" as const, token };
    },
    "POST /api/account/email": async ({ body: { email } }, { account, refuse }) => {
      const {
        accountId,
        email: current,
        profile,
      } = await requireHolder(context, account.accountId);
      if (keys.addressHash(email).equals(keys.addressHash(current))) refuse("email_unchanged");
      const mail = { kind: "new-address", accountId, email, language: profile.language } as const;
      await requestMail(sql, keys, mail, { nowMs: clock() });
      return { status: "mailed" as const };
    },
  };
}

/** The account of a call. @throws ProblemError when it ended since the call was admitted */
export async function requireHolder(
  { sql, keys }: Pick<AccountsContext, "keys"> & { readonly sql: Queryable },
  accountId: string,
): Promise<Holder> {
  const holder = await readHolder(sql, keys, accountId);
  if (holder === undefined) throw new ProblemError("unauthorized");
  return holder;
}

/**
 * Does what a mailed link of an account is for, and ends all links of the account with it.
 * @returns why not, or undefined
 */
async function followLink(
  { sql, keys, clock }: AccountsContext,
  token: string,
  purpose: MailTokenPurpose,
  change: (tx: Queryable, holder: Holder, email: string) => Promise<void>,
): Promise<MailTokenRefusal | undefined> {
  const nowMs = clock();
  try {
    return await sql.begin(async (tx) => {
      const link = await findMailToken(tx, keys, { token, purposes: [purpose], nowMs });
      if (typeof link === "string") return link;
      const holder = await readHolder(tx, keys, link.accountId ?? "");
      if (holder === undefined) return "mail_token_ended";
      await change(tx, holder, link.email);
      await endMailTokens(tx, holder.accountId, nowMs);
      return undefined;
    });
  } catch (error) {
    // Another account has the new address by now.
    if (isTaken(error)) return "mail_token_ended";
    throw error;
  }
}

type ShortMail = Extract<RequestedMail, { kind: "password-changed" | "address-changed" }>;

/** To the address that the account has, or had before the change. */
async function mailHolder(
  { keys, clock }: AccountsContext,
  tx: Queryable,
  { accountId, email, profile }: Holder,
  kind: ShortMail["kind"],
): Promise<void> {
  const mail = { kind, accountId, email, language: profile.language };
  await requestMail(tx, keys, mail, { nowMs: clock() });
}
