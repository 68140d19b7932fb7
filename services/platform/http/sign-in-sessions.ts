import { createHash } from "node:crypto";

import {
  type Role,
  roles,
  type SignedIn,
  type TokenHolder,
  tokenScopes,
} from "@pro-talent/schemas/primitives/access";

import type { Sql } from "../postgres/pool.ts";
import type { Clock } from "../runtime/clock.ts";
import type { SignInSessions } from "./admission.ts";

type SessionRow = {
  account_id: string;
  session_id: string;
  roles: string[];
  factor: boolean;
  authenticated_ms: number;
};

type TokenRow = { account_id: string; token_id: string; scopes: string[] };

const isRole = (name: string): name is Role => roles.some((role) => role === name);

/** Only the hash of a token is stored, so that a copy of the database opens no session. */
export const tokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();

/**
 * Reads sign-in sessions and access tokens through the functions that the accounts service grants to the
 * services (`accounts.session_of`, `accounts.redeem_ticket`, `accounts.access_token_of`): one statement on
 * a primary key, and what was revoked is refused from that moment.
 * @param sql a pool of a role that may execute them
 */
export function readSignInSessions(sql: Sql, clock: Clock): SignInSessions {
  return {
    ofToken: async (token) =>
      accountOf(
        await sql<SessionRow[]>`
          select * from accounts.session_of(${tokenHash(token)}::bytea, ${nowOf(clock)}::timestamptz)`,
      ),
    ofTicket: async (ticket, path) =>
      accountOf(
        await sql<SessionRow[]>`
          select * from accounts.redeem_ticket(
            ${tokenHash(ticket)}::bytea, ${path}, ${nowOf(clock)}::timestamptz)`,
      ),
    ofAccessToken: async (token) =>
      token.startsWith(accessTokenPrefix)
        ? holderOf(
            await sql<TokenRow[]>`
              select * from accounts.access_token_of(
                ${tokenHash(token)}::bytea, ${nowOf(clock)}::timestamptz)`,
          )
        : undefined,
  };
}

/** What programs that search for leaked secrets recognise access tokens by. */
export const accessTokenPrefix = "pt_";

const nowOf = (clock: Clock): string => new Date(clock()).toISOString();

function accountOf([row]: readonly SessionRow[]): SignedIn | undefined {
  if (row === undefined) return undefined;
  return {
    accountId: row.account_id,
    sessionId: row.session_id,
    roles: row.roles.filter(isRole),
    factor: row.factor,
    authenticatedMs: row.authenticated_ms,
  };
}

function holderOf([row]: readonly TokenRow[]): TokenHolder | undefined {
  if (row === undefined) return undefined;
  const scopes = tokenScopes.filter((scope) => row.scopes.includes(scope));
  return { accountId: row.account_id, tokenId: row.token_id, scopes };
}
