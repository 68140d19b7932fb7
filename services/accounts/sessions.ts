import { randomBytes } from "node:crypto";

import { tokenHash } from "@pro-talent/platform/http/sign-in-sessions";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import UAParser from "ua-parser-js";
import { v7 as uuidV7 } from "uuid";

export type NewSession = {
  readonly accountId: string;
  /** A second factor, or a passkey that verified its user, was part of the sign-in. */
  readonly factor: boolean;
  /** Only the names of browser and system in it are kept. */
  readonly userAgent: string | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
};

export type OpenedSession = {
  /** The bearer token; only its hash is stored. */
  readonly token: string;
  readonly sessionId: string;
  /** Of the cookie that recognises the owner's own link opens; it authorises nothing. */
  readonly owner: string;
};

/** 256 bits that cannot be guessed, in base64url. */
export const randomToken = (): string => randomBytes(32).toString("base64url");

/** The names of browser and system; null where they are not known. */
export function deviceOf(userAgent: string | undefined): {
  readonly browser: string | null;
  readonly system: string | null;
} {
  const { browser, os } = UAParser((userAgent ?? "").slice(0, 500));
  return { browser: browser.name ?? null, system: os.name ?? null };
}

/** Opens a sign-in session. Its token is always a new one, so that none can be fixed before. */
export async function openSession(sql: Queryable, session: NewSession): Promise<OpenedSession> {
  const { accountId, factor, userAgent, nowMs } = session;
  const { browser, system } = deviceOf(userAgent);
  const opened = { token: randomToken(), owner: randomToken(), sessionId: uuidV7() };
  const now = new Date(nowMs);
  await sql`
    insert into accounts.sign_in_session
      (token_hash, session_id, account_id, owner_hash, factor, browser, system,
       signed_in_at, authenticated_at, last_used_at)
    values (${tokenHash(opened.token)}, ${opened.sessionId}, ${accountId}, ${tokenHash(opened.owner)},
            ${factor}, ${browser}, ${system}, ${now}, ${now}, ${now})`;
  return opened;
}

/**
 * Replaces the token of a session whose holder has just proven who they are; the former one ends.
 * @param change `factor` is set where a second factor was part of it, and never taken back
 * @returns the new token, or undefined when the session has ended
 */
export async function replaceToken(
  sql: Queryable,
  sessionId: string,
  { authenticatedMs, factor = false }: { authenticatedMs: number; factor?: boolean },
): Promise<string | undefined> {
  const token = randomToken();
  const at = new Date(authenticatedMs);
  const { count } = await sql`
    update accounts.sign_in_session
       set token_hash = ${tokenHash(token)}, authenticated_at = ${at}::timestamptz,
           last_used_at = greatest(last_used_at, ${at}::timestamptz), factor = factor or ${factor}
     where session_id = ${sessionId}`;
  return count === 1 ? token : undefined;
}

/** Ends all sign-in sessions of an account at once, but for one. */
export async function endSessions(
  sql: Queryable,
  accountId: string,
  { except = null }: { except?: string | null } = {},
): Promise<void> {
  await sql`
    delete from accounts.sign_in_session
     where account_id = ${accountId} and session_id is distinct from ${except}::uuid`;
}
