import { createHash } from "node:crypto";

import { type Role, roles, type SignedIn } from "@pro-talent/schemas/primitives/access";

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

const isRole = (name: string): name is Role => roles.some((role) => role === name);

/** Only the hash of a token is stored, so that a copy of the database opens no session. */
export const tokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();

/**
 * Reads sign-in sessions through the two functions that the accounts service grants to the services
 * (`accounts.session_of`, `accounts.redeem_ticket`): one statement on a primary key, and a session that
 * was revoked is refused from that moment.
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
  };
}

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
