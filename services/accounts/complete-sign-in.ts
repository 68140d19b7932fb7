import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { ownerCookie } from "@pro-talent/schemas/accounts/internal-calls";
import type { FastifyReply, FastifyRequest } from "fastify";

import { readHolder } from "./accounts.ts";
import type { AccountsContext } from "./context.ts";
import { refuseRecovery } from "./recoveries.ts";
import { requestMail } from "./requested-mails.ts";
import { deviceOf, type OpenedSession, openSession } from "./sessions.ts";

/** As long as a session can last. */
const ownerSeconds = 90 * 24 * 60 * 60;

export type SignIn = {
  readonly accountId: string;
  /** Whether a second factor, or a passkey that verified its user, was part of it. */
  readonly factor: boolean;
  /** The account was opened by this request: its first device is not reported. */
  readonly isFirst?: boolean;
};

/**
 * Opens the session of a sign-in that is complete, mails the holder when it is the first one from such a
 * browser and system, and sets the cookie that recognises the owner's own link opens.
 * @returns the answer of the call
 */
export async function completeSignIn(
  context: AccountsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  signIn: SignIn,
): Promise<{ status: "signed-in"; token: string }> {
  const opened = await context.sql.begin((tx) => openSignIn(context, tx, request, signIn));
  setOwnerCookie(context, reply, opened.owner);
  return { status: "signed-in", token: opened.token };
}

/** The same in a transaction of the caller's, without the cookie. */
export async function openSignIn(
  context: AccountsContext,
  tx: Queryable,
  request: FastifyRequest,
  { accountId, factor, isFirst = false }: SignIn,
): Promise<OpenedSession> {
  const userAgent = request.headers["user-agent"];
  const nowMs = context.clock();
  const opened = await openSession(tx, { accountId, factor, userAgent, nowMs });
  // What was used is not lost.
  if (factor) await refuseRecovery(context, tx, accountId, "factor_used");
  const isNew = await noteDevice(context, tx, accountId, userAgent);
  if (isNew && !isFirst) await mailNewDevice(context, tx, accountId, userAgent);
  return opened;
}

/** @returns whether the account never signed in from such a device */
async function noteDevice(
  { keys, clock }: AccountsContext,
  tx: Queryable,
  accountId: string,
  userAgent: string | undefined,
): Promise<boolean> {
  const { browser, system } = deviceOf(userAgent);
  const hash = keys.keyedHash("device", JSON.stringify([accountId, browser, system]));
  const now = new Date(clock());
  const { count } = await tx`
    insert into accounts.known_device (account_id, device_hash, last_used_at)
    values (${accountId}, ${hash}, ${now}) on conflict do nothing`;
  if (count === 0) {
    await tx`
      update accounts.known_device set last_used_at = ${now}::timestamptz
       where account_id = ${accountId} and device_hash = ${hash}`;
  }
  return count === 1;
}

async function mailNewDevice(
  { keys, clock }: AccountsContext,
  tx: Queryable,
  accountId: string,
  userAgent: string | undefined,
): Promise<void> {
  const holder = await readHolder(tx, keys, accountId);
  if (holder === undefined) return;
  const { email, profile } = holder;
  const { language, timeZone } = profile;
  const atMs = clock();
  const mail = { kind: "new-device", email, language, accountId, timeZone, atMs } as const;
  await requestMail(tx, keys, { ...mail, ...deviceOf(userAgent) }, { nowMs: atMs });
}

/** It authorises nothing; only links read it. */
export function setOwnerCookie(
  { publicOrigin }: Pick<AccountsContext, "publicOrigin">,
  reply: FastifyReply,
  owner: string,
): void {
  reply.header("set-cookie", cookie(publicOrigin, owner, ownerSeconds));
}

/** Removes the cookie at the sign-out. */
export function clearOwnerCookie(
  { publicOrigin }: Pick<AccountsContext, "publicOrigin">,
  reply: FastifyReply,
): void {
  reply.header("set-cookie", cookie(publicOrigin, "", 0));
}

function cookie(publicOrigin: string, value: string, seconds: number): string {
  const secure = publicOrigin.startsWith("https:") ? "; Secure" : "";
  return `${ownerCookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
