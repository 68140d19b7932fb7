import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { Transaction } from "@pro-talent/platform/postgres/pool";
import type { entryCalls } from "@pro-talent/schemas/accounts/calls";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyRequest } from "fastify";
import { v7 as uuidV7 } from "uuid";

import { findCredentials, insertAccount, isTaken } from "./accounts.ts";
import { openSignIn, setOwnerCookie } from "./complete-sign-in.ts";
import type { AccountsContext } from "./context.ts";
import {
  findInvitation,
  findMailToken,
  type FoundLink,
  type MailTokenRefusal,
  useMailToken,
} from "./mail-tokens.ts";
import { addOpening } from "./openings.ts";
import { requestMail } from "./requested-mails.ts";
import type { OpenedSession } from "./sessions.ts";

type Registration = Pick<
  typeof entryCalls,
  "POST /api/account/registration" | "POST /api/account/invitation" | "POST /api/account/join"
>;
type JoinBody = (typeof entryCalls)["POST /api/account/join"]["body"]["_output"];

const purposes = ["invitation", "registration"] as const;

/**
 * Opening an account: always with the token of a mailed link, so that the address is known to be the
 * holder's. Requesting one is answered alike for all addresses; the worker decides what to mail.
 */
export function entryHandlers(context: AccountsContext): CallHandlers<Registration> {
  const { sql, keys, clock, registration, weakPasswords } = context;
  return {
    "POST /api/account/registration": async ({ body }, { refuse }) => {
      if (registration !== "open") refuse("registration_closed");
      await requestMail(sql, keys, { kind: "registration", ...body }, { nowMs: clock() });
      return { status: "mailed" as const };
    },
    "POST /api/account/invitation": async ({ body }, { refuse }) => {
      const link = await openableLink(context, body.token);
      if (typeof link === "string") return refuse(link);
      const { email, language, expiresMs } = link;
      return { email, language, expiresAt: instantFromMs(expiresMs) };
    },
    "POST /api/account/join": async ({ body }, { request, reply, refuse }) => {
      const link = await openableLink(context, body.token);
      if (typeof link === "string") return refuse(link);
      if (weakPasswords.includes(body.password, link.email)) refuse("password_weak");
      const opened = await openAccount(context, body, request);
      if (typeof opened === "string") return refuse(opened);
      setOwnerCookie(context, reply, opened.owner);
      return { status: "signed-in" as const, token: opened.token };
    },
  };
}

/** A link whose address has an account has served its purpose. */
async function openableLink(
  { sql, keys, clock }: Pick<AccountsContext, "sql" | "keys" | "clock">,
  token: string,
): Promise<FoundLink | MailTokenRefusal> {
  const link = await findMailToken(sql, keys, { token, purposes, nowMs: clock() });
  if (typeof link === "string") return link;
  const known = await findCredentials(sql, keys.addressHash(link.email));
  return known === undefined ? link : "mail_token_ended";
}

/** Opens the account, signs in, and notes what the ledger is to record: all of it or nothing. */
async function openAccount(
  context: AccountsContext,
  body: JoinBody,
  request: FastifyRequest,
): Promise<OpenedSession | MailTokenRefusal> {
  // Before the transaction: hashing takes longer than all its statements.
  const passwordHash = await context.passwords.hash(body.password);
  try {
    return await context.sql.begin((tx) =>
      openAccountIn(context, tx, { ...body, passwordHash }, request),
    );
  } catch (error) {
    // Another link to the same address was followed at the same time.
    if (isTaken(error)) return "mail_token_ended";
    throw error;
  }
}

async function openAccountIn(
  context: AccountsContext,
  tx: Transaction,
  { token, passwordHash, fullName, language, timeZone }: JoinBody & { passwordHash: string },
  request: FastifyRequest,
): Promise<OpenedSession | MailTokenRefusal> {
  const { keys, clock } = context;
  const nowMs = clock();
  const link = await findMailToken(tx, keys, { token, purposes, nowMs });
  if (typeof link === "string") return link;
  const invitation = await findInvitation(tx, keys, link.email, nowMs);
  await useMailToken(tx, token, nowMs);
  const accountId = uuidV7();
  const profile = { fullName, language, timeZone };
  await insertAccount(tx, keys, { accountId, email: link.email, profile, passwordHash, nowMs });
  await addOpening(tx, { accountId, ...invitation, language, nowMs });
  return openSignIn(context, tx, request, { accountId, factor: false, isFirst: true });
}
